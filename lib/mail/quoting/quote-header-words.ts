/** Owns the words of quote headers by language: attributions, header labels and dividers. */
import type { Words } from './languages.ts';

/** First words of attributions: "On Mon, 12 Mar 2024 …". Attributions may also begin with a weekday, number or name. */
export const attributionOpenings: Words = {
  en: 'on | at | sent',
  de: 'am | den',
  fr: 'le',
  es: 'el | en | con fecha',
  pt: 'em | no dia | a | na | no',
  it: 'il | il giorno | in data',
  nl: 'op',
  pl: 'w dniu | dnia | w | we | wiadomość napisana przez',
  sv: 'den | på',
  da: 'den | d. | på',
  no: 'den | på',
  cs: 'dne | v | ve',
  ru: 'в',
  zh: '在 | 于 | 於',
  ja: '',
  other: 'в | joo',
};

/** Verbs of attributions: "… wrote". */
export const attributionVerbs: Words = {
  en: 'wrote | writes | sent',
  de: 'schrieb | schrieben | schreibt | geschrieben | folgendes geschrieben',
  fr: 'a écrit | ecrit | écrivait | a ecrit',
  es: 'escribió | escribio | ha escrito | escribe',
  pt: 'escreveu | escreve',
  it: 'ha scritto | scrive | scrisse',
  nl: 'schreef | het volgende geschreven | heeft geschreven | geschreven',
  pl: 'napisał | napisała | napisał(a) | napisał/a | pisze | napisana',
  sv: 'skrev | skrev följande | följande',
  da: 'skrev | skrev følgende',
  no: 'skrev | skrev følgende',
  cs: 'napsal | napsala | napsal(a) | napsal/a | píše',
  ru: 'написал | написала | написал(а) | писал | писал(а) | пишет',
  zh: '写道 | 寫道 | 写到 | 寫到 | 来信 | 來信 | 写了 | 撰写',
  ja: 'のメール | のメッセージ | 書きました | 書き込み | wrote',
  other: 'kirjoitti | написав | пише | yazdı | a scris | írta | 작성 | έγραψε',
};

/** The field that a label of a header block names. */
export type HeaderField = 'from' | 'date' | 'to' | 'copy' | 'subject' | 'other';

