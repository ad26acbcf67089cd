/** Message-IDs: parsing, and recognising our own and those of SES (RFC 5322 3.6.4). */
import { type EmailId, parseId } from '../ids.ts';
import { splitAddress } from './addresses.ts';

/** Longest id kept; a longer one does not fit in a header line (RFC 5322 2.1.1). */
const idOctetsMax = 995;

/**
 * The ids in a `Message-ID`, `In-Reply-To` or `References` value, in order, each once, with angle brackets. Accepts
 * missing brackets, commas, phrases between ids and white space inside them.
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

/** The part before the last `@`, without brackets; the whole id if there is no `@`. */
export function localPart(messageId: string): string {
  return split(messageId).local;
}

/** The email id in a Message-ID of our form, `<eml_…@domain>`; null for any other. */
export function ownEmailId(messageId: string): EmailId | null {
  return parseId('eml', localPart(messageId));
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
    .filter((word) => word.length <= idOctetsMax && /^[^@]+@[^@]+$/.test(word))
    .map((word) => `<${word}>`);
}
