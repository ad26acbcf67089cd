/** Whether a failed delivery is permanent: only if the report says that the address never accepts mail. */

export interface Failure {
  /** Enhanced status code (`5.1.1`, RFC 3463) of the report, null if it gives none. */
  readonly status: string | null;
  /** Response of the refusing server; may begin with its reply code and hold an enhanced code of its own. */
  readonly diagnostic: string | null;
}

/** Longer diagnostics add nothing. */
const diagnosticCharactersMax = 4000;

const holder = '(?:user|recipient|mail-?box|account|address|alias|destination|inbox|e-?mail address)';
const gone =
  '(?:unknown|invalid|disabled|inactive|deactivated|suspended|closed|deleted|discontinued|expired|terminated|unavailable permanently|not (?:found|known|recogni[sz]ed|valid|exist|active|present))';

/** The address does not exist or is closed: wordings in any code. */
const noMailbox = new RegExp(
  [
    `${holder} (?:has been |is |name is |was |does )?(?:now |currently |permanently )?${gone}`,
    `${holder} (?:was|is|could)n.t (?:be )?found`,
    `(?:unknown|invalid|no such|unrouteable|unroutable|non-?existent|bad|illegal|disabled|inactive|deactivated)[ _](?:final delivery )?(?:or illegal )?(?:local )?(?:e-?mail )?(?:${holder}|domain|person)`,
    '(?:user|recipient|rcpt|mailbox|account|address|domain|name)[^.;]{0,60} (?:does ?n.t|do not|does not|did ?n.t) exist',
    '(?:doesn.t|does not|don.t) have an? [^;]{0,60}account',
    'no (?:mailbox|account|recipient|user) (?:here|by that|with that|found|at this)',
    'no such (?:person|domain)',
    'not (?:a )?(?:registered (?:here|user|address)|our customer|a valid (?:mailbox|user|recipient|address|account|e-?mail)|found by smtp address)',
    'not listed in (?:the )?(?:domino|public|name|address|directory)',
    'recipient ?not ?found',
    `${holder}[^.;]{0,40} no longer (?:on server|available|in use|valid|active|accepts|exists)`,
    'no longer (?:on server|accepts? (?:mail|e-?mail|messages)|(?:works|employed) (?:here|at|for))',
    'host (?:name )?(?:or domain name )?(?:unknown|not found)',
    'unknown host',
    'name or service not known',
    'couldn.t find (?:any|a) (?:host|mail exchanger)',
    'domain name not found',
    'nxdomain',
    '(?:null mx|does not accept (?:any )?mail\\b)',
    // Exchange Online's response for an unknown recipient.
    'recipient address(?:es)? rejected ?: ?access denied',
    'all recipient addresses rejected',
    '(?:empfänger|benutzer|adresse|postfach)(?: ist)? (?:unbekannt|existiert nicht|nicht vorhanden|nicht bekannt)',
    'unbekannter? (?:empfänger|benutzer|adresse)',
    '(?:utilisateur|destinataire|adresse|bo[iî]te)[^.;]{0,25} (?:inconnue?|inexistante?|introuvable|n.existe pas)',
    '(?:usuario|destinatario|buzón|cuenta|dirección)[^.;]{0,20} (?:no existe|inexistente|desconocid[oa]|no encontrad[oa])|no existe (?:el|la|ese|esa) ',
    '(?:utente|destinatario|casella|indirizzo|account)[^.;]{0,20} (?:sconosciut[oa]|inesistente|non esiste|non trovat[oa]|disattivat[oa])',
    '(?:utilizador|usuário|destinatário|conta|endereço|caixa)[^.;]{0,20} (?:não existe|inexistente|desconhecid[oa]|não encontrad[oa])',
    '(?:gebruiker|ontvanger|adres|account|postbus)[^.;]{0,20} (?:bestaat niet|onbekend)|onbekende (?:gebruiker|ontvanger)',
    'nie ma takiego (?:użytkownika|adresata|adresu|odbiorcy)|(?:użytkownik|odbiorca|adres|konto)[^.;]{0,20} nie istnieje|nieznany (?:odbiorca|użytkownik|adres)',
    '(?:mottagaren|användaren|adressen|kontot)[^.;]{0,20} (?:finns inte|är okänd|existerar inte)',
    '(?:modtageren|mottakeren|brugeren|brukeren|adressen|kontoen)[^.;]{0,20} (?:findes ikke|finnes ikke|er ukendt|er ukjent|eksisterer ikke)',
    '(?:uživatel|příjemce|adresa|schránka)[^.;]{0,20} (?:neexistuje|nenalezen[aoy]?)',
    '(?:пользователь|получатель|адрес|ящик)[^.;]{0,30} (?:не (?:существует|найден)|неизвестен)',
    '(?:アドレス|ユーザー?|宛先)[^。]{0,30}(?:存在しません|見つかりません)|(?:地址|用户|收件人)[^。]{0,20}不存在',
  ].join('|'),
  'iu',
);

