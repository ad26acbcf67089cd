/** Owns the words of footers by language: mail apps, mailing lists and disclaimers. */
import type { Words } from './languages.ts';

/** First words of app footers. The line must also name one of `devices`. */
export const appFooterOpenings: Words = {
  en:
    'sent from | sent via | sent with | sent using | sent by | sent wirelessly | sent on | ' +
    'composed on | typed on',
  de: 'gesendet von | gesendet mit | gesendet per | versendet mit | versendet von | verschickt mit | verschickt von | gesendet über | gesendet aus | gesendet vom',
  fr:
    'envoyé de | envoyé depuis | envoyé à partir | envoyé avec | envoyé sans fil | envoyé via | ' +
    'envoyée depuis | provenance',
  es: 'enviado desde | enviada desde | enviado de | enviado con | enviado vía',
  pt:
    'enviado do | enviada do | enviado da | enviado de | enviado a partir | enviado pelo | enviado via | ' +
    'enviado com',
  it: 'inviato da | inviato dal | inviato dalla | inviata dal | inviata da | inviato con | inviato tramite',
  nl:
    'verstuurd vanaf | verzonden vanaf | verzonden vanuit | verstuurd vanuit | verstuurd met | ' +
    'verzonden met | verzonden via',
  pl: 'wysłana z | wysłane za pomocą | wysłane z | wysłane ze | wysłano z | wysłano ze | wysłane przy',
  sv: 'skickat från | skickades från | skickat med | skickat via',
  da: 'sendt fra | sendt med | sendt via',
  no: 'sendt fra | sendt med | sendt via',
  cs: 'odesláno z | odesláno ze | odesláno pomocí | odesláno přes | posláno z',
  ru: 'отправлено с | отправлено из | отправлено со | послано с | отправлено через',
  zh: '来自 | 通过 | 由我的 | 发自 | 發自 | 发送自 | 來自我的 | 来自我的 | 從我的 | 从我的 | 寄自 | 傳送自',
  ja: '',
  he: 'נשלח מ | נשלח מה | נשלח מן | נשלח מתוך | נשלח באמצעות | נשלח דרך | נשלח ממכשיר | נשלח מהמכשיר | נשלח מאייפון | נשלח מהאייפון | נשלח מטלפון | נשלח מהטלפון | נשלח מהנייד | נשלח מהסמארטפון | נשלח מאפליקציית | נשלח מסמארטפון | נשלח מגלקסי | נשלח מהגלקסי',
  ar: 'مرسل من | مُرسل من | أرسلت من | أُرسلت من | أرسل من | تم الإرسال من | تم إرسالها من | تم الإرسال بواسطة | تم الإرسال باستخدام | تم إرساله من | أرسلت بواسطة | مرسلة من',
  fi: 'lähetetty',
  hu: 'elküldve | küldve',
  ko: '',
  other: 'надіслано з | gönderildi | trimis de pe',
};

