/** Owns the words by which sentences and requests are told from names, titles and addresses, by language. */
import type { Words } from './languages.ts';

/** Words of requests: a line with one of them is a sentence. */
export const requestWords: Words = {
  en: 'please | pls | plz | kindly | could you | can you | would you | will you | let me know | i need | i want | i would | asap | call me',
  de: 'bitte | bitten | könnten sie | können sie | kannst du | könntest du | ich brauche | ich möchte | geben sie | schicken sie | melden sie',
  fr: "veuillez | merci de | s'il vous plaît | s’il vous plaît | s'il te plaît | svp | stp | pouvez-vous | pourriez-vous | je voudrais | j'aimerais | j’aimerais | je souhaite",
  es: 'por favor | pueden | puede usted | podrían | podría | quisiera | necesito | quiero | envíen | le ruego',
  pt: 'por favor | podem | poderia | poderiam | gostaria | preciso | quero | peço | agradeço que | favor enviar',
  it: 'per favore | per piacere | prego di | vi prego | la prego | potete | potrebbe | potreste | vorrei | ho bisogno',
  nl: 'alstublieft | aub | a.u.b. | graag | kunt u | kun je | wilt u | zou u | ik wil | gelieve',
  pl: 'proszę | prosimy | poproszę | czy mogą | czy może | chciałbym | chciałabym | potrzebuję',
  sv: 'vänligen | snälla | kan ni | kan du | skulle ni | jag vill | jag behöver | var god',
  da: 'venligst | vær venlig | vær så | kan i | kan du | jeg vil | jeg skal | må jeg',
  no: 'vennligst | vær så snill | kan dere | kan du | jeg vil | jeg trenger | jeg ønsker',
  cs: 'prosím | prosíme | můžete | mohli byste | mohl byste | chtěl bych | chtěla bych | potřebuji',
  ru: 'пожалуйста | прошу | просим | можете | могли бы | я хочу | мне нужно | хотел бы | хотела бы',
  zh: '请 | 請 | 麻烦 | 麻煩 | 能否 | 可以 | 我想 | 我要 | 需要 | 取消 | 退款 | 退货 | 收到 | 不要',
  ja: 'ください | 下さい | お願いできますか | いただけます | ましょうか | 希望します | たいです | ませんか | キャンセル',
  other: '',
};

/** Pronouns and verbs that names, titles and addresses lack: with three more words, a line is a sentence. */
export const sentenceWords: Words = {
  en: "i | i'm | i’m | i've | i’ve | i'll | i’ll | you | we | they | it | my | your | our | is | are | was | were | have | has | had | will | would | can | cannot | can't | don't | don’t | do | does | did | should | must | if | when | because | but | not | that | this",
  de: 'ich | wir | ihr | mein | meine | meinen | meiner | mir | mich | uns | ist | sind | war | habe | haben | hat | wird | werden | kann | können | muss | soll | nicht | wenn | weil | dass | aber | noch | auch | sie',
  fr: "je | j'ai | j’ai | tu | nous | vous | est | sont | était | avons | avez | sera | peut | dois | pas | parce | mais | que | qui",
  es: 'yo | número es | teléfono es | nombre es | dirección es | está | están | estoy | tengo | hemos | será | puede | debo | porque | pero | que',
  pt: 'eu | meu | minha | está | estão | estou | tenho | temos | será | pode | devo | não | porque | mas | que',
  it: 'io | mio | mia | è | sono | ho | abbiamo | sarà | può | devo | non | perché | che',
  nl: 'ik | jij | je | wij | we | mijn | ons | is | zijn | was | heb | hebben | heeft | wordt | kan | moet | niet | als | omdat | maar | ook | dat',
  pl: 'ja | mnie | mój | moja | moje | jest | są | był | mam | mamy | będzie | może | muszę | nie | ponieważ | ale | że | jeśli',
  sv: 'jag | vi | ni | mitt | mina | oss | är | var | har | kommer | kan | måste | inte | eftersom | att',
  da: 'jeg | vi | mit | mine | er | var | har | kommer | kan | skal | ikke | fordi | hvis',
  no: 'jeg | vi | mitt | mine | oss | er | var | har | kommer | kan | må | ikke | fordi | hvis',
  cs: 'já | mě | můj | moje | nám | je | jsou | byl | mám | máme | bude | může | musím | není | protože | ale | že | pokud',
  ru: 'я | мне | мой | моя | мы | нас | нам | это | есть | был | была | будет | могу | может | нужно | не | потому | но | что | если',
  zh: '',
  ja: '',
  other: '',
};

