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
    'respectfully | rgds | brgds | warm wishes | kind wishes | with kindest regards | with warm regards | ' +
    'greetings | best regards always | with gratitude | very truly yours | regards always | with thanks',
  de:
    'mit freundlichen grüßen | mit freundlichen grüssen | mit freundlichen gruessen | ' +
    'mit freundlichem gruß | mit freundlichem gruss | mit besten grüßen | mit besten grüssen | ' +
    'mit lieben grüßen | mit vielen grüßen | mit herzlichen grüßen | freundliche grüße | ' +
    'freundliche grüsse | freundlicher gruß | freundliche gruesse | viele gruesse | liebe gruesse | ' +
    'beste gruesse | herzlicher gruß | herzliche gruesse | herzlichst | besten gruß | bester gruß | ' +
    'lieber gruß | lieben gruß | viele liebe grüße | ganz liebe grüße | sonnige grüße | gruesse | ' +
    'beste wünsche | vlg | mit gruß | viele grüße | viele grüsse | beste grüße | beste grüsse | liebe grüße | ' +
    'liebe grüsse | schöne grüße | schöne grüsse | herzliche grüße | herzliche grüsse | ' +
    'vielen dank und viele grüße | vielen dank und freundliche grüße | danke und gruß | ' +
    'danke und viele grüße | grüße | grüsse | grüßle | grüessli | gruß | gruss | hochachtungsvoll | mfg | lg | vg',
  fr:
    'cordialement | bien cordialement | très cordialement | bien à vous | bien à toi | ' +
    'sincères salutations | meilleures salutations | salutations distinguées | ' +
    'cordiales salutations | salutations | sincèrement | respectueusement | amicalement | ' +
    'merci et bonne journée | cdlt | cdt | bien amicalement | avec mes meilleures salutations | ' +
    'mes meilleures salutations | mes sincères salutations | très cordialement vôtre | ' +
    'recevez mes salutations | bien sincèrement',
  es:
    'saludos | un saludo | un saludo cordial | saludos afectuosos | un fuerte abrazo | reciba un cordial saludo | ' +
    'saludos cordiales | cordiales saludos | un cordial saludo | un abrazo | ' +
    'abrazos | atentamente | muy atentamente | le saluda atentamente | cordialmente | ' +
    'gracias y saludos | gracias y un saludo | muchas gracias y un saludo | saludos y gracias',
  pt:
    'atenciosamente | cumprimentos | os melhores cumprimentos | com os melhores cumprimentos | ' +
    'melhores cumprimentos | abraço | abraços | um abraço | saudações | cordialmente | ' +
    'respeitosamente | att | atte | saudações cordiais | um grande abraço | com os cumprimentos',
  it:
    'cordiali saluti | distinti saluti | un cordiale saluto | un caro saluto | cari saluti | ' +
    'saluti | un saluto | cordialmente | i migliori saluti | grazie e saluti | ' +
    'grazie e cordiali saluti | in fede | saluti cordiali | tanti saluti | un cordiale saluto | un abbraccio',
  nl:
    'met vriendelijke groet | met vriendelijke groeten | vriendelijke groet | vriendelijke groeten | ' +
    'met hartelijke groet | hartelijke groet | hartelijke groeten | groet | groeten | groetjes | ' +
    'hoogachtend | mvg | met groet | met groeten | hartelijke groetjes | lieve groet | lieve groetjes | ' +
    'warme groet',
  pl:
    'pozdrawiam | pozdrawiam serdecznie | serdecznie pozdrawiam | z poważaniem | ' +
    'z wyrazami szacunku | z pozdrowieniami | pozdrowienia | łączę pozdrowienia | ' +
    'dziękuję i pozdrawiam | pozdrawiamy | pozdr | serdeczne pozdrowienia | z serdecznymi pozdrowieniami | ' +
    'łączę wyrazy szacunku',
  sv:
    'med vänlig hälsning | med vänliga hälsningar | vänlig hälsning | vänliga hälsningar | ' +
    'bästa hälsning | hälsning | hjärtliga hälsningar | bästa hälsningar | varma hälsningar | hälsningar | mvh',
  da:
    'med venlig hilsen | med venlige hilsner | venlig hilsen | venlige hilsner | bedste hilsner | ' +
    'bedste hilsen | de bedste hilsner | venlige hilsner | kærlig hilsen | mange hilsner | hilsen | hilsner | mvh',
  no:
    'med vennlig hilsen | vennlig hilsen | vennlige hilsener | med hilsen | beste hilsen | ' +
    'beste hilsener | hilsen | hilsener | mange hilsener | med vennlige hilsener | varm hilsen | mvh',
  cs: 's pozdravem | s pozdravy | srdečně | se srdečným pozdravem | zdraví | s přátelským pozdravem | s úctou | s pozdravem a přáním hezkého dne',
  ru:
    'с уважением | с наилучшими пожеланиями | с наилучшими | всего доброго | всего хорошего | ' +
    'всего наилучшего | с приветом | с благодарностью | с почтением | с искренним уважением | с глубоким уважением | ' +
    ' искренне ваш | искренне ваша | спасибо, с уважением',
  zh:
    '顺颂时祺 | 顺祝商安 | 此致敬禮 | 致礼 | 致敬 | 祝您生活愉快 | 祝生活愉快 | 敬颂商祺 | ' +
    '此致 | 此致敬礼 | 此致 敬礼 | 敬礼 | 敬禮 | 祝好 | 顺祝商祺 | 順祝商祺 | 顺颂商祺 | 顺祝 商祺 | 祝商祺 | 谨上 | 敬上 | 祝工作顺利 | 祝您工作愉快',
  ja:
    '拝 | かしこ | 以上です | ' + '敬具 | 草々 | 以上、よろしくお願いいたします | 以上、よろしくお願いします',
  he: 'בברכה | בברכה רבה | בברכה חמה | בברכות | בכבוד רב | בכבוד רב ובברכה | בברכה ובתודה | בתודה ובברכה | תודה ובברכה | תודה רבה ובברכה | בידידות | בהוקרה | בתודה ובהוקרה | בברכת חברים | בכבוד',
  ar: 'مع التحية | مع تحياتي | تحياتي | مع خالص التحية | خالص التحية | مع أطيب التحيات | أطيب التحيات | خالص تحياتي | مع خالص تحياتي | أطيب تحياتي | مع فائق الاحترام | مع الاحترام | وتفضلوا بقبول فائق الاحترام | تفضلوا بقبول فائق الاحترام | وتفضلوا بقبول فائق الاحترام والتقدير | تفضلوا بقبول فائق الاحترام والتقدير | مع فائق التقدير والاحترام | مع التقدير | مع جزيل الشكر | مع الشكر | مع الشكر الجزيل | شكرا مع التحية | والسلام عليكم ورحمة الله وبركاته | والسلام',
  fi: 'ystävällisin terveisin | ystävällisesti | parhain terveisin | terveisin | hyvin terveisin | lämpimin terveisin | iloisin terveisin | aurinkoisin terveisin | rakkain terveisin | kunnioittavasti | kunnioittaen | kiittäen | kiitoksin | terkuin | terveiset | yt | kiitos ja terveisin',
  hu: 'üdvözlettel | szívélyes üdvözlettel | baráti üdvözlettel | meleg üdvözlettel | tisztelettel | mély tisztelettel | tisztelettel és köszönettel | üdv | köszönettel | köszönettel és üdvözlettel | köszönöm, üdvözlettel | legjobb kívánságokkal | minden jót kívánva | szeretettel | sok szeretettel | hálásan | előre is köszönöm, üdvözlettel',
  ko: '올림 | 드림 | 배상 | 이만 줄입니다 | 그럼 이만',
  other: 'з повагою | saygılarımla | cu stimă',
};