/** Devices and apps that app footers name. */
export const devices =
  'iphone | iphonu | iphonie | iphonen | ipad | ipod | blackberry | android | samsung | galaxy | ' +
  'htc | nokia | huawei | xiaomi | redmi | oneplus | pixel | motorola | sony | lenovo | windows | ' +
  'outlook | yahoo | mailbox | mailspring | proton | protonmail | gmail | aol | gmx | web.de | ' +
  'spark | superhuman | airmail | sparrow | newton | bluemail | blue mail | k-9 | tutanota | tuta | ' +
  'typeapp | wiko | telekom | mail app | mail-app | email app | polymail | canary | edison | aqua mail | aquamail | mymail | nine | front | ' +
  'missive | spike | mail for windows | correo | courrier | posta | poczta | e-post | pošty | seznam | mail orange | mail til | ' +
  'honor | oppo | vivo | realme | nothing | fairphone | alcatel | zte | lg | asus | microsoft | apple | ' +
  'application | app | apli | appareil | dispositivo | urządzenia | zařízení | enheten | enhed | enhet | gerät | ' +
  '小米 | 华为 | 華為 | 荣耀 | 三星 | 苹果 | 网易 | 邮箱大师 | 邮件应用 | 邮件 | 新浪 | 阿里 | 钉钉 | 企业微信 | ' +
  'hey | fastmail | zoho | mail.ru | яндекс | yandex | acompli | thunderbird | libero | orange | ' +
  'verizon | t-mobile | mobile | smartphone | phone | tablet | device | handy | mobiltelefon | ' +
  'mobilgerät | téléphone | portable | móvil | movil | teléfono | telefone | celular | telemóvel | ' +
  'cellulare | telefono | telefoon | mobiele | mobiel | telefonu | telefon | komórki | mobil | ' +
  'mobilen | mobilu | mobilního | телефона | смартфона | мобильного | устройства | почты | 手机 | 手機 | ' +
  '微信 | 邮箱 | qq | ' +
  'iphonesta | iphonestani | ipadista | ipadistani | androidista | puhelimesta | puhelimestani | matkapuhelimesta | älypuhelimesta | ' +
  'älypuhelimestani | laitteesta | laitteestani | tabletista | tabletistani | outlookista | sähköpostista | telefonomról | mobilomról | készülékemről | ' +
  'okostelefonomról | מכשיר | ממכשיר | מהמכשיר | מאייפון | מהאייפון | מטלפון | מהטלפון | מהנייד | מהסמארטפון | מסמארטפון | מאפליקציית | מגלקסי | ' +
  'מהגלקסי | הטלפון | הנייד | هاتف | هاتفي | الهاتف | جهازي | جهاز | جوالي | الجوال | آيفون | أندرويد | ايفون | الآيفون | بريد | تطبيق | ' +
  ' スマートフォン | スマホ | 携帯 | ios | mac';

/** App footers that do not begin with one of `appFooterOpenings`. */
export const appLines: readonly RegExp[] = [
  /^.{1,40}(?:から|よりの?)送信(?:されました|しています)?[。.]?$/u,
  /^(?:ios|android)\s?版?\s?(?:の|用)?\s?outlook\s?(?:を|for).{0,20}$/iu,
  /^outlook for (?:ios|android)\s?を(?:入手|取得).{0,10}$/iu,
  /^(?:ios|android) (?:版 )?outlook$/iu,
  /^(?:diese (?:nachricht|e-?mail|mail) wurde )?von .{2,60} (?:gesendet|versendet|geschrieben)\.?$/iu,
  /^\S.{0,30}\boutlook\b.{0,25}\s(?:for|für|pour|para|per|voor|dla|för|til|till|pro|для|на|עבור)\s.{1,30}$/iu,
  /^outlook \S{2,5} (?:ios|android|mac|windows)\b.{0,20}$/iu,
  /^(?:下载|下載|获取|取得).{0,10}outlook.{0,20}$/iu,
  /^(?:ios|android|windows|mac)용 (?:outlook|메일).{0,20}$/iu,
  /^hanki outlook\b.{0,30}$/iu,
  /^(?:az )?outlook (?:for \S{2,10} )?(?:beszerzése|letöltése)\b.{0,30}$/iu,
  /^(?:az )?(?:ios|android)(?:os)? outlook (?:beszerzése|letöltése)\b.{0,20}$/iu,
  /^(?:قم ب)?(?:احصل|الحصول|تنزيل) .{0,8}outlook\b.{0,30}$/iu,
  /^(?:get|download) (?:bluemail|typeapp|mymail|spark|edison mail|aqua mail|canary) for (?:android|ios|iphone|mac|mobile|desktop)$/iu,
  /^(?:von|vom) (?:meinem|meiner|mein) .{2,40} (?:gesendet|versendet|aus gesendet)\.?$/iu,
  /^von .{2,25}[- ](?:tablet|smartphone|handy|mobile|galaxy|iphone|ipad) (?:aus )?(?:gesendet|versendet)\.?$/iu,
  /^(?:私の)?.{1,30}(?:アプリ|メール)?から送信$/u,
  /^powered by (?:cloudmagic|newton|mailbird|polymail)\b.{0,40}$/iu,
  /^(?:please )?(?:excuse|pardon|forgive) (?:my|the|any) (?:brevity|typos|typing|terseness).{0,30}$/iu,
  /^via (?:mobile|my phone|iphone|ipad|android)$/iu,
  /^virus-free\.? ?(?:www\.)?\S*$/iu,
  /^(?:virenfrei|sin virus|garanti sans virus|livre de vírus|privo di virus|virusvrij)\.? ?(?:www\.)?\S*$/iu,
];

