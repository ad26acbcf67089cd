/** Which message a report speaks of: its Message-ID and References, from the copy that came back, whole or in part. */
import { firstHeaderValue, readHeaders } from './headers.ts';
import { parseMessageIds } from './message-ids.ts';
import type { ParsedMessage } from './parse-mime.ts';

export interface OriginalMessage {
  /** With angle brackets, as are the references. */
  readonly messageId: string | null;
  /** Oldest first. */
  readonly references: readonly string[];
  /** The header of the copy as text, for fields that only some senders write. */
  readonly header: string;
}

const copyTypes =
  /^(?:message\/(?:rfc822|partial|global)|text\/rfc822-headers?|message\/(?:rfc822|global)-headers)$/;
/** A header is read this far; returned messages may be large. */
const headerOctetsMax = 256 * 1024;
/** How far into a text the copy of a message is looked for. */
const textReach = 256 * 1024;

/**
 * The message that `message` brings back, as an attachment or within its text.
 *
 * @param text the readable text of `message`
 */
export function originalMessageOf(message: ParsedMessage, text: string): OriginalMessage {
  const copies = message.attachments.filter(({ contentType }) => copyTypes.test(contentType));
  const files = message.attachments.filter(({ contentType }) => contentType.startsWith('text/plain'));
  for (const { content } of [...copies, ...files]) {
    const found = inHeader(content.subarray(0, headerOctetsMax));
    if (found.messageId !== null || found.references.length > 0) return found;
  }
  return inText(text.slice(0, textReach));
}

function inHeader(content: Uint8Array): OriginalMessage {
  // Lines before the header (`From `, blank ones) are no part of it.
  const start = content.findIndex((octet) => octet > 0x20);
  const { fields, bodyAt } = readHeaders(content.subarray(Math.max(start, 0)), 'utf-8');
  const ids = (name: string) => parseMessageIds(firstHeaderValue(fields, name) ?? '');
  return {
    messageId: ids('message-id')[0] ?? null,
    references: [...new Set([...ids('references'), ...ids('in-reply-to')])],
    header: Buffer.from(content.subarray(0, Math.max(start, 0) + bodyAt)).toString('latin1'),
  };
}

/** A report's own words hold no such fields, so those found are the copy's; where it is a report itself, the last ones. */
function inText(text: string): OriginalMessage {
  const values = (name: string) =>
    [...text.matchAll(new RegExp(`^[ \\t]*${name}[ \\t]*:((?:.*)(?:\\n[ \\t]+\\S.*){0,400})`, 'gim'))].map(
      ([, value = '']) => value,
    );
  const ids = (name: string) => parseMessageIds(values(name).at(-1) ?? '');
  return {
    messageId: ids('message-id')[0] ?? null,
    references: [...new Set([...ids('references'), ...ids('in-reply-to')])],
    header: '',
  };
}
