/** The original message of a report: its Message-ID and References, from the returned copy. */
import { firstHeaderValue, readHeaders } from '../message/headers.ts';
import { parseMessageIds } from '../message/parse-message-ids.ts';
import type { ParsedMessage } from '../message/parse-mime.ts';
import { normalizeLineEnds } from '../text/line-ends.ts';

export interface OriginalMessage {
  /** With angle brackets, like the references. */
  readonly messageId: string | null;
  /** Oldest first. */
  readonly references: readonly string[];
  /** The header of the copy as text, for non-standard fields. */
  readonly header: string;
}

const copyTypes =
  /^(?:message\/(?:rfc822|partial|global)|text\/rfc822-headers?|message\/(?:rfc822|global)-headers)$/;
/** Only the beginning of a returned message is read. */
const headerBytesMax = 256 * 1024;
/** The copy of a message is searched in this many characters of a text. */
const textCharactersMax = 256 * 1024;

/**
 * The original message that a report returns, as an attachment or within its text.
 *
 * @param text readable text of the report
 */
export function originalMessageOf(message: ParsedMessage, text: string): OriginalMessage {
  const copies = message.attachments.filter(({ contentType }) => copyTypes.test(contentType));
  const files = message.attachments.filter(({ contentType }) => contentType.startsWith('text/plain'));
  for (const { content } of [...copies, ...files]) {
    const found = inHeader(content.subarray(0, headerBytesMax));
    if (found.messageId !== null || found.references.length > 0) return found;
  }
  return inText(text.slice(0, textCharactersMax));
}

function inHeader(content: Uint8Array): OriginalMessage {
  // Skips blank lines before the header.
  const start = content.findIndex((byte) => byte > 0x20);
  const { source } = normalizeLineEnds(content.subarray(Math.max(start, 0)));
  const { fields, bodyStart } = readHeaders(source, 'utf-8');
  const ids = (name: string) => parseMessageIds(firstHeaderValue(fields, name) ?? '');
  return {
    messageId: ids('message-id')[0] ?? null,
    references: [...new Set([...ids('references'), ...ids('in-reply-to')])],
    header: Buffer.from(source.subarray(0, bodyStart)).toString('latin1'),
  };
}

/** Fields in the text belong to the returned copy; the last ones, since that copy may itself be a report. */
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
