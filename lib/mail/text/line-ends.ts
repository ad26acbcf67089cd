/** Line ends of received messages: CR alone, as old programs and faulty gateways write, becomes LF. */
import { bufferOf, carriageReturn, isSpace, lineFeed } from './octets.ts';

/** A message whose lines end in LF or CRLF. */
export interface NormalizedMessage {
  readonly source: Uint8Array;
  /** Whether the lines of the message ended in CR alone. */
  readonly hadReturnsOnly: boolean;
}

/** Line ends are judged by the first bytes of a message. */
const headerBytesMax = 256 * 1024;

/** Removes a byte order mark and blank lines before the header, and converts CR line ends to LF. */
export function normalizeLineEnds(raw: Uint8Array): NormalizedMessage {
  let start = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  for (let at = start; isSpace(raw[at] ?? 0); at++) {
    if (raw[at] === carriageReturn || raw[at] === lineFeed) start = at + 1;
  }
  const source = raw.subarray(start);
  if (source.includes(lineFeed) && !hasHiddenFields(source)) return { source, hadReturnsOnly: false };
  const normalized = Uint8Array.from(source);
  for (
    let at = normalized.indexOf(carriageReturn);
    at >= 0;
    at = normalized.indexOf(carriageReturn, at + 1)
  ) {
    if (normalized[at + 1] !== lineFeed) normalized[at] = lineFeed;
  }
  return { source: normalized, hadReturnsOnly: true };
}

/** The bytes of a body as they were before `normalizeLineEnds` converted their line ends. */
export function restoreReturns(body: Buffer): Buffer {
  const restored = Buffer.from(body);
  for (let at = restored.indexOf(lineFeed); at >= 0; at = restored.indexOf(lineFeed, at + 1)) {
    if (restored[at - 1] !== carriageReturn) restored[at] = carriageReturn;
  }
  return restored;
}

/**
 * Whether servers put trace fields that end in LF before a message of CR lines: no blank line ends in LF. A CR inside a
 * value must not change who the author is.
 */
function hasHiddenFields(source: Uint8Array): boolean {
  const start = bufferOf(source).subarray(0, headerBytesMax);
  if (start.includes('\n\n') || start.includes('\n\r\n')) return false;
  const text = start.toString('latin1');
  if (!/\r(?:from|to|subject|date)[ \t]*:/i.test(text)) return false;
  const author = /(?:^|\n)from[ \t]*:([^\r\n]*)/i.exec(text);
  return author === null || author[1] === /(?:^|[\r\n])from[ \t]*:([^\r\n]*)/i.exec(text)?.[1];
}
