/**
 * The MIME parts of a message rewritten so that the MIME parser reads them in linear time.
 *
 * The parser spends microseconds on each line of a part, and joins flowed text across quote depths. So each part keeps
 * only its content fields, preambles and epilogues are dropped, and `mime-part.ts` decodes what the parser would read
 * slowly or wrongly.
 */
import { mimePart, mimePartInCharset, multipartHeader, type PartHeader } from './mime-part.ts';
import type { TextBudget } from './text-limits.ts';

/** The boundaries of the multiparts around a position, innermost last. */
type OpenBoundaries = readonly string[];

/** A line that ends a part. */
interface Delimiter {
  readonly start: number;
  readonly next: number;
  /** Index of its boundary among the open ones. */
  readonly level: number;
  /** True if it ends the multipart. */
  readonly isClosing: boolean;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dash = 0x2d;
/** Nesting limit of the MIME parser. */
const levelsMax = 256;
/** RFC 2046 5.1.1 allows 70 characters; some programs write more. */
const boundaryMax = 1000;

/**
 * Rewrites the parts of a message. The content stays the same, except that texts are cut to `textBudget`.
 *
 * @param source a message with its header, whose lines end in LF or CRLF
 * @param textBudget for all texts of a kind together
 * @param charset declared for all texts instead of their own; files are then left empty
 * @throws Error if parts are nested deeper than the parser supports
 */
export function rewriteParts(
  source: Uint8Array,
  textBudget: TextBudget,
  charset: string | null = null,
): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const written: Uint8Array[] = [];
  const budget = { ...textBudget };
  let open: OpenBoundaries = [];
  for (let at: number | undefined = 0; at !== undefined; ) {
    const { end, bodyAt } = headerAt(bytes, at, open);
    const header = readHeader(bytes.toString('latin1', at, end));
    const isMultipart = /^multipart\//i.test(header.type);
    if (isMultipart) {
      const boundary = boundaryOf(header.type);
      if (boundary !== '') open = [...open, boundary];
      if (open.length > levelsMax) throw new Error('the parts are nested too deep');
      written.push(multipartHeader(header.type, boundary));
    }
    let delimiter = nextDelimiter(bytes, bodyAt, open);
    if (!isMultipart) {
      const body = bytes.subarray(bodyAt, delimiter?.start);
      written.push(
        ...(charset === null
          ? mimePart(header, body, budget)
          : mimePartInCharset(header, body, budget, charset)),
      );
    }
    // Skips the epilogue of a finished multipart.
    while (delimiter?.isClosing) {
      written.push(bytes.subarray(delimiter.start, delimiter.next));
      open = open.slice(0, delimiter.level);
      delimiter = nextDelimiter(bytes, delimiter.next, open);
    }
    if (delimiter) {
      written.push(bytes.subarray(delimiter.start, delimiter.next));
      open = open.slice(0, delimiter.level + 1);
    }
    at = delimiter?.next;
  }
  return Buffer.concat(written);
}

/** End of the header that begins at `start`, and beginning of the body. */
function headerAt(bytes: Buffer, start: number, open: OpenBoundaries): { end: number; bodyAt: number } {
  for (let at = start; at < bytes.length; ) {
    const next = lineAfter(bytes, at);
    if (isBlank(bytes, at)) return { end: at, bodyAt: next };
    if (delimiterAt(bytes, at, open)) return { end: at, bodyAt: at };
    at = next;
  }
  return { end: bytes.length, bodyAt: bytes.length };
}

function lineAfter(bytes: Buffer, at: number): number {
  const feed = bytes.indexOf(lineFeed, at);
  return feed < 0 ? bytes.length : feed + 1;
}

function isBlank(bytes: Buffer, start: number): boolean {
  let at = start;
  while (bytes[at] === carriageReturn) at++;
  return bytes[at] === lineFeed || at === bytes.length;
}

function nextDelimiter(bytes: Buffer, from: number, open: OpenBoundaries): Delimiter | null {
  if (open.length === 0) return null;
  for (let at = bytes.indexOf('\n--', from - 1); at >= 0; at = bytes.indexOf('\n--', at + 3)) {
    const found = delimiterAt(bytes, at + 1, open);
    if (found) return found;
  }
  return null;
}

function delimiterAt(bytes: Buffer, start: number, open: OpenBoundaries): Delimiter | null {
  if (open.length === 0 || bytes[start] !== dash || bytes[start + 1] !== dash) return null;
  const next = lineAfter(bytes, start);
  if (next - start > boundaryMax * 2) return null;
  const line = bytes.toString('latin1', start + 2, next).trimEnd();
  const level = open.findLastIndex((boundary) => line === boundary || line === `${boundary}--`);
  return level < 0 ? null : { start, next, level, isClosing: line !== open[level] };
}

function readHeader(block: string): PartHeader {
  const fields = block
    .split(/\n(?![ \t])/)
    .filter((field) => /^content-[a-z-]{2,20}[ \t]{0,20}:/i.test(field))
    .map((field) => field.trimEnd());
  const value = (name: string) => {
    const field = fields.find((one) => one.slice(0, one.indexOf(':')).trimEnd().toLowerCase() === name) ?? '';
    return field
      .slice(field.indexOf(':') + 1)
      .replace(/[\r\n]+/g, '')
      .trim();
  };
  return {
    fields,
    type: value('content-type'),
    encoding: value('content-transfer-encoding'),
    disposition: value('content-disposition'),
  };
}

/** The boundary parameter of a media type, also in sections (RFC 2231 3); empty if missing or too long. */
function boundaryOf(type: string): string {
  const [, quoted, token = ''] = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)|([^";]*))/i.exec(type) ?? [];
  const sections = [...type.matchAll(/;\s*boundary\*\d+\s*=\s*"?([^";]*)/gi)].map(([, section]) => section);
  // A comment may follow the token.
  const named = quoted?.replace(/\\(.)/g, '$1') ?? (token.replace(/\s\(.*/, '').trim() || sections.join(''));
  return named.length > boundaryMax ? '' : named.trimEnd();
}