/** App footers that end in one of `appEndings`. */
export const appLinesByEnd: readonly RegExp[] = [
  /^.{1,40}에서 (?:보냄|보냈습니다|보낸 메일입니다|보낸 메일|전송됨|발송됨)[.!]?$/u,
  /^.{0,15}(?:iphone|ipad|android|samsung|galaxy|telefon|mobil|készülék|outlook|yahoo|gmail).{0,25} (?:el)?küldve[.!]?$/iu,
];

/** Last words of the lines of `appLinesByEnd`. */
export const appEndings = /(?:küldve|보냄|보냈습니다|메일입니다|보낸 메일|전송됨|발송됨)[.!]?$/iu;

/** First lines of footers of mailing lists, issue trackers and help desks. */
export const listFooters: readonly RegExp[] = [
  /^you (?:received|are receiving) this (?:message|e-?mail|because)/iu,
  /^to unsubscribe from this (?:group|list|thread)/iu,
  /^(?:reply to this e-?mail directly|view it on github|—\s*reply to this e-?mail)/iu,
  /^\S.{0,60}\bmailing list\b.{0,60}$/iu,
  /^(?:unsubscribe|abmelden|se désinscrire|darse de baja|отписаться|退订)\s?[:|<(]?\s?<?https?:\S*/iu,
  /^(?:please )?(?:consider|think of) the environment before printing/iu,
  /^p? ?(?:please )?consider the environment/iu,
];

/** Warnings that mail gateways put above mail from outside; each needs one of `bannerAdvice`, too. */
export const bannerOrigins: readonly RegExp[] = [
  /\bth(?:is|e) (?:e-?mail|message)\b.{0,40}\bfrom\b.{0,20}\b(?:external|outside)\b/iu,
  /\b(?:external (?:e-?mail|sender|message)|\[external\])\s?[:!.–—-]/iu,
  /\bdiese (?:e-?mail|mail|nachricht)\b.{0,40}\b(?:extern|außerhalb)/iu,
  /\bce(?:t|tte)? (?:e-?mail|courriel|message)\b.{0,60}(?:externe|extérieur|hors de)/iu,
  /\beste (?:correo|mensaje|e-?mail)\b.{0,60}\b(?:extern[oa]|fuera de)\b/iu,
  /\best[ea] (?:e-?mail|mensagem)\b.{0,60}\b(?:extern[oa]|fora d[ao])\b/iu,
  /\bquest[oa] (?:e-?mail|messaggio)\b.{0,60}\b(?:estern[oa]|al di fuori)\b/iu,
  /\bd(?:it|eze?) (?:e-?mail|bericht)\b.{0,60}\b(?:extern|buiten)/iu,
  /(?:ta wiadomość|ten e-?mail|wiadomość e-?mail).{0,60}(?:spoza|zewnętrzn|z zewnątrz)/iu,
  /(?:detta (?:e-?post\S*|mejl\S*|mail\S*|meddelande)|e-postmeddelandet).{0,60}(?:extern|utanför|utifrån)/iu,
  /denne (?:e-?mail|mail|meddelelse|besked).{0,60}(?:ekstern|uden for|udefra)/iu,
  /denne (?:e-?post\S*|melding\S*).{0,60}(?:ekstern|utenfor|utenfra)/iu,
  /(?:tato zpráva|tento e-?mail).{0,60}(?:extern|mimo|zvenčí|vnějš)/iu,
  /(?:это|данное|эта) (?:письмо|сообщение|почта).{0,60}(?:внешн|извне|за пределами|вне организации)/iu,
  /(?:此|本|这|該|该)(?:封)?(?:电子)?(?:邮件|電子郵件|郵件).{0,30}(?:外部|组织外|組織外)/u,
  /(?:この|本)(?:電子)?(?:メール|メッセージ).{0,40}(?:外部|社外|組織外)/u,
  /(?:הודעה זו|דוא"ל זה|מייל זה|דואר זה).{0,60}(?:חיצוני|מחוץ לארגון)/u,
  /(?:هذه الرسالة|هذا البريد).{0,60}(?:خارج|خارجي)/u,
  /tämä (?:viesti|sähköposti\S*).{0,60}(?:ulkopuol|ulkoi)/iu,
  /ez (?:az )?(?:e-?mail|üzenet|levél).{0,60}(?:külső|kívül)/iu,
  /(?:이|본) (?:이?메일|메시지|전자우편).{0,40}(?:외부)/u,
];

/** What such a warning advises. */
export const bannerAdvice =
  /\b(?:(?:do not|don.t|never|unless|before|be careful|avoid) .{0,40}\b(?:click|link|attachment|open|reply|respond)|(?:exercise|use) caution|klicken|anhänge|cliqu|pièces? jointes?|enlaces|adjuntos|ligações|anexos|allegati|klik|bijlage)|załącznik|odnośnik|bilag|bifog|länk|lenke|vedlegg|vedhæft|příloh|odkaz|вложени|ссылк|附件|链接|連結|鏈接|添付|リンク|קישור|קבצים|روابط|الروابط|مرفقات|المرفقات|linkkej|linkki|liit(?:e|tei)|mellékl|hivatkoz|첨부|링크/iu;

/** Lines of a warning that say nothing else: "[EXTERNAL]", "External sender". */
export const bannerMarks =
  /^(?:(?:[[({<*!\s]|⚠|\ufe0f){1,4}(?:external|externe?r?|externo|externa|esterno|zewnętrzny|ekstern|externí|внешн\S+|外部|חיצוני|خارجي|ulkoinen|külső|외부)(?:[\s-]{1,2}(?:e-?mail|sender|message|mail|absender|expéditeur|mittente|remitente|afzender|邮件|メール|메일))?[\])}>*!\s]{1,4}[:.!]?|external (?:e-?mail|sender|message)[:.!]?)$/iu;

/** Exchange: "You don't often get email from ann@a.example. Learn why this is important". */
export const rareSenderTips: readonly RegExp[] = [
  /^(?:you|some people who received this message) don.t often get e-?mail from /iu,
  /^sie (?:erhalten|bekommen) (?:nicht (?:oft|häufig)|selten) (?:eine )?e-?mails? von /iu,
  /^vous (?:n.obtenez|ne recevez) pas souvent (?:d.e-?mails?|d’e-?mails?|de courriers?|un courriel)/iu,
  /^no suele(?:s)? recibir correos? electrónicos? (?:de|desde) /iu,
  /^(?:você )?não costuma receber e-?mails? de /iu,
  /^non (?:si ricevono|ricevi|riceve) spesso .{0,30}(?:posta elettronica|e-?mail) da /iu,
  /^u (?:ontvangt|krijgt) niet vaak (?:een )?e-?mail(?:berichten)? van /iu,
  /^nie(?:często| otrzymujesz często| otrzymujesz zbyt często) .{0,40}(?:wiadomości|e-?mail)/iu,
  /^du får (?:inte|ikke) (?:ofta|ofte) (?:e-?post|e-?mails?|mails?|mejl)\S{0,12} fr[åa]n? /iu,
  /^(?:nedostáváte|z adresy) .{0,40}(?:často|e-?mail)/iu,
  /^вы (?:нечасто|редко) получаете .{0,30}(?:письма|почту|сообщения) от /iu,
  /^(?:你|您)(?:通常)?(?:不|很少)(?:经常|常|會|会)?收到来自 ?/u,
  /^et saa usein sähköpostia /iu,
  /^nem gyakran kap e-?mailt /iu,
  /^אינך מקבל /u,
  /^(?:لا|نادرا ما) تتلقى /u,
  /^\S{3,80}(?:에서|으로부터|님으로부터) .{0,10}(?:메일|전자 메일|이메일)을 자주 받지/u,
  /^\S{3,80} からのメールを受け取ることはあまりありません/u,
];

/** The page that these tips link to, and their second sentence. */
export const rareSenderLinks = /aka\.ms\/LearnAboutSenderIdentification|learn why this is important/iu;

/** Sentences that follow in a warning. */
export const bannerSequels =
  /\b(?:report|phish|suspicious|help ?desk|service desk|it support|safe|recogni[sz]e the sender|know the content|verdächtig|hameçonnage|suspect|sospechos|suspeit|sospett|verdacht)/iu;

/** Subjects of disclaimers. A disclaimer also needs one reason or two hints. */
export const disclaimerSubjects: Words = {
  en:
    'this e-mail | this email | this message | this communication | this transmission | ' +
    'the information contained | the information in this | the contents of this | ' +
    'confidentiality notice | disclaimer | if you are not the intended | if you have received this',
  de:
    'diese e-mail | diese email | diese mail | diese nachricht | der inhalt dieser | die in dieser | ' +
    'wenn sie nicht der richtige | vertraulichkeitshinweis',
  fr:
    'ce message | cet e-mail | ce courriel | ce courrier | cet email | le contenu de ce | ' +
    'les informations contenues | avis de confidentialité',
  es:
    'este mensaje | este correo | este e-mail | la información contenida | el contenido de este | ' +
    'aviso de confidencialidad | aviso legal',
  pt:
    'esta mensagem | este e-mail | este email | o conteúdo desta | o conteúdo deste | ' +
    'as informações contidas | aviso de confidencialidade | aviso legal',
  it:
    'questo messaggio | questa e-mail | questa email | il contenuto di questo | ' +
    'le informazioni contenute | il presente messaggio | avviso di riservatezza',
  nl:
    'dit bericht | deze e-mail | deze email | dit e-mailbericht | de informatie in deze | ' +
    'de inhoud van dit | de inhoud van deze',
  pl:
    'niniejsza wiadomość | ta wiadomość | treść tej wiadomości | informacje zawarte | ten e-mail | ' +
    'niniejszy e-mail',
  sv: 'detta meddelande | detta e-postmeddelande | detta mail | informationen i detta | denna e-post',
  da:
    'denne e-mail | denne mail | denne meddelelse | denne besked | indholdet af denne | ' +
    'oplysningerne i denne',
  no:
    'denne e-posten | denne eposten | denne meldingen | denne e-post | innholdet i denne | ' +
    'informasjonen i denne',
  cs: 'tato zpráva | tento e-mail | tento email | obsah této | informace obsažené | tato e-mailová',
  ru:
    'данное сообщение | это сообщение | настоящее сообщение | данное письмо | это письмо | ' +
    'данное электронное | информация, содержащаяся | содержание данного',
  zh: '本邮件 | 本電子郵件 | 本电子邮件 | 此邮件 | 此電子郵件 | 本郵件 | 本信息 | 免责声明 | 免責聲明',
  ja: '本メール | このメール | 本電子メール | この電子メール',
  he: 'הודעה זו | הודעת דואר | דואר אלקטרוני זה | דוא"ל זה | מסר זה | המידע הכלול | תוכן הודעה',
  ar: 'هذه الرسالة | هذا البريد | محتوى هذه | محتويات هذه | المعلومات الواردة | إخلاء مسؤولية',
  fi: 'tämä viesti | tämä sähköposti | tämän viestin | tämän sähköpostin | viestin sisältö',
  hu: 'ez az üzenet | ez az e-mail | jelen üzenet | jelen e-mail | az üzenet tartalma | az e-mail tartalma | ezen üzenet | ez a levél',
  ko: '본 메일 | 이 메일 | 본 이메일 | 이 이메일 | 본 전자우편 | 이 메시지 | 본 메시지',
  other: 'це повідомлення | bu e-posta',
};

/** Words that make a sentence with a disclaimer subject a disclaimer. */
export const disclaimerReasons: Words = {
  en:
    'confidential | privileged | intended solely | intended only | intended recipient | ' +
    'intended for the use | intended for the addressee | intended for the named | ' +
    'intended for the person | intended for the individual | scanned for viruses | virus-free',
  de:
    'vertraulich | rechtlich geschützt | ausschließlich für den | ausschliesslich für den | ' +
    'richtige adressat | irrtümlich erhalten',
  fr: 'confidentiel | usage exclusif',
  es: 'confidencial',
  pt: 'confidencia',
  it: 'riservat | confidenzial',
  nl: 'vertrouwelijk | uitsluitend bestemd',
  pl: 'poufn',
  sv: 'konfidentiell | sekretess',
  da: 'fortrolig',
  no: 'konfidensiell | fortrolig',
  cs: 'důvěrn',
  ru: 'конфиденциальн',
  zh: '保密 | 机密 | 機密',
  ja: '機密 | 秘密',
  he: 'סודי | חסוי',
  ar: 'سرية',
  fi: 'luottamukselli',
  hu: 'bizalmas',
  ko: '기밀 | 비밀',
  other: 'конфіденційн | gizli',
};

/** Words of which a disclaimer without a reason has at least two. */
export const disclaimerHints: Words = {
  en: 'received this | in error | by mistake | delete it | delete this | disclosure | unauthorized | unauthorised',
  de: 'unbefugte | vernichten | löschen | adressat | empfänger',
  fr: 'exclusivement | destinataire | par erreur | privilégi',
  es: 'exclusivamente | destinatario | por error | privilegiad',
  pt: 'exclusivamente | destinatári | por engano | por erro | privilegiad',
  it: 'esclusivamente | destinatari | per errore',
  nl: 'geadresseerde | abusievelijk | verwijder',
  pl: 'wyłącznie | adresat | omyłkowo',
  sv: 'avsedd endast | endast avsett | avsedda mottagar | av misstag | radera',
  da: 'udelukkende | rette modtager | tiltænkt | ved en fejl | slet',
  no: 'utelukkende | kun beregnet | rette mottaker | ved en feil | slett',
  cs: 'výhradně | určen pouze | adresát | omylem',
  ru: 'исключительно | предназначен | адресат | по ошибке',
  zh: '收件人 | 未经授权 | 仅供 | 错收 | 删除',
  ja: '受信者 | 宛先 | 削除 | 誤って',
  he: 'בטעות | הנמען | נמען | מיועד | למחוק',
  ar: 'بطريق الخطأ | عن طريق الخطأ | المستلم | المرسل إليه | حذف | المقصود',
  fi: 'vastaanottaja | erehdyksessä | vahingossa | poista',
  hu: 'címzett | tévedésből | törölje | kizárólag',
  ko: '수신인 | 수신자 | 잘못 | 삭제',
  other: 'помилков',
};

/** What companies must say of themselves in their letters (HGB 35a, Companies Act 2006 s. 82): each a different thing. */
export const registrations: readonly RegExp[] = [
  /(?<!\p{L})(?:hr[ab]|fn|rcs|siren|siret|krs|regon|ičo?|kvk|org\.?\s?nr|cvr|rea|огрн)(?!\p{L})\D{0,25}\d/iu,
  /(?<!\p{L})(?:ust-?\s?id|uid|vat|tva|p\.?\s?iva|partita iva|nip|nif|cif|cnpj|dič|btw|mva|adószám|инн)(?!\p{L})\D{0,25}\d/iu,
  /(?<!\p{L})(?:sitz|siège social|sede (?:legale|social)|registered office|statutaire zetel|siedziba|sídlo|székhely)(?!\p{L})/iu,
  /(?<!\p{L})(?:amtsgericht|registergericht|handelsregister|firmenbuch|sąd rejonowy|registro mercantil|registered in|company (?:no|number)|cégbíróság)(?!\p{L})/iu,
  /(?<!\p{L})(?:geschäftsführ\p{L}{2,10}|vorstand|aufsichtsrat\p{L}{0,12}|gérante?|managing directors?|zarząd|jednatel)\s?:/iu,
  /(?<!\p{L})(?:au capital de|capital social|kapitał zakładowy|share capital)(?!\p{L})/iu,
];

/** Second sentences of app footers. */
export const apologies: readonly RegExp[] = [
  /^(?:please )?(?:excuse|pardon|forgive|sorry)\b.{0,60}$/iu,
  /^bitte entschuldigen sie (?:die|meine) kürze\b.{0,20}$/iu,
  /^(?:veuillez|merci d.|prière d.)\s?(?:excuser|pardonner)\b.{0,40}$/iu,
  /^(?:por favor,? )?(?:disculp|excus|perdon)\S{1,4}\b.{0,40}$/iu,
  /^(?:por favor,? )?desculp\S{1,4}\b.{0,40}$/iu,
  /^(?:mi )?scus\S{1,4}\b.{0,40}$/iu,
  /^(?:excuseer|mijn excuses|excuses)\b.{0,40}$/iu,
  /^(?:proszę wybaczyć|przepraszam za)\s.{0,40}$/iu,
  /^(?:ursäkta|undskyld|unnskyld|beklager|omluvte|prosím omluvte|извините|прошу извинить|пожалуйста,? извините)\s.{0,40}$/iu,
];

/** Headings of disclaimers, on a line of their own. */
export const disclaimerHeadings: Words = {
  en:
    'disclaimer | e-mail disclaimer | email disclaimer | confidentiality | confidentiality notice | ' +
    'confidentiality note | confidentiality statement | legal notice | legal disclaimer | notice | ' +
    'important notice | important | confidential | privacy notice | notice of confidentiality',
  de:
    'vertraulichkeitshinweis | hinweis | rechtlicher hinweis | wichtiger hinweis | haftungsausschluss | ' +
    'vertraulichkeit | disclaimer | wichtig',
  fr: 'avis de confidentialité | confidentialité | avertissement | avis | clause de confidentialité | mentions légales',
  es: 'aviso legal | aviso de confidencialidad | confidencialidad | aviso | cláusula de confidencialidad',
  pt: 'aviso legal | aviso de confidencialidade | confidencialidade | aviso',
  it: 'avviso di riservatezza | riservatezza | avvertenza | avviso legale | nota di riservatezza',
  nl: 'disclaimer | vertrouwelijkheid | vertrouwelijkheidsclausule | juridische mededeling',
  pl: 'klauzula poufności | klauzula o poufności | zastrzeżenie | poufność | nota prawna',
  sv: 'sekretess | ansvarsfriskrivning | konfidentiellt',
  da: 'fortrolighed | ansvarsfraskrivelse | fortrolighedsmeddelelse',
  no: 'konfidensialitet | ansvarsfraskrivelse | konfidensielt',
  cs: 'upozornění | důvěrnost | prohlášení o důvěrnosti | právní upozornění',
  ru: 'конфиденциальность | уведомление о конфиденциальности | отказ от ответственности',
  zh: '免责声明 | 免責聲明 | 保密声明 | 保密提示 | 重要提示',
  ja: '免責事項 | 機密保持 | 守秘義務について | ご注意',
  he: 'הודעת סודיות | סודיות | כתב ויתור',
  ar: 'إخلاء مسؤولية | إخلاء المسؤولية | إشعار السرية',
  fi: 'luottamuksellisuus | vastuuvapauslauseke | luottamuksellinen',
  hu: 'jogi nyilatkozat | titoktartási nyilatkozat | felelősségkizárás',
  ko: '면책조항 | 면책 조항 | 비밀유지',
  other: '',
};