/** Labels of header blocks: "From: … Sent: … To: … Subject: …". */
export const headerLabels: Readonly<Record<HeaderField, Words>> = {
  from: {
    en: 'from',
    de: 'von | absender',
    fr: 'de | expéditeur | de la part de',
    es: 'de | remitente',
    pt: 'de | remetente',
    it: 'da | mittente',
    nl: 'van | afzender',
    pl: 'od | nadawca',
    sv: 'från | avsändare',
    da: 'fra | afsender',
    no: 'fra | avsender',
    cs: 'od | odesílatel',
    ru: 'от | от кого | отправитель',
    zh: '发件人 | 寄件者 | 寄件人 | 寄信人',
    ja: '差出人 | 送信者 | 送信元 | から',
    other: 'lähettäjä | від | kimden | gönderen | de la | feladó | 보낸 사람 | από',
  },
  date: {
    en: 'sent | date | sent on | sent at | date sent',
    de: 'gesendet | datum | gesendet am | gesendet um',
    fr: "envoyé | date | envoyé le | date d’envoi | date d'envoi",
    es: 'enviado | enviado el | fecha | enviada el | enviado em',
    pt: 'enviado | enviada | enviada em | enviado em | data | data de envio',
    it: 'inviato | data | data invio | inviata',
    nl: 'verzonden | datum | verzonden op | verstuurd',
    pl: 'wysłano | wysłane | data | data wysłania',
    sv: 'skickat | datum | skickades',
    da: 'sendt | dato',
    no: 'sendt | dato',
    cs: 'odesláno | datum | posláno',
    ru: 'отправлено | дата | отправлен | дата отправки',
    zh: '发送时间 | 发送日期 | 日期 | 时间 | 時間 | 寄件日期 | 傳送時間 | 寄送日期',
    ja: '送信日時 | 日時 | 日付 | 送信日',
    other: 'lähetetty | päivämäärä | надіслано | gönderildi | tarih | trimis | elküldve | 보낸 날짜',
  },
  to: {
    en: 'to',
    de: 'an | empfänger',
    fr: 'à | a | destinataire | pour',
    es: 'para | a | destinatario',
    pt: 'para | destinatário',
    it: 'a | destinatario',
    nl: 'aan',
    pl: 'do | adresat',
    sv: 'till',
    da: 'til',
    no: 'til',
    cs: 'komu | pro | příjemce',
    ru: 'кому | получатель',
    zh: '收件人 | 收件者 | 收信人',
    ja: '宛先 | 受信者',
    other: 'vastaanottaja | кому | kime | către | címzett | 받는 사람 | προς',
  },
  copy: {
    en: 'cc | bcc',
    de: 'kopie | cc',
    fr: 'copie | copie à | cci',
    es: 'copia | cco',
    pt: 'cópia | cco | com cópia',
    it: 'ccn | copia | p.c.',
    nl: 'kopie | bcc',
    pl: 'dw | udw | kopia',
    sv: 'kopia',
    da: 'kopi',
    no: 'kopi',
    cs: 'kopie',
    ru: 'копия | в копии',
    zh: '抄送 | 副本 | 密送',
    ja: '写し',
    other: 'kopio | копія | bilgi | 참조',
  },
  subject: {
    en: 'subject',
    de: 'betreff',
    fr: 'objet | sujet',
    es: 'asunto',
    pt: 'assunto',
    it: 'oggetto',
    nl: 'onderwerp',
    pl: 'temat',
    sv: 'ämne',
    da: 'emne',
    no: 'emne',
    cs: 'předmět | věc',
    ru: 'тема',
    zh: '主题 | 主題 | 主旨',
    ja: '件名',
    other: 'aihe | konu | subiect | tárgy | 제목 | θέμα',
  },
  other: {
    en: 'reply-to | reply to | importance | attachments | organization | on behalf of',
    de: 'antwort an | priorität | wichtigkeit | anlagen | anhänge',
    fr: 'répondre à | importance | pièces jointes | pièce jointe',
    es: 'responder a | importancia | adjuntos | datos adjuntos',
    pt: 'responder a | importância | anexos',
    it: 'rispondi a | priorità | allegati',
    nl: 'antwoord aan | prioriteit | bijlagen | urgentie',
    pl: 'odpowiedz do | ważność | załączniki',
    sv: 'svara till | prioritet | bilagor | svar till',
    da: 'svar til | prioritet | vedhæftede filer',
    no: 'svar til | prioritet | vedlegg',
    cs: 'odpovědět | důležitost | přílohy',
    ru: 'ответить | важность | вложения',
    zh: '回复 | 重要性 | 附件',
    ja: '返信先 | 重要度 | 添付ファイル',
    other: 'vastausosoite',
  },
};

/** Phrases between dashes: "-----Original Message-----", "---------- Forwarded message ---------". */
export const dividerPhrases: Words = {
  en:
    'original message | forwarded message | fwd message | reply message | forwarded mail | forwarded e-mail | forwarded email | original appointment | original email | ' +
    'original e-mail',
  de:
    'ursprüngliche nachricht | ursprüngliche e-mail | weitergeleitete e-mail | weitergeleitete email | ursprüngliche mail | originalnachricht | original-nachricht | ' +
    'original nachricht | weitergeleitete nachricht | weitergeleitete mail | antwort nachricht | ' +
    'originalmeldung | original-mail',
  fr:
    "message d'origine | message d’origine | message original | message initial | " +
    "message transmis | message réacheminé | message transféré | message réexpédié | courriel original | e-mail d'origine | e-mail d’origine",
  es: 'mensaje original | mensaje reenviado | mensaje de origen | correo reenviado | correo original | mensaje enviado',
  pt: 'mensagem original | e-mail original | mensagem encaminhada | mensagem reencaminhada | mensagem de origem',
  it: 'messaggio originale | messaggio di origine | e-mail originale | messaggio inoltrato | messaggio originario',
  nl: 'oorspronkelijk bericht | oorspronkelijke e-mail | doorgestuurde e-mail | oorspronkelijke bericht | origineel bericht | doorgestuurd bericht',
  pl:
    'oryginalna wiadomość | przesłana wiadomość | przekazywana wiadomość | wiadomość przekazana | ' +
    'wiadomość oryginalna | wiadomość oryginałna | przekazana wiadomość | ' +
    'wiadomość przekazana dalej | wiadomość przesłana dalej | treść przekazanej wiadomości | przesłana dalej wiadomość',
  sv:
    'ursprungligt meddelande | vidarebefordrat mejl | ursprungligt mejl | vidarebefordrat e-postmeddelande | originalmeddelande | vidarebefordrat meddelande | ' +
    'vidarebefordrat mail | vidarebefordrat brev | ursprungligt mail',
  da:
    'oprindelig meddelelse | oprindelig e-mail | videresendt mail | videresendt e-mail | original meddelelse | oprindelig besked | oprindelig mail | ' +
    'videresendt meddelelse | videresendt besked',
  no:
    'opprinnelig melding | opprinnelig e-postmelding | opprinnelig beskjed | videresendt mail | original melding | opprinnelig e-post | videresendt melding | ' +
    'videresendt e-post',
  cs: 'původní zpráva | původní email | přeposlaný e-mail | přeposlaný email | přeposílaná zpráva | originální zpráva | přeposlaná zpráva | předaná zpráva | původní e-mail',
  ru:
    'исходное сообщение | пересылаемое письмо | пересланное письмо | оригинал сообщения | оригинальное сообщение | пересылаемое сообщение | пересланное сообщение | ' +
    'переадресованное сообщение | перенаправленное сообщение | исходное письмо',
  zh:
    '转发的消息 | 转发的郵件 | 轉寄的信件 | 轉寄訊息 | 原始消息 | 原始信件 | 原始邮件 | 原邮件 | 原始郵件 | 原始信息 | 原始訊息 | 回复的原邮件 | 回复的邮件 | 转发的邮件 | 转发邮件 | 转发信息 | 转发邮件信息 | 轉寄郵件 | ' +
    '轉寄的郵件 | 已轉寄的郵件',
  ja: '転送された電子メール | 転送されたメール | 元の電子メール | 元のメッセージ | オリジナルメッセージ | オリジナル メッセージ | 元のメール | 転送メッセージ | メッセージを転送 | 転送されたメッセージ | 転送メール',
  other: 'alkuperäinen viesti | välitetty viesti | оригінальне повідомлення | özgün ileti | mesaj original',
};