/** Phrases that may also be content: they begin a signature only if a name follows. */
export const weakClosings: Words = {
  en:
    'thanks | thank you | thank you so much | thank you very much | thanks so much | ' +
    'thanks very much | thanks a lot | thanks again | thank you again | thanks in advance | ' +
    'thank you in advance | many thanks | thanks for your help | thank you for your help | thx | ' +
    'cheers | best | love | yours | warmly | cordially | take care | talk soon | at your service | ' +
    'have a great day | have a nice day | have a good day | have a great weekend | have a nice weekend | ' +
    'have a good weekend | until then | see you soon | br | kr | ty | tia | looking forward | ' +
    'thank you for your time | ciao | bye | xx | xoxo | ta | goodbye | good bye | bye bye | bye for now | see you | see ya',
  de:
    'danke | vielen dank | besten dank | herzlichen dank | danke im voraus | vielen dank im voraus | ' +
    'danke dir | bis bald | bg | schönen tag noch | danke schön | dankeschön | danke sehr | ' +
    'mit bestem dank | danke vorab | vielen dank vorab | schönes wochenende | schönen tag | einen schönen tag | ' +
    'einen schönen tag noch | bis dann | dank und gruß | tschüss | ciao | auf wiedersehen | servus',
  fr:
    "merci | merci beaucoup | merci d'avance | merci d’avance | merci par avance | bonne journée | " +
    'à bientôt | bonne réception | bises | bonne soirée | bon week-end | bonne fin de journée | merci bien | ' +
    'merci encore | avec mes remerciements | bisous | au revoir | à plus | à plus tard | à demain',
  es:
    'gracias | un millón de gracias | buen día | que tenga un buen día | hasta pronto | feliz día | muchísimas gracias | ' +
    'muchas gracias | mil gracias | gracias de antemano | muchas gracias de antemano | adiós | salud | hasta luego | hasta mañana',
  pt:
    'obrigado | obrigada | muito obrigado | muito obrigada | obrigado desde já | grato | grata | ' +
    'obrigada desde já | desde já obrigado | desde já agradeço | bom dia | bom fim de semana | boa tarde | ' +
    'um bom dia | até breve | beijos | tenha um bom dia | adeus | até logo | até mais',
  it:
    'grazie | grazie mille | grazie in anticipo | molte grazie | a presto | ' +
    'grazie ancora | buona giornata | buona serata | buon weekend | ringrazio | resto in attesa | arrivederci | ciao',
  nl:
    'bedankt | alvast bedankt | dank je wel | dank u wel | dank | hartelijk dank | gr | ' +
    'dankjewel | dankuwel | veel dank | fijne dag | prettige dag | fijn weekend | tot snel | tot ziens | tot dan',
  pl: 'dziękuję | dzięki | dziękuję i czekam na odpowiedź | wielkie dzięki | dziękujemy | do usłyszenia | miłego weekendu | z góry dziękuję | dziękuję bardzo | miłego dnia | do widzenia | do zobaczenia',
  sv: 'tack | tackar | tack igen | ha en bra dag | trevlig helg | tusen tack | allt gott | tack så mycket | tack på förhand | stort tack | hälsar | hej då | vi hörs',
  da: 'tak | tusind tak | god dag | god weekend | fortsat god dag | mange tak | på forhånd tak | tak på forhånd | kh | vh | farvel | på gensyn',
  no: 'takk | takk igjen | ha en fin dag | god helg | tusen takk for hjelpen | tusen takk | mange takk | på forhånd takk | takk på forhånd | vh | ha det | ha det bra | vi snakkes',
  cs:
    'zdravím | děkujeme | moc děkuji | hezký víkend | mějte se hezky | děkuji | děkuju | díky | předem děkuji | mockrát děkuji | hezký den | pěkný den | ' +
    'přeji hezký den | děkuji a přeji hezký den | na shledanou | nashledanou',
  ru:
    'спасибо | спасибо большое | большое спасибо | заранее спасибо | благодарю | заранее благодарю | ' +
    'спасибо заранее | хорошего дня | благодарим | до свидания | удачи',
  zh: '谢谢你 | 多谢您 | 十分感谢 | 祝您愉快 | 辛苦了 | 再见 | 再會 | 谢谢 | 謝謝 | 多谢 | 多謝 | 感谢 | 感謝 | 谢谢您 | 非常感谢',
  ja:
    '引き続きよろしくお願いいたします | 今後ともよろしくお願いいたします | 何卒宜しくお願いいたします | 何卒宜しくお願い致します | ' +
    '以上、宜しくお願いいたします | 以上、宜しくお願い致します | お手数ですがよろしくお願いいたします | ' +
    'どうぞよろしくお願いします | 宜しくお願い申し上げます | よろしくお願い申し上げます | よろしくお願いいたします | よろしくお願い致します | よろしくお願いします | 宜しくお願いいたします | 宜しくお願い致します | 宜しくお願いします | ' +
    'どうぞよろしくお願いいたします | 何卒よろしくお願いいたします | 何卒よろしくお願い申し上げます | ありがとうございます | 以上',
  he: 'תודה | תודה רבה | תודה מראש | תודה רבה מראש | בתודה | בתודה מראש | בתודה רבה | המון תודה | תודה על העזרה | תודה ויום טוב | ברכות | כל טוב | יום טוב | יום נעים | המשך יום נעים | ערב טוב | לילה טוב | שבוע טוב | שבת שלום | סוף שבוע נעים | להתראות | ביי | שלך | שלכם | נשיקות | בהצלחה',
  ar: 'شكرا | شكراً | شكرا لك | شكراً لك | شكرا لكم | شكراً لكم | شكرا جزيلا | شكراً جزيلاً | جزيل الشكر | شكرا مقدما | شكراً مقدماً | وشكرا | وشكراً | ألف شكر | مع السلامة | إلى اللقاء | ودمتم | المخلص | يوم سعيد | نهارك سعيد | تحية طيبة | بارك الله فيك | مع تمنياتي',
  fi: 'kiitos | kiitos paljon | paljon kiitoksia | suuri kiitos | kiitos etukäteen | kiitos jo etukäteen | kiitokset | kiitos avusta | kiitti | hyvää päivänjatkoa | mukavaa päivänjatkoa | kiitos ja hyvää päivänjatkoa | hyvää viikonloppua | mukavaa viikonloppua | kaikkea hyvää | nähdään | näkemiin | moikka | heippa | hei hei | moi moi',
  hu: 'köszönöm | köszönjük | köszi | kösz | köszönöm szépen | nagyon köszönöm | köszönöm a segítséget | előre is köszönöm | előre is köszönjük | előre is köszi | szép napot | további szép napot | szép napot kívánok | további szép napot kívánok | jó hétvégét | szép hétvégét | minden jót | viszlát | viszontlátásra | szia | sziasztok | puszi',
  ko: '감사합니다 | 감사드립니다 | 고맙습니다 | 감사 | 미리 감사드립니다 | 미리 감사합니다 | 대단히 감사합니다 | 좋은 하루 되세요 | 좋은 하루 보내세요 | 즐거운 하루 되세요 | 좋은 주말 되세요 | 즐거운 주말 되세요 | 수고하세요 | 수고하십시오 | 잘 부탁드립니다 | 잘 부탁드리겠습니다 | 잘 부탁 드립니다 | 안녕히 계세요 | 안녕히 계십시오',
  other: 'дякую | teşekkürler',
};