/** The failure passes, whatever a code says. */
const temporary = new RegExp(
  [
    'temporar|transient|deferred|defer(?:ring)?\\b|gr[ae]y ?list',
    '(?:please |and |, ?)?(?:re)?try (?:again )?(?:later|in \\d|after)|not found,? (?:please )?try again|will be retried|retry (?:time|later|period)',
    'quota|over ?limit|(?:mailbox|inbox|account|mail ?drop|folder|disk|storage)[^.;]{0,30}\\bfull\\b|\\bfull (?:mailbox|inbox)|insufficient (?:system |disk )?(?:storage|space|resources)|not enough (?:storage|space|disk)|out of (?:storage|disk)',
    'time(?:d )?-?out|expired: unable|(?:message|delivery time|retry time)[^.;]{0,20} expired|too old|not responding|no route to host|connection (?:refused|reset|closed|failed|lost|dropped|timed)|(?:could not|cannot|unable to|failed to) (?:connect|contact|reach)',
    'at a rate|rate ?-?limit|too (?:many|fast|frequent|much)|throttl|(?:exceed(?:ed|s)?|over) (?:the |its |your |a )?(?:\\w+ ){0,2}(?:rate|limit|number|volume)',
    'server (?:is )?(?:busy|overloaded|unavailable)|service (?:is )?(?:currently |temporarily )?(?:unavailable|not available)|system (?:is )?(?:busy|not accepting|shutting)|name ?server (?:failure|error|timeout)|servfail|dns (?:error|failure|timeout)|unexpected name server reply|local (?:error|configuration)',
    'postfach[^.;]{0,20} voll|speicherplatz|bo[iî]te[^.;]{0,40} pleine|buz[oó]n[^.;]{0,30} lleno|casella[^.;]{0,20} piena|caixa[^.;]{0,30} cheia|skrzynka[^.;]{0,20} (?:pełna|przepełniona)|postbus[^.;]{0,20} vol\\b|brevlåda[^.;]{0,20} full|postkasse[^.;]{0,20} full?d?\\b|schránka[^.;]{0,20} plná|перепо[лв]нен|満杯|一杯|容量|已满|空间不足',
    'später erneut|essayer plus tard|réessayer|más tarde|più tardi|mais tarde|later opnieuw|później|později|senere igen|senere|попробуйте позже|稍后|しばらくして|zeitweilig|vorübergehend|temporair',
  ].join('|'),
  'iu',
);

