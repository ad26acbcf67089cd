/** Phrases of automatic confirmations by language, as sources of expressions: "We have received your request". */
import type { Language } from '../quoting/languages.ts';
import { anyOf } from './phrases.ts';

interface AcknowledgementPhrases {
  /** A program wrote the message, or nobody reads answers. */
  readonly automated: string;
  /** The message has arrived. */
  readonly received: string;
  /** An answer follows. */
  readonly promise: string;
}

const byLanguage: Readonly<Record<Language, AcknowledgementPhrases>> = {
  en: {
    automated: `(?:automated|automatic|system.generated|auto.generated) (?:message|e-?mail|reply|response|notification)|automatically (?:generated|sent|created)|(?:sent|generated) automatically|(?:do not|don.t) (?:reply|respond)|(?:unmonitored|not monitored)`,
    received: `received your (?:message|request|e-?mail|enquiry|inquiry|application|ticket|question|feedback|submission)|your (?:request|message|e-?mail|ticket|enquiry|inquiry|case|application) (?:\\S{1,20} )?(?:has been|was|is) (?:received|created|opened|registered|logged|assigned|being reviewed)|(?:ticket|request|case) (?:received|created|opened|has been (?:created|opened))|acknowledge receipt|thank(?:s| you) for (?:contacting|reaching out|getting in touch|applying)`,
    promise: `(?:get back to you|respond|reply|answer|be in touch|contact you)[^.\\n]{0,40} (?:within|as soon|shortly|soon)|will get back to you|allow [^.\\n]{1,20} for (?:a|our) (?:response|reply)|within [^.\\n]{1,12} (?:hours|(?:business |working )?days)`,
  },
  de: {
    automated: `automatisch (?:erstellt|generiert|erzeugt|versendet|versandt|verschickt)\\p{L}*|automatische (?:nachricht|e-?mail|antwort|bestätigung|benachrichtigung)|nicht auf diese (?:e-?mail|mail|nachricht)`,
    received: `(?:ihre|deine) (?:anfrage|nachricht|e-?mail|mitteilung|bewerbung|meldung)[^.\\n]{0,20} (?:eingegangen|erhalten|registriert|bearbeitet)|eingangsbestätigung|(?:ticket|vorgangs)-?nummer`,
    promise: `melden uns|(?:so (?:schnell|bald|rasch) wie möglich|schnellstmöglich|in kürze|umgehend|innerhalb von)`,
  },
  fr: {
    automated: `(?:message|e-?mail|courriel|réponse) automatique|(?:générée?|envoyée?) automatiquement|(?:ne pas|ne) répondre|ne répondez pas`,
    received: `votre (?:message|demande|courriel) a bien été|bien reçu (?:votre|ta)|accusé de réception|votre demande (?:a|est)[^.\\n]{0,10} (?:reçue|enregistrée|prise)`,
    promise: `(?:répondrons|reviendrons|recontacterons|contacterons)|(?:plus brefs|meilleurs) délais|sous \\d+ ?h\\p{L}*`,
  },
  es: {
    automated: `(?:mensaje|correo|respuesta) automátic[oa]|(?:generado|enviado) automáticamente|no (?:responda|respondas|conteste)`,
    received: `hemos recibido (?:su|tu)|(?:su|tu) (?:consulta|solicitud|mensaje) ha sido (?:recibid|registrad)[oa]|acuse de recibo`,
    promise: `(?:responderemos|contestaremos|contactaremos)|lo antes posible|a la brevedad|la mayor brevedad`,
  },
  pt: {
    automated: `(?:mensagem|e-?mail|resposta) automátic[oa]|(?:gerad|enviad)[oa] automaticamente|não responda`,
    received: `recebemos (?:o seu|a sua|seu|sua)|(?:sua|seu) (?:solicitação|chamado|mensagem) foi (?:recebid|registrad|abert)[oa]`,
    promise: `(?:responderemos|entraremos em contat?o)|o mais breve|em breve|assim que possível`,
  },
  it: {
    automated: `(?:messaggio|e-?mail|risposta) automatic[oa]|(?:generat|inviat)[oa] automaticamente|(?:non rispondere|non rispondete)`,
    received: `ricevuto (?:la (?:sua|tua|vostra)|il (?:suo|tuo|vostro))|(?:sua|tua|vostra) richiesta è stata`,
    promise: `(?:risponderemo|contatteremo|ricontatteremo)|al più presto|quanto prima`,
  },
  nl: {
    automated: `automatische? (?:bericht|antwoord|e-?mail|gegenereerd\\p{L}*|verzonden)|niet (?:op (?:dit bericht|deze e-?mail) )?(?:te )?(?:antwoorden|beantwoorden)|(?:antwoord|reageer) niet`,
    received: `(?:uw|je) (?:bericht|vraag|e-?mail|aanvraag|verzoek|sollicitatie)[^.\\n]{0,20} ontvangen|ontvangstbevestiging`,
    promise: `nemen[^.\\n]{0,40} contact|zo (?:snel|spoedig) mogelijk|binnen [^.\\n]{1,12} (?:werk)?dagen`,
  },
  pl: {
    automated: `(?:wygenerowan|wysłan|automatyczn)\\p{L}+ (?:automatycznie|wiadomość|odpowiedź)|wiadomość automatyczna|nie odpowiada(?:ć|j)`,
    received: `otrzymaliśmy|dziękujemy za (?:zgłoszenie|kontakt|przesłanie)|numer (?:sprawy|zgłoszenia)|zgłoszenie (?:zostało|nr)`,
    promise: `odpowiemy|skontaktujemy|w ciągu|jak najszybciej`,
  },
  sv: {
    automated: `automatiskt (?:meddelande|svar|genererat|skickat|mejl)|(?:svara|besvara) inte|går inte att svara`,
    received: `(?:tagit emot|mottagit) (?:ditt|din)|ditt ärende|ärendenummer`,
    promise: `återkommer|så snart (?:vi kan|som möjligt)|inom [^.\\n]{1,12} (?:dagar|arbetsdagar|timmar)`,
  },
  da: {
    automated: `automatisk(?:e|t)? (?:besked|svar|genereret|mail|e-?mail|beskeder)|(?:svar|besvar) (?:venligst )?ikke`,
    received: `modtaget din|din (?:henvendelse|besked|mail|e-?mail) er (?:modtaget|oprettet)|sagsnummer`,
    promise: `vender tilbage|hurtigst muligt|inden for`,
  },
  no: {
    automated: `automatisk (?:melding|svar|generert|e-?post)|(?:ikke svar|kan ikke besvares)`,
    received: `mottatt (?:din|henvendelsen)|(?:din henvendelse|henvendelsen) er (?:mottatt|registrert)|saksnummer`,
    promise: `(?:svarer|tar kontakt)[^.\\n]{0,40} (?:snart|innen)|så snart som mulig`,
  },
  cs: {
    automated: `automatick(?:á|y|ou|ky) (?:zpráva|odpověď|vygenerovan\\p{L}*|odeslan\\p{L}*)|neodpovídejte`,
    received: `vaš[ei]?[^.\\n]{0,30} (?:přijat|zaevidován|zaregistrován)\\p{L}*|váš (?:požadavek|dotaz)[^.\\n]{0,20} (?:přijat|zaevidován|zaregistrován)|(?:přijali|obdrželi) jsme`,
    promise: `(?:ozveme|odpovíme|budeme vás kontaktovat)|co nejdříve`,
  },
  ru: {
    automated: `автоматическ\\p{L}+ (?:ответ|сообщение|уведомление|письмо)|(?:сформировано|отправлено|создано) автоматически|не отвечайте`,
    received: `ваш[еа]? (?:обращение|запрос|заявка|письмо)[^.\\n]{0,30} (?:принят|зарегистрирован|получен)\\p{L}*|мы получили ваш[еу]?|номер (?:обращения|заявки)`,
    promise: `(?:ответим|свяжемся)|в ближайшее время|в течение`,
  },
  zh: {
    automated: `(?:自动|自動)(?:发送|發送|回复|回覆|生成)|(?:请|請)勿(?:直接)?(?:回复|回覆)`,
    received: `(?:已|已经|已經)(?:收到|受理)|收到您的`,
    promise: `尽快|盡快|工作日`,
  },
  ja: {
    automated: `自動(?:送信|返信|配信|生成)|送信専用|返信(?:いただいても|できません|しないで)`,
    received: `お問い?合わ?せ(?:を受け?付|ありがとう|を承|いただき)|受付(?:番号|完了)|受け?付け(?:いた)?しました|受け付けました`,
    promise: `折り返し|追って|改めて|営業日`,
  },
  fi: {
    automated: `automaattinen (?:viesti|vastaus|ilmoitus)|automaattisesti (?:lähetetty|luotu)|älä vastaa`,
    received: `olemme vastaanottaneet|(?:viestisi|pyyntösi) on vastaanotettu|kiitos (?:viestistäsi|yhteydenotostasi)`,
    promise: `vastaamme|mahdollisimman pian|otamme yhteyttä`,
  },
  hu: {
    automated: `automatikus (?:üzenet|válasz|értesítés)|automatikusan (?:generált|küldött)|ne válaszoljon`,
    received: `megkaptuk|üzenete megérkezett|köszönjük (?:megkeresését|levelét)`,
    promise: `válaszolunk|hamarosan|munkanapon belül|felvesszük önnel a kapcsolatot`,
  },
  ko: {
    automated: `자동 ?(?:발송|응답|회신)|자동으로 (?:발송|생성)|발신 ?전용`,
    received: `접수되었|접수 ?완료|문의해 ?주셔서`,
    promise: `빠른 시일|답변|영업일 이내`,
  },
  he: {
    automated: `הודעה אוטומטית|מענה אוטומטי|נא לא להשיב|אין להשיב`,
    received: `פנייתך (?:התקבלה|נקלטה)|קיבלנו את (?:פנייתך|הודעתך)`,
    promise: `נחזור אליך|בהקדם(?: האפשרי)?|ימי עסקים`,
  },
  ar: {
    automated: `رسالة (?:تلقائية|آلية)|رد (?:تلقائي|آلي)|عدم الرد|لا ترد`,
    received: `(?:تم استلام|استلمنا|لقد تلقينا) (?:رسالتك\\p{L}?|طلبك\\p{L}?)`,
    promise: `سنرد|سنتواصل|في أقرب وقت|أيام عمل`,
  },
  other: {
    automated: `otomatik (?:mesaj|yanıt|olarak)|yanıtlamayın\\p{L}*|автоматичн\\p{L}+ (?:відповідь|лист|повідомлення)|не відповідайте|mesaj automat|nu răspundeți|αυτόματο μήνυμα`,
    received: `talebiniz\\p{L}*[^.\\n]{0,20} alın\\p{L}+|mesajınızı aldık|отримали ваш[еу]?|ваше звернення|am primit`,
    promise: `en kısa sürede|найближчим часом|în cel mai scurt`,
  },
};

const phrasesOf = (kind: keyof AcknowledgementPhrases) =>
  anyOf(Object.values(byLanguage).map((phrases) => phrases[kind]));

export const automated = phrasesOf('automated');
export const received = phrasesOf('received');
export const promise = phrasesOf('promise');
/** The number of a ticket: `[Ticket #4711]`, `Case #00418823`. */
export const ticketNumber =
  /(?:ticket|case|request|anfrage|demande|caso|sprawa)\s?(?:#|no\.?|nr\.?|id)?\s?:?#?\d{4,20}|(?:#|№)\s?\d{4,20}/i;

/** The writer speaks as one person, who promises an answer, too; confirmations say "we". */
export const asOnePerson = anyOf([
  'i(?:.ve|.ll|.m| have| will| am| can)',
  'ich|yo|ik|jag|jeg|я|j.ai|je (?:vous|suis|vais|me)|eu (?:vou|já)',
]);