/** Words between two closings: "Thanks and best regards". */
export const closingConjunctions: Words = {
  en: 'and',
  de: 'und',
  fr: 'et',
  es: 'y',
  pt: 'e',
  it: 'e',
  nl: 'en',
  pl: 'i | oraz',
  sv: 'och',
  da: 'og',
  no: 'og',
  cs: 'a',
  ru: 'и',
  zh: '',
  ja: '',
  he: '',
  ar: '',
  fi: 'ja | sekä',
  hu: 'és',
  ko: '',
  other: '',
};

/** Words between a closing and a place: "Viele Grüße aus Berlin". */
export const placePrepositions: Words = {
  en: 'from',
  de: 'aus | vom | von',
  fr: 'de | du | des | depuis',
  es: 'desde | de',
  pt: 'de | do | da | desde',
  it: 'da | dal | dalla',
  nl: 'uit | vanuit | van',
  pl: 'z | ze',
  sv: 'från',
  da: 'fra',
  no: 'fra',
  cs: 'z | ze',
  ru: 'из | с',
  zh: '',
  ja: '',
  he: '',
  ar: '',
  fi: '',
  hu: '',
  ko: '',
  other: '',
};

/** Thanks that close a letter if a name follows and no full stop ends them. */
export const thanksForHelp =
  /^(?:many )?thank(?:s| you)(?: again| so much| very much| a lot)?(?: in advance)? for (?:all )?(?:your|the|any) (?:kind )?(?:help|time|support|assistance|understanding|patience|cooperation|attention|consideration)$/i;
