/** Whether a failed delivery says that the address takes no mail at all, or only that it did not take this one, now. */

export interface Failure {
  /** Enhanced status code (`5.1.1`, RFC 3463), null when the report gives none. */
  readonly status: string | null;
  /** What the refusing server said; may begin with its reply code and hold an enhanced code of its own. */
  readonly diagnostic: string | null;
}

/** Nobody reads mail there: what servers say in whatever code they say it. */
const nobodyThere = new RegExp(
  [
    '(?:user|recipient|mailbox|account|address|alias|destination) (?:is |name is |was )?(?:unknown|invalid|disabled|inactive|deactivated|suspended|closed|not (?:found|known|recognized|valid|exist))',
    '(?:unknown|invalid|no such|unrouteable|unroutable|non-?existent|nonexistent|bad|illegal|disabled|inactive) (?:final delivery )?(?:or illegal )?(?:local )?(?:user|recipient|mailbox|account|address|alias|domain|person|destination)',
    '(?:user|recipient|mailbox|account|address|domain|name)[^.;]{0,60} (?:does ?n.t|do not|does not|did ?n.t) exist',
    '(?:doesn.t|does not|don.t) have an? [^;]{0,60}account',
    'no (?:mailbox|account|recipient) (?:here|by that|with that|found|at this)',
    'no such (?:person|domain)',
    'not (?:a )?(?:listed|registered|our customer|a valid|found by smtp address)',
    'not listed in',
    'recipient ?not ?found',
    'no longer (?:on server|available|in use|valid|active|accepts)',
    'host (?:name )?(?:or domain name )?(?:unknown|not found)',
    'unknown host',
    'couldn.t find (?:any|a) (?:host|mail exchanger)',
    'domain name not found',
    'nxdomain',
    // Exchange Online's words for a recipient it does not know.
    'recipient address(?:es)? rejected ?: ?access denied',
    'all recipient addresses rejected',
  ].join('|'),
  'i',
);

/** It failed for what was sent, how, by whom or when, not for where it was sent. */
const otherCause =
  /spam|block|black ?list|reputation|policy|policies|relay|denied|content|virus|infected|loop|\bhops?\b|quota|full\b|exceed|over ?limit|size|too (?:large|big|long|many)|time(?:d )?-?out|expired|retr(?:y|ied)|dmarc|\bspf\b|dkim|authenticat|gr[ae]y ?list|\brate\b|temporar|sender|helo\b|reverse|\bptr\b|insufficient|resources|refused|deferred|connection|no route|not responding|protocol|header|mismatch|client/i;

/** A limit that passes, or the sender refused before a recipient was named, whatever the code says. */
const notTheirs =
  /at a rate|try (?:again )?later|sender (?:address )?(?:was )?rejected|my name was rejected|(?:after|reply to|\[)\s*mail[ _]from/i;

/** Details of RFC 3463 and its registry, by subject, that condemn the address. All other details of these subjects do not. */
const condemned: Readonly<Record<string, readonly number[]>> = {
  // Bad mailbox, system, syntax; ambiguous; moved; null MX (RFC 7505).
  1: [1, 2, 3, 4, 6, 10],
  // Mailbox disabled. Not full (2), not message too long (3).
  2: [1],
  // Unable to route; Exchange Online: the domain does not exist.
  4: [4, 310],
  // Disabled account (RFC 5248 registry); mailbox or domain that changed its owner (RFC 7293).
  7: [13, 17, 18],
};

/**
 * Whether trying again later is pointless (`permanent` of `email.bounced`). True only where the report points to the
 * address itself: a full mailbox, a refused content or a blocked sender must not bar an address for good.
 */
export function isHardBounce({ status, diagnostic }: Failure): boolean {
  const said = diagnostic ?? '';
  // Relays put a status of their own over what the last server said; its words are nearer to the cause.
  const code = mostSpecific([enhancedCode(said), status]);
  const reply = replyCode(said);
  const severity = (code ?? reply)?.charAt(0) ?? '5';
  const words = wordsOf(said);
  if (severity !== '5' || speaksOfSender(code) || notTheirs.test(words)) return false;
  if (nobodyThere.test(words)) return true;
  if (code !== null && !isVague(code)) return isCondemned(code);
  // 550 mailbox unavailable, 551 not local, 553 name not allowed (RFC 5321 4.2.3); 552 and 554 say nothing of the address.
  return reply !== null && ['550', '551', '553'].includes(reply) && !otherCause.test(words);
}

/** What is said, without addresses and links: `<content@shop.example>` speaks of no content. */
function wordsOf(said: string): string {
  return said.replace(/https?:\S+|\S{1,320}@[^\s>)\]:,;]+[>)]?/g, '').replace(/\s+/g, ' ');
}

/** Bad address syntax or system of the sender, or one the message does not say (RFC 3463 3.2). */
function speaksOfSender(code: string | null): boolean {
  return code !== null && ['1.7', '1.8', '1.9'].includes(code.slice(2));
}

function isCondemned(code: string): boolean {
  const [, subject = '', detail] = code.split('.');
  return condemned[subject]?.includes(Number(detail)) ?? false;
}

/** "Other" and "undefined": servers give these where they know no better code. */
function isVague(code: string): boolean {
  return ['0.0', '1.0', '5.0'].includes(code.slice(2));
}

/** The first enhanced status code in a text. Parts of IP addresses and version numbers are none. */
export function enhancedCode(text: string): string | null {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(text)?.[0] ?? null;
}

/** The first SMTP reply code (RFC 5321 4.2) in a text that refuses or defers. */
function replyCode(text: string): string | null {
  return /(?<![\d.:@-])[45][0-7]\d(?=[\s\-:;#]|$)/.exec(text)?.[0] ?? null;
}

/** The first code that says something, else the first at all. */
function mostSpecific(codes: readonly (string | null)[]): string | null {
  const known = codes.filter((code) => code !== null);
  return known.find((code) => !isVague(code)) ?? known[0] ?? null;
}
