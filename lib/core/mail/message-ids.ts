/** Message-IDs: reading them from headers, and telling which are ours and which SES wrote (RFC 5322 3.6.4). */
import { type EmailId, parseId } from '../ids.ts';

/** Longest id kept; a longer one could not travel in a header line (RFC 5322 2.1.1). */
const idOctetsMax = 995;

/**
 * Every message id of a `Message-ID`, `In-Reply-To` or `References` value, in order, each once, with angle brackets.
 * Tolerant: missing brackets, commas, quoted phrases between the ids and white space inside them are read past.
 */
export function parseMessageIds(headerValue: string): string[] {
  const ids = new Set<string>();
  let position = 0;
  while (position < headerValue.length) {
    const open = headerValue.indexOf('<', position);
    for (const bare of unbracketed(headerValue.slice(position, open < 0 ? undefined : open))) ids.add(bare);
    if (open < 0) break;
    const close = headerValue.indexOf('>', open);
    const reopen = headerValue.indexOf('<', open + 1);
    // `<a@b <c@d>`: the first id was never closed, so it ends where the next begins.
    const end = close < 0 || (reopen >= 0 && reopen < close) ? reopen : close;
    const content = headerValue.slice(open + 1, end < 0 ? undefined : end).replace(/\s+/g, '');
    if (content !== '' && content.length <= idOctetsMax) ids.add(`<${content}>`);
    if (end < 0) break;
    position = end === reopen && end !== close ? end : end + 1;
  }
  return [...ids];
}

/** The part before the last `@`, without brackets; all of it where there is no `@`. */
export function localPart(messageId: string): string {
  return split(messageId).local;
}

/** The email that carries this id, when the id has the form we write: `<eml_…@domain>`. */
export function ownEmailId(messageId: string): EmailId | null {
  return parseId('eml', localPart(messageId));
}

/** The id we write on an email before hand-off. It stays valid in `References` where SES replaces the header. */
export function ownMessageId(emailId: EmailId, domain: string): string {
  return `<${emailId}@${domain}>`;
}

/**
 * SES's own id of a message it sent, from the Message-ID it put on the wire: `<id@email.amazonses.com>` in
 * us-east-1, `<id@region.amazonses.com>` elsewhere. Null for anybody else's id.
 */
export function sesIdOf(messageId: string): string | null {
  const { local, domain } = split(messageId);
  return local !== '' && domain.endsWith('.amazonses.com') ? local : null;
}

/** The Message-ID that SES puts on the wire: us-east-1 has a host of its own form. */
export function wireMessageId(region: string, sesId: string): string {
  const host = region === 'us-east-1' ? 'email' : region;
  return `<${sesId}@${host}.amazonses.com>`;
}

function split(messageId: string): { local: string; domain: string } {
  const bare = messageId.trim().replace(/^</, '').replace(/>$/, '');
  const at = bare.lastIndexOf('@');
  return at < 0
    ? { local: bare, domain: '' }
    : { local: bare.slice(0, at), domain: bare.slice(at + 1).toLowerCase() };
}

/** Ids written without brackets: words that hold an `@` with something on each side. */
function unbracketed(text: string): string[] {
  return text
    .split(/[\s,;"'()>]+/)
    .filter((word) => word.length <= idOctetsMax && /^[^@]+@[^@]+$/.test(word))
    .map((word) => `<${word}>`);
}
