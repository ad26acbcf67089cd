/**
 * The parts of a message written anew, so that the MIME reader takes any of them in time that grows with their size.
 *
 * The reader spends microseconds on each line of a part, and joins flowed text without regard to quotes. So each part
 * keeps the fields that say what it is, what stands outside of parts is left out, and what the reader would be slow or
 * wrong with is decoded on the way (`leaf.ts`).
 */
import { mimePart, multipartHeader, type PartHeader, relabelled } from './mime-part.ts';
import type { TextBudget } from './text-limits.ts';

/** What is open at a place in a message: the boundaries of the multiparts around it, innermost last. */
type Open = readonly string[];

/** A line that ends a part. */
interface Delimiter {
  readonly start: number;
  readonly next: number;
  /** Place of its boundary among those open. */
  readonly level: number;
  /** True where it ends the whole multipart. */
  readonly closes: boolean;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dash = 0x2d;
/** As deep as the MIME reader goes. */
const levelsMax = 256;
/** No boundary is longer than 70 characters (RFC 2046 5.1.1); some programs do not know. */
const boundaryMax = 1000;

/**
 * The message with its parts written anew; to readers of its parts it says the same, but for texts longer than `shown`.
 *
 * @param source a message whose lines end in LF or CRLF, its header included
 * @param shown of all texts of a kind together
 * @param readAs charset that texts are said to be in, whatever they claim; files are then left empty
 * @throws Error where parts are nested deeper than the reader goes
 */
export function rewriteParts(source: Uint8Array, shown: TextBudget, readAs: string | null = null): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const written: Uint8Array[] = [];
  const room = { ...shown };
  let open: Open = [];
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
        ...(readAs === null ? mimePart(header, body, room) : relabelled(header, body, room, readAs)),
      );
    }
    // After the end of a multipart stands what belongs to nothing, up to the next part of one around it.
    while (delimiter?.closes) {
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

/** Where the header that begins at `start` ends, and where what follows it begins. */
function headerAt(bytes: Buffer, start: number, open: Open): { end: number; bodyAt: number } {
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

function nextDelimiter(bytes: Buffer, from: number, open: Open): Delimiter | null {
  if (open.length === 0) return null;
  for (let at = bytes.indexOf('\n--', from - 1); at >= 0; at = bytes.indexOf('\n--', at + 3)) {
    const found = delimiterAt(bytes, at + 1, open);
    if (found) return found;
  }
  return null;
}

function delimiterAt(bytes: Buffer, start: number, open: Open): Delimiter | null {
  if (open.length === 0 || bytes[start] !== dash || bytes[start + 1] !== dash) return null;
  const next = lineAfter(bytes, start);
  if (next - start > boundaryMax * 2) return null;
  const line = bytes.toString('latin1', start + 2, next).trimEnd();
  const level = open.findLastIndex((boundary) => line === boundary || line === `${boundary}--`);
  return level < 0 ? null : { start, next, level, closes: line !== open[level] };
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

/** The boundary that a type names, whole or in sections (RFC 2231 3); empty where there is none that can be used. */
function boundaryOf(type: string): string {
  const [, quoted, token = ''] = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)|([^";]*))/i.exec(type) ?? [];
  const sections = [...type.matchAll(/;\s*boundary\*\d+\s*=\s*"?([^";]*)/gi)].map(([, section]) => section);
  // A comment may follow the token.
  const named = quoted?.replace(/\\(.)/g, '$1') ?? (token.replace(/\s\(.*/, '').trim() || sections.join(''));
  return named.length > boundaryMax ? '' : named.trimEnd();
}