/** The failure is about the message, the sender or their server. */
const otherCause =
  /spam(?!ple)|\bblock(?:ed|ing|ed by)?\b|block ?-?list|black ?-?list|deny ?-?list|\brbl\b|dnsbl|spamhaus|barracuda|sorbs|spamcop|reputation|polic(?:y|ies)|prohibit|administrat|not (?:authori[sz]ed|permitted|allowed)|unauthori[sz]ed|relay|access denied|virus|malware|infected|phish|suspicious|loop\b|\bhops?\b|content (?:reject|filter|is|was|not)|message (?:size|too|length|exceed|content)|size (?:limit|exceed)|too (?:large|big|long)|dmarc|\bspf\b|dkim|authenticat|helo\b|reverse dns|\bptr\b|\bsenders?\b|mail[ _]from|\bclient\b|\bip(?: address)?\b|refused (?:your|mail from)|attachment/i;

/** The message is too large, whatever a code says: a shorter one arrives. */
const tooLarge =
  /(?:message|mail|e-?mail) (?:size|length)\b|\bsize (?:limit|exceed)|(?:message|mail|e-?mail) (?:is )?too (?:large|big|long)/i;

/** Otherwise unspecific 550 responses that blame the recipient's address. */
const blamesAddress = new RegExp(`\\b${holder}s?\\b|no such|\\bnot found\\b`, 'i');

/**
 * Details of enhanced codes, by subject, that say that the address never accepts mail (RFC 3463 and the IANA registry
 * of enhanced status codes).
 */
const permanentDetails: Readonly<Record<string, readonly number[]>> = {
  // Bad mailbox, bad system, bad syntax, moved, null MX (RFC 7505).
  1: [1, 2, 3, 6, 10],
  // Mailbox disabled. Not full (2), not message too long (3).
  2: [1],
  // Unable to route; Exchange Online: the domain does not exist.
  4: [4, 310],
  // Disabled recipient (RFC 5248); mailbox or domain that changed its owner (RFC 7293).
  7: [13, 17, 18],
};

/**
 * Whether the address does not exist or never accepts mail (`permanent` of `email.bounced`). Words take precedence over
 * codes, and any sign of a temporary failure over everything else. In doubt the failure is not permanent.
 */
export function isHardBounce({ status, diagnostic }: Failure): boolean {
  const whole = (diagnostic ?? '').slice(0, diagnosticCharactersMax);
  const response = unquoted(whole);
  // Quotations may show that a failure is temporary, or not the recipient's, but never that it is permanent.
  const words = wordsOf(whole);
  const code = mostSpecific([leadingCode(response), status]);
  const reply = replyCode(response);
  const isTransient =
    status?.startsWith('4') === true ||
    reply?.startsWith('4') === true ||
    /(?<![\d.])4\.[0-7]\.\d{1,3}(?![\d.]*\d)/.test(whole);
  if (isTransient || isAboutSender(code) || temporary.test(words) || tooLarge.test(words)) return false;
  if (refusesSender(whole)) return false;
  const isPermanentCode = code !== null && isPermanentDetail(code);
  if (noMailbox.test(wordsOf(response))) return isPermanentCode || !isBlocked(words);
  if (isPermanentCode ? isBlocked(words) : otherCause.test(words)) return false;
  if (code !== null && !isVague(code)) return isPermanentCode;
  // 550 mailbox unavailable, 551 not local, 553 name not allowed (RFC 5321 4.2.3). 552 and 554 do not name the address.
  const isRefused = reply !== null && ['550', '551', '553'].includes(reply);
  return isRefused && (!/\p{L}/u.test(words) || blamesAddress.test(wordsOf(response)));
}

/** Whether a refusal names a block list, spam or a policy: then an unknown recipient is one of several guesses. */
function isBlocked(words: string): boolean {
  return /spam|block ?-?list|black ?-?list|deny ?-?list|\brbl\b|dnsbl|spamhaus|reputation|polic(?:y|ies)|dmarc|\bspf\b|dkim|\bsender\b|\bclient host\b|my name was rejected|mail from\b(?! to)/i.test(
    words,
  );
}

/** Block lists and their operators, whose links stand in responses. */
const blockList =
  /spamhaus|spamcop|spamrats|\bsorbs\b|barracudacentral|abuseat|cloudmark|senderscore|senderbase|uceprotect|mailspike|invaluement|\bsurbl|abusix|dnsbl|\brbl\b|block(?:ed)? ?using|(?:block|black|deny) ?-?list/i;