/** Words that announce contact data as content: "the new address is", "call me at". */
export const contactCues: Words = {
  en: 'address | addresses | deliver | delivery | ship | shipping | send it to | send to | phone | telephone | number | contact | reach | e-mail | email | details | name | invoice to | bill to | attention | data',
  de: 'adresse | anschrift | lieferadresse | lieferung | liefern | senden | schicken | telefonnummer | nummer | kontakt | erreichen | erreichbar | e-mail | mail | daten | name | rechnung an',
  fr: 'adresse | livrer | livraison | envoyer | téléphone | numéro | contact | coordonnées | joindre | e-mail | mail | courriel | nom | données',
  es: 'dirección | enviar | entregar | entrega | teléfono | número | contacto | correo | datos | nombre',
  pt: 'morada | endereço | enviar | entregar | entrega | telefone | número | contato | contacto | e-mail | email | dados | nome',
  it: 'indirizzo | consegna | consegnare | spedire | inviare | telefono | numero | contatto | contatti | e-mail | mail | dati | nome',
  nl: 'adres | afleveradres | bezorgen | sturen | telefoonnummer | nummer | contact | gegevens | e-mail | mail | naam',
  pl: 'adres | adresem | adresu | dostawy | wysłać | telefon | telefonu | numer | kontakt | dane | e-mail | mail | nazwisko',
  sv: 'adress | adressen | leveransadress | leveransadressen | leverera | skicka | telefon | nummer | telefonnummer | kontakt | uppgifter | e-post | mejl | namn',
  da: 'adresse | adressen | leveringsadresse | leveringsadressen | levere | sende | telefon | nummer | telefonnummer | kontakt | oplysninger | e-mail | mail | navn',
  no: 'adresse | adressen | leveringsadresse | leveringsadressen | levere | sende | telefon | nummer | telefonnummer | kontakt | opplysninger | e-post | navn',
  cs: 'adresa | adresu | adrese | doručit | doručovací | poslat | telefon | číslo | kontakt | údaje | e-mail | mail | jméno',
  ru: 'адрес | адресу | доставки | доставить | отправить | телефон | телефону | номер | контакт | контакты | данные | почта | имя',
  zh: '地址 | 送货 | 寄到 | 电话 | 電話 | 号码 | 联系 | 聯絡 | 邮箱 | 姓名 | 资料',
  ja: '住所 | 配送先 | 送付先 | お届け先 | 電話番号 | 番号 | 連絡先 | メールアドレス | 氏名 | 名前',
  other: '',
};

/** Words by which companies speak of themselves. */
export const companyWords: Words = {
  en: 'we | our | us',
  de: 'wir | unser | unsere | unserem | uns',
  fr: 'nous | notre | nos',
  es: 'nosotros | nuestro | nuestra | nuestros',
  pt: 'nós | nosso | nossa | nossos',
  it: 'noi | nostro | nostra | nostri',
  nl: 'wij | we | onze | ons',
  pl: 'nasz | nasza | nasze',
  sv: 'vi | vår | vårt | våra',
  da: 'vi | vores',
  no: 'vi | vår | våre',
  cs: 'naše | náš | naší',
  ru: 'мы | наш | наша | наши',
  zh: '我们 | 我們',
  ja: '弊社 | 当社',
  other: '',
};
