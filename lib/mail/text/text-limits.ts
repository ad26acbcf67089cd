/** Size limits of message texts, and truncation to them. */
import { isUtf8 } from 'node:buffer';
import { lineFeed } from './octets.ts';

/** UTF-8 bytes kept of a message's plain text and of its html. */
export interface TextBudget {
  readonly plain: number;
  readonly html: number;
}

/** Of a received email. A response has the text three times and the html twice, and at most 6 MB (docs/decisions/0023-limits-of-shown-text.md). */
export const receivedTextBudget: TextBudget = {
  plain: 512 * 1024,
  html: 1024 * 1024,
};

/** Upper bound of a text's size in UTF-8 bytes; UTF-8 needs at most twice the bytes of a legacy charset. */
export function utf8Bytes(content: Uint8Array): number {
  return isUtf8(content) ? content.length : content.length * 2;
}

/**
 * The beginning of a text: as many whole lines as fit, or part of a line if lines are long. A text that fits is returned
 * whole.
 *
 * @param bytesMax UTF-8 bytes
 */
export function truncateBytes(content: Uint8Array, bytesMax: number): Uint8Array {
  const bytes = utf8Bytes(content);
  if (bytes <= bytesMax) return content;
  const end = Math.floor(bytesMax / (bytes / content.length));
  const feed = end === 0 ? -1 : content.lastIndexOf(lineFeed, end - 1);
  return content.subarray(0, feed >= end / 2 ? feed + 1 : characterStart(content, end));
}

/** Like `truncateBytes`, for a decoded text. */
export function truncateText(text: string, bytesMax: number): string {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text;
  return Buffer.from(truncateBytes(Buffer.from(text), bytesMax)).toString();
}

/** The nearest UTF-8 character boundary at or before `at`. */
function characterStart(content: Uint8Array, at: number): number {
  let start = at;
  while (start > at - 3 && start > 0 && ((content[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
