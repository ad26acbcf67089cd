/** Owns the closing phrases of letters by language. */
import type { Words } from './languages.ts';

/** Phrases that occur only as closings: they begin a signature even without a name below. */
export const strongClosings: Words = {
  en:
    'best regards | kind regards | kindest regards | warm regards | warmest regards | ' +
    'with kind regards | with best regards | with regards | many thanks and best regards | ' +
    'many thanks and kind regards | thanks and regards | thanks & regards | ' +
    'thanks and best regards | thanks and kind regards | regards | best wishes | with best wishes | ' +
    'all the best | sincerely | sincerely yours | yours sincerely | yours truly | yours faithfully | ' +
    'respectfully | rgds | brgds',
  de:
    'mit freundlichen grüßen | mit freundlichen grüssen | mit freundlichen gruessen | ' +
    'mit freundlichem gruß | mit freundlichem gruss | mit besten grüßen | mit besten grüssen | ' +
    'mit lieben grüßen | mit vielen grüßen | mit herzlichen grüßen | freundliche grüße | ' +
    'freundliche grüsse | viele grüße | viele grüsse | beste grüße | beste grüsse | liebe grüße | ' +
    'liebe grüsse | schöne grüße | schöne grüsse | herzliche grüße | herzliche grüsse | ' +
    'vielen dank und viele grüße | vielen dank und freundliche grüße | danke und gruß | ' +
    'danke und viele grüße | grüße | grüsse | gruß | gruss | hochachtungsvoll | mfg | lg | vg',
  fr:
    'cordialement | bien cordialement | très cordialement | bien à vous | bien à toi | ' +
    'sincères salutations | meilleures salutations | salutations distinguées | ' +
    'cordiales salutations | salutations | sincèrement | respectueusement | amicalement | ' +
    'merci et bonne journée | cdlt | cdt',
  es:
    'saludos | un saludo | saludos cordiales | cordiales saludos | un cordial saludo | un abrazo | ' +
    'abrazos | atentamente | muy atentamente | le saluda atentamente | cordialmente | ' +
    'gracias y saludos | gracias y un saludo | muchas gracias y un saludo | saludos y gracias',
  pt:
    'atenciosamente | cumprimentos | os melhores cumprimentos | com os melhores cumprimentos | ' +
    'melhores cumprimentos | abraço | abraços | um abraço | saudações | cordialmente | ' +
    'respeitosamente | att | atte',
  it:
    'cordiali saluti | distinti saluti | un cordiale saluto | un caro saluto | cari saluti | ' +
    'saluti | un saluto | cordialmente | i migliori saluti | grazie e saluti | ' +
    'grazie e cordiali saluti | in fede',
  nl:
    'met vriendelijke groet | met vriendelijke groeten | vriendelijke groet | vriendelijke groeten | ' +
    'met hartelijke groet | hartelijke groet | hartelijke groeten | groet | groeten | groetjes | ' +
    'hoogachtend | mvg',
  pl:
    'pozdrawiam | pozdrawiam serdecznie | serdecznie pozdrawiam | z poważaniem | ' +
    'z wyrazami szacunku | z pozdrowieniami | pozdrowienia | łączę pozdrowienia | ' +
    'dziękuję i pozdrawiam',
  sv:
    'med vänlig hälsning | med vänliga hälsningar | vänlig hälsning | vänliga hälsningar | ' +
    'bästa hälsningar | varma hälsningar | hälsningar | mvh',
  da:
    'med venlig hilsen | med venlige hilsner | venlig hilsen | venlige hilsner | bedste hilsner | ' +
    'de bedste hilsner | kærlig hilsen | mange hilsner | hilsen | hilsner | mvh',
  no:
    'med vennlig hilsen | vennlig hilsen | vennlige hilsener | med hilsen | beste hilsen | ' +
    'beste hilsener | hilsen | mvh',
  cs: 's pozdravem | s přátelským pozdravem | s úctou | s pozdravem a přáním hezkého dne',
  ru:
    'с уважением | с наилучшими пожеланиями | с наилучшими | всего доброго | всего хорошего | ' +
    'всего наилучшего | искренне ваш | искренне ваша | спасибо, с уважением',
  zh: '此致 | 此致敬礼 | 此致 敬礼 | 敬礼 | 敬禮 | 祝好 | 顺祝商祺 | 順祝商祺 | 顺颂商祺 | 顺祝 商祺 | 祝商祺 | 谨上 | 敬上 | 祝工作顺利 | 祝您工作愉快',
  ja: '敬具 | 草々 | 以上、よろしくお願いいたします | 以上、よろしくお願いします',
  other: 'ystävällisin terveisin | terveisin | з повагою | saygılarımla | cu stimă | üdvözlettel',
};

/** Phrases that may also be content: they begin a signature only if a name follows. */
export const weakClosings: Words = {
  en:
    'thanks | thank you | thank you so much | thank you very much | thanks so much | ' +
    'thanks very much | thanks a lot | thanks again | thank you again | thanks in advance | ' +
    'thank you in advance | many thanks | thanks for your help | thank you for your help | thx | ' +
    'cheers | best | love | yours | warmly | cordially | take care | talk soon | at your service | ' +
    'have a great day | have a nice day | br | kr',
  de:
    'danke | vielen dank | besten dank | herzlichen dank | danke im voraus | vielen dank im voraus | ' +
    'danke dir | bis bald | bg | schönen tag noch',
  fr:
    "merci | merci beaucoup | merci d'avance | merci d’avance | merci par avance | bonne journée | " +
    'à bientôt | bonne réception | bises',
  es: 'gracias | muchas gracias | mil gracias | gracias de antemano | muchas gracias de antemano',
  pt: 'obrigado | obrigada | muito obrigado | muito obrigada | obrigado desde já | grato | grata',
  it: 'grazie | grazie mille | grazie in anticipo | molte grazie | a presto',
  nl: 'bedankt | alvast bedankt | dank je wel | dank u wel | dank | hartelijk dank | gr',
  pl: 'dziękuję | dzięki | z góry dziękuję | dziękuję bardzo | miłego dnia',
  sv: 'tack | tack så mycket | tack på förhand | stort tack | hälsar',
  da: 'tak | mange tak | på forhånd tak | tak på forhånd | kh | vh',
  no: 'takk | tusen takk | mange takk | på forhånd takk | takk på forhånd | vh',
  cs:
    'zdravím | děkuji | děkuju | díky | předem děkuji | mockrát děkuji | hezký den | pěkný den | ' +
    'přeji hezký den | děkuji a přeji hezký den',
  ru: 'спасибо | спасибо большое | большое спасибо | заранее спасибо | благодарю | заранее благодарю',
  zh: '谢谢 | 謝謝 | 多谢 | 多謝 | 感谢 | 感謝 | 谢谢您 | 非常感谢',
  ja:
    'よろしくお願いいたします | よろしくお願い致します | よろしくお願いします | 宜しくお願いいたします | 宜しくお願い致します | 宜しくお願いします | ' +
    'どうぞよろしくお願いいたします | 何卒よろしくお願いいたします | 何卒よろしくお願い申し上げます | ありがとうございます | 以上',
  other: 'kiitos | kiitos etukäteen | дякую | teşekkürler',
};