/** Headings above forwarded messages, on a line of their own and ending in a colon (Apple Mail and others). */
export const forwardPhrases: Words = {
  en: 'begin forwarded message | forwarded message | start of forwarded message',
  de:
    'anfang der weitergeleiteten nachricht | anfang der weitergeleiteten e-mail | ' +
    'weitergeleitete nachricht',
  fr: 'début du message transféré | début du message réexpédié | message transféré',
  es: 'inicio del mensaje reenviado | mensaje reenviado',
  pt: 'início da mensagem reencaminhada | início da mensagem encaminhada | mensagem encaminhada',
  it: 'inizio messaggio inoltrato | messaggio inoltrato',
  nl: 'begin doorgestuurd bericht | doorgestuurd bericht',
  pl: 'początek przekazanej wiadomości | początek przekazywanej wiadomości',
  sv: 'vidarebefordrat mejl | vidarebefordrat brev | vidarebefordrat meddelande | börja på vidarebefordrat meddelande',
  da: 'start på videresendt besked | videresendt besked | begyndelse på videresendt besked',
  no: 'start på videresendt melding | videresendt melding | begynnelse på videresendt melding',
  cs: 'začátek přeposílané zprávy | začátek přeposlané zprávy | přeposlaná zpráva',
  ru: 'начало переадресованного сообщения | начало пересылаемого сообщения | пересылаемое сообщение',
  zh: '以下是转发的邮件 | 下面是轉寄的郵件 | 下面是被转发的邮件 | 开始转发的邮件 | 以下是轉寄的郵件 | 转发的邮件',
  ja: '転送されたメッセージ | 転送メッセージの開始 | 転送されたメール',
  other: 'välitetty viesti alkaa',
};

/** Parts of the lines above which help desks ask to reply, between dashes or similar. */
export const replyMarkerPhrases: Words = {
  en: 'above this line | above the line | above this email | reply above',
  de: 'oberhalb dieser zeile | über dieser zeile | über diese zeile',
  fr: 'au-dessus de cette ligne | au dessus de cette ligne',
  es: 'encima de esta línea | por encima de esta línea | arriba de esta línea',
  pt: 'acima desta linha',
  it: 'sopra questa riga | sopra questa linea',
  nl: 'boven deze regel | boven deze lijn',
  pl: 'powyżej tej linii | nad tą linią',
  sv: 'ovanför den här raden | ovanför denna rad',
  da: 'over denne linje',
  no: 'over denne linjen | ovenfor denne linjen',
  cs: 'nad tento řádek | nad tímto řádkem | nad tuto řádku',
  ru: 'выше этой линии | выше этой строки | над этой чертой | выше этой черты',
  zh: '此行上方 | 此线上方 | 在此行以上',
  ja: 'この行より上 | この線より上',
  other: '',
};