/** The server that sends, or the content, is refused. */
const refusedServer =
  /reputation|\b(?:your|this|sending|client|source|connecting) (?:mail )?(?:ip\b|server|host\b|system|network)|\bip(?: address)? ?\[?[\da-f.:]*\]? ?(?:is |was |has been |are )?(?:block|bann|list|reject|refus|not allowed|denied)|(?:mail|messages?|connections?|e-?mails?) from (?:ip\b|\[?\d+\.\d+)|\bbanned\b|(?:reverse|r)[- ]?dns|content (?:restriction|filter|policy|reject)/i;

/**
 * Whether a response refuses the server that sends, by reputation or policy: whatever else it says, it is not about the
 * recipient, and an unknown recipient is a guess of a server in between.
 */
function refusesSender(response: string): boolean {
  const words = response.replace(/[^\s<>]{1,320}@[^\s>)\]:,;]+[>)]?/g, ' ');
  return blockList.test(words) || refusedServer.test(words.replace(/https?:\S+/g, ' '));
}

/** Without quotations: codes and words in them are of other responses, of subjects, or of explanations. */
function unquoted(text: string): string {
  return text.replace(/"[^"\n]{0,300}"(?!@)|“[^”\n]{0,300}”|«[^»\n]{0,300}»/g, ' ');
}

/** The words without codes, addresses and links: `<content@shop.example>` is not about content. */
function wordsOf(response: string): string {
  return (
    response
      .replace(/https?:\S+|[^\s<>]{1,320}@[^\s>)\]:,;]+[>)]?/g, ' ')
      .replace(/(?<![\d.])[245]\.\d{1,3}\.\d{1,3}|\b[45]\d\d\b/g, ' ')
      // A heading of some gateways, whatever the cause.
      .replace(/unknown address error/gi, ' ')
      .replace(/\s+/g, ' ')
  );
}

/** Bad address or system of the sender (RFC 3463 3.2). */
function isAboutSender(code: string | null): boolean {
  return code !== null && ['1.7', '1.8', '1.9'].includes(code.slice(2));
}

function isPermanentDetail(code: string): boolean {
  const [severity, subject = '', detail] = code.split('.');
  return severity === '5' && (permanentDetails[subject]?.includes(Number(detail)) ?? false);
}

/** "Other" and "undefined" codes, which servers give if they have no better one. */
function isVague(code: string): boolean {
  return ['0.0', '1.0', '5.0'].includes(code.slice(2));
}

/** The enhanced code of a response itself: at its beginning, after its reply code, or in qmail's form `(#5.1.1)`. */
function leadingCode(response: string): string | null {
  const after =
    /(?:^|\b[45]\d\d[ -]{1,3}(?:[45]\d\d[ -]{1,3})?|\(#)\s{0,3}#?([245]\.[0-7]\.\d{1,3})(?![\d.]*\d)/.exec(
      response,
    );
  return after?.[1] ?? /(?::|-)\s([245]\.[0-7]\.\d{1,3})\s*[.)]?\s*$/.exec(response)?.[1] ?? null;
}

/** The first enhanced status code in a text. Parts of IP addresses and version numbers are none. */
export function enhancedCode(text: string): string | null {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(text)?.[0] ?? null;
}

/** The first SMTP reply code (RFC 5321 4.2) in a text that refuses or defers. */
function replyCode(text: string): string | null {
  return /(?<![\d.:@-])[45][0-7]\d(?=[\s\-:;#]|$)/.exec(text)?.[0] ?? null;
}

/** The first code that is not vague, else the first. */
function mostSpecific(codes: readonly (string | null)[]): string | null {
  const known = codes.filter((code) => code !== null);
  return known.find((code) => !isVague(code)) ?? known[0] ?? null;
}
