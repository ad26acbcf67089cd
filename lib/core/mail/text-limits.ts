/** Texts that are too long to be shown whole: how long that is, and where they are cut. */
import { isUtf8 } from 'node:buffer';
import { limits } from '../limits.ts';

/** Octets of UTF-8 that are shown of a message: of its plain text, and of its html. */
export interface TextBudget {
  readonly plain: number;
  readonly html: number;
}

/** What an email shows of a received message. */
export const receivedTextBudget: TextBudget = {
  plain: limits.receivedTextBytes,
  html: limits.receivedHtmlBytes,
};

const lineFeed = 0x0a;

/** Octets of a text in UTF-8, or in the charsets that came before it, of which UTF-8 may need twice as many. */
export function utf8Bytes(content: Uint8Array): number {
  return isUtf8(content) ? content.length : content.length * 2;
}

/**
 * The whole lines at the beginning of a text, as many as fit; where its lines are long, part of one. All of a text that
 * fits.
 *
 * @param room octets of UTF-8
 */
export function truncateBytes(content: Uint8Array, room: number): Uint8Array {
  const octets = utf8Bytes(content);
  if (octets <= room) return content;
  const end = Math.floor(room / (octets / content.length));
  const feed = end === 0 ? -1 : content.lastIndexOf(lineFeed, end - 1);
  return content.subarray(0, feed >= end / 2 ? feed + 1 : characterStart(content, end));
}

/** As `beginningOf`, of a text that is decoded. */
export function truncateText(text: string, room: number): string {
  // No character has more than three octets for each of its units.
  if (text.length * 3 <= room || Buffer.byteLength(text) <= room) return text;
  return Buffer.from(truncateBytes(Buffer.from(text), room)).toString();
}

/** The place at or before `at` where no character of UTF-8 is broken. */
function characterStart(content: Uint8Array, at: number): number {
  let start = at;
  while (start > at - 3 && start > 0 && ((content[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
