/** Message-IDs: parsing, and recognising our own and those of SES (RFC 5322 3.6.4). */
import { decodeWords } from 'postal-mime';
import { type EmailId, parseId } from '../ids.ts';
import { splitAddress } from './addresses.ts';
import { fieldLimits } from './field-limits.ts';

/**
 * The ids in a `Message-ID`, `In-Reply-To` or `References` value, in order, each once, with angle brackets. Accepts
 * missing brackets, commas, phrases between ids, white space inside them and encoded words. Linear.
 */
export function parseMessageIds(headerValue: string): string[] {
  const ids = new Set<string>();
  // Split at each `<`: an id that is never closed ends where the next begins.
  const [before = '', ...opened] = decodedIds(headerValue).split('<');
  for (const bare of unbracketed(before)) ids.add(bare);
  for (const text of opened) {
    const close = text.indexOf('>');
    const content = close < 0 ? text : text.slice(0, close);
    if (content.length <= bracketedMax) addId(ids, content.replace(/\s+/g, ''));
    if (close >= 0) for (const bare of unbracketed(text.slice(close + 1))) ids.add(bare);
  }
  return [...ids];
}

/** Room for white space inside an id, which is removed. */
const bracketedMax = 4 * fieldLimits.messageIdBytes;

function addId(ids: Set<string>, id: string): void {
  if (id !== '' && Buffer.byteLength(id) <= fieldLimits.messageIdBytes) ids.add(`<${id}>`);
}

/** Of a longer value, only both ends are read. */
const endCharactersMax = 128 * 1024;

/** Python's email package writes ids of more than 78 characters, as SES's are, as encoded words. */
function decodedIds(headerValue: string): string {
  const value =
    headerValue.length <= 2 * endCharactersMax
      ? headerValue
      : `${headerValue.slice(0, endCharactersMax)} ${headerValue.slice(-endCharactersMax)}`;
  return value.includes('=?') ? decodeWords(value) : value;
}

/** The part before the last `@`, without brackets; the whole id if there is no `@`. */
export function localPart(messageId: string): string {
  return split(messageId).local;
}

/** The email id in a Message-ID of our form, `<eml_…@domain>`; null for any other. */
export function ownEmailId(messageId: string): EmailId | null {
  return parseId('eml', localPart(messageId).toLowerCase());
}

/**
 * The form in which Message-IDs are compared. SES ids are compared by local part, since the host differs by region. Case
 * does not count: some gateways rewrite it.
 */
export function comparableId(messageId: string): string {
  return (sesIdOf(messageId) ?? messageId).toLowerCase();
}

/** The Message-ID of an email before submission. SES replaces the header; the id stays valid in `References`. */
export function ownMessageId(emailId: EmailId, domain: string): string {
  return `<${emailId}@${domain}>`;
}

/**
 * The SES message id in a Message-ID that SES wrote: `<id@email.amazonses.com>` in us-east-1, `<id@region.amazonses.com>`
 * elsewhere. Null for any other.
 */
export function sesIdOf(messageId: string): string | null {
  const { local, domain } = split(messageId);
  return local !== '' && domain.endsWith('.amazonses.com') ? local : null;
}

/** The Message-ID header that SES writes. us-east-1 uses the host `email.amazonses.com`. */
export function wireMessageId(region: string, sesId: string): string {
  const host = region === 'us-east-1' ? 'email' : region;
  return `<${sesId}@${host}.amazonses.com>`;
}

function split(messageId: string): { local: string; domain: string } {
  const bare = messageId.trim().replace(/^</, '').replace(/>$/, '');
  if (!bare.includes('@')) return { local: bare, domain: '' };
  const { local, host } = splitAddress(bare);
  return { local, domain: host.toLowerCase() };
}

/** Ids without brackets: words with text on both sides of an `@`. */
function unbracketed(text: string): string[] {
  return text
    .split(/[\s,;"'()>]+/)
    .filter((word) => Buffer.byteLength(word) <= fieldLimits.messageIdBytes && isAddressLike(word))
    .map((word) => `<${word}>`);
}

/** Whether a word has one `@` with text on both sides. */
function isAddressLike(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && at < word.length - 1 && !word.includes('@', at + 1);
}
