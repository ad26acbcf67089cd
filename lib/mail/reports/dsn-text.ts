/** Recipients and diagnostics in DSN text: what qmail, older Exim and Exchange, gateways and web mailers write. */
import { addressKey } from '../addresses/addresses.ts';
import { addressIn } from './report-fields.ts';

/** A recipient named in DSN text, with the text that follows the address. */
export interface NamedRecipient {
  readonly address: string;
  readonly context: string;
}

/** Text beyond this belongs to the copy of the original message. */
const dsnTextCharactersMax = 20_000;
const contextCharactersMax = 1000;

const headerLine = /^[ \t]*[A-Za-z][A-Za-z0-9-]{1,40}[ \t]*:/;
/** Fields that only the copy of the original message has at the left margin. */
const traceLine = /^(?:received|return-path|message-id|dkim-signature|mime-version|x-[a-z0-9-]+)[ \t]*:/i;
const address = String.raw`(?:"[^"\n]{1,64}"|[^\s<>;:,"'()\[\]]{1,256})@[A-Za-z0-9\p{L}][A-Za-z0-9\p{L}.-]*`;

/**
 * A line that begins with a recipient: bare, in brackets, after a bullet, a reply code or a label, as in `<a@b>: 550 …`,
 * `550 <a@b>... User unknown`, `>>> RCPT TO:<a@b>`, `Recipient address: a@b`.
 */
const recipientLine = new RegExp(
  String.raw`^[ \t*>\-•]*(?:<<< )?(?:[45]\d\d[ -]+(?:[45]\.\d+\.\d+ )?)?(?:(?:rcpt to|(?:final |original )?recipients?(?: address)?|to|delivery failed|address)[ \t]*:[ \t]*)?<?(${address})>?(?=[\s:;,.(<\[]|$)`,
  'iu',
);
const anyAddress = new RegExp(address, 'giu');
/** The type of an address within an X.400 address: "dda:SMTP=ann@a.example". */
const x400Type = /^smtp=/i;
/** Words before an address that is not a recipient. */
const notRecipient =
  /\b(?:from|mail|sender|contact|by|reply-to|envelope-from|e-?mail|originator|support|dear|hi|hello)[\s:=<(]*$/i;

/**
 * The human-readable part of a DSN: without quoted header lines, and without the copy of the original message, which
 * begins at the first trace field.
 */
export function dsnTextOf(text: string): string {
  const lines = text.slice(0, dsnTextCharactersMax).split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfHeader(lines, at);
    const block = lines.slice(at, end);
    if (block.some((line) => traceLine.test(line)) || copyHeading.test(lines[at] ?? '')) break;
    if (block.length >= 3) {
      at = end;
      continue;
    }
    kept.push(lines[at] ?? '');
    at++;
  }
  while (kept.length > 0 && introducesOriginal.test(kept.at(-1) ?? '')) kept.pop();
  return kept.join('\n').trim();
}

/** A line that introduces the copy of the original message, or a horizontal rule. */
const introducesOriginal =
  /^[\s\-=|*_]*$|(?:copy|header|headers) of (?:the|your|this) (?:original )?message|original message|returned message|message (?:text|headers?) follows?|message header|original message headers/i;

/** A heading of qmail and Exim below which nothing is about the failure. */
const copyHeading =
  /^[ \t]*-{2,10} ?(?:below this line is|this is) a copy of (?:the|your) (?:original )?message/i;

/** End of the run of header lines that begins at `start`. */
function endOfHeader(lines: readonly string[], start: number): number {
  let at = start;
  while (at < lines.length && isHeaderLine(lines[at] ?? '', at > start)) at++;
  return at;
}

const headerNames =
  /^[ \t]*(?:from|to|cc|bcc|subject|date|sent|reply-to|sender|importance|mail from|rcpt to)[ \t]*:/i;

function isHeaderLine(line: string, isFollowing: boolean): boolean {
  if (traceLine.test(line) || headerNames.test(line)) return true;
  return isFollowing && /^[ \t]+\S/.test(line) && !headerLine.test(line) && !recipientLine.test(line);
}

/**
 * The recipients named in DSN text, each with the text that follows. Addresses at the beginning of a line first; if
 * there are none, every address that is not marked as a sender or contact.
 */
export function namedRecipients(notice: string): NamedRecipient[] {
  const lines = notice.split('\n');
  const starts = lines.flatMap((line, at) => {
    const named = addressIn(recipientLine.exec(line)?.[1] ?? null);
    // Exim conceals the forwarding address: "an undisclosed address (generated from ann@a.example)".
    const found = named ?? (lines[at - 1]?.includes('@') ? null : forwardedFrom(line));
    return found === null ? [] : [{ at, found }];
  });
  const byKey = new Map<string, NamedRecipient>();
  for (const [index, { at, found }] of starts.entries()) {
    const below = lines.slice(at, starts[index + 1]?.at).join('\n');
    // Some servers put the reason before the recipient.
    const said = collapseWhitespace(starts.length === 1 && isBare(below) ? notice : below);
    const original = forwardedFrom(lines[at + 1] ?? '') ?? found;
    const key = addressKey(original);
    const known = byKey.get(key);
    byKey.set(key, {
      address: original,
      context: known ? `${known.context} ${said}`.slice(0, contextCharactersMax) : said,
    });
  }
  if (byKey.size === 0) {
    for (const { 0: named, index } of notice.matchAll(anyAddress)) {
      const found = addressIn(named.replace(x400Type, ''));
      if (found === null || notRecipient.test(notice.slice(Math.max(index - 40, 0), index))) continue;
      byKey.set(addressKey(found), { address: found, context: collapseWhitespace(notice) });
    }
  }
  return [...byKey.values()];
}

/** Whether the text holds nothing but the address. */
function isBare(text: string): boolean {
  return !/\p{L}/u.test(text.replace(anyAddress, ''));
}

/** Exim and Sendmail name the original address on the line below the forwarding address. */
function forwardedFrom(line: string): string | null {
  return addressIn(/^\s*\((?:generated|expanded) from:?\s*(\S+?)\)/i.exec(line)?.[1] ?? null);
}

/** Whether a DSN only warns of a delay: the server keeps trying. */
export function isDelayNotice(subject: string, notice: string): boolean {
  const said = `${subject}\n${notice}`;
  return delay.test(said) && !permanentFailure.test(said);
}

const delay =
  /\b(?:delayed|warning only|still being retried|(?:will|to) (?:be retried|keep trying|continue to (?:try|be (?:tried|attempted)))|attempts will continue|not yet been delivered|has not been delivered yet|could not be delivered (?:yet|for more than)|\(delay\)|noch nicht zugestellt|weiter(?:hin)? versucht|verzögerte? zustellung|pas encore (?:été |pu être )?(?:remise?|distribuée?)|(?:aún|todavía) no se ha|non è ancora|ainda não foi|nog niet (?:worden )?bezorgd|endnu ikke|ennå ikke|dosud neb|jeszcze nie zosta)|ännu inte (?:kunnat )?levererats|ещё не доставлен/i;
const permanentFailure =
  /\b(?:not going to try again|giv(?:en|ing) up|gave up|will be deleted from queue|permanent (?:fatal )?error|failed permanently|too long)/i;

export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, contextCharactersMax);
}
