/**
 * The MIME parts of a message rewritten so that the MIME parser reads them in linear time, and the files in them.
 *
 * The parser spends microseconds on each line of a part, joins flowed text across quote depths, and normalizes the line
 * ends of files. So preambles and epilogues are dropped, and `mime-part.ts` decodes each part.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { decodeBytes } from '../text/charsets.ts';
import type { TextBudget } from '../text/text-limits.ts';
import {
  mimePart,
  multipartHeader,
  type PartFile,
  type PartHeader,
  type PartText,
  type RewriteState,
  type RewrittenPart,
} from './mime-part.ts';

/** A multipart around a position. */
interface Multipart {
  readonly boundary: string;
  /** Lower case. */
  readonly subtype: string;
}

/** The multiparts around a position that have a boundary, innermost last. */
type OpenMultiparts = readonly Multipart[];

/** A message for the MIME parser, with what the parser does not see. */
export interface RewrittenMessage {
  readonly source: Buffer;
  /** The content of a file, as the parser sees it, is its index here. */
  readonly files: readonly PartFile[];
  /** Charsets used instead of declared ones. */
  readonly replacedCharsets: readonly string[];
  /** In order; null where the structure leaves open which parts there are. */
  readonly texts: readonly PartText[] | null;
}

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
const lineFeedBytes = Buffer.from('\n');
/** Nesting limit of the MIME parser. */
const levelsMax = 256;
/** Deeper or larger ones are left to the MIME parser, which has limits of its own. */
const plainLevelsMax = 100;
const plainHeaderBytesMax = 1024 * 1024;
/** RFC 2046 5.1.1 allows 70 characters; some programs write more. */
const boundaryMax = 1000;

/**
 * Rewrites the parts of a message. The content stays the same, except that texts are cut to `textBudget`.
 *
 * @param source a message with its header, whose lines end in LF or CRLF
 * @param options.textBudget for all texts of a kind together
 * @param options.fallbackCharset of undeclared text and filenames that are not UTF-8
 * @param options.hadReturnsOnly whether the lines of the message ended in CR alone
 * @throws Error if parts are nested deeper than the parser supports
 */
export function rewriteParts(
  source: Uint8Array,
  options: { textBudget: TextBudget; fallbackCharset: string; hadReturnsOnly?: boolean },
): RewrittenMessage {
  const { textBudget, fallbackCharset, hadReturnsOnly = false } = options;
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const written: RewrittenPart[] = [];
  const replacedCharsets = new Set<string>();
  const budget = { ...textBudget };
  const state: RewriteState = {
    files: [],
    texts: [],
    replacedCharsets,
    budget,
    fallbackCharset,
    hadReturnsOnly,
  };
  let open: OpenMultiparts = [];
  let isPlain = true;
  let headerBytes = 0;
  for (let at: number | undefined = 0; at !== undefined; ) {
    const { end, bodyAt } = headerAt(bytes, at, open);
    const header = readHeader(headerText(bytes.subarray(at, end), fallbackCharset), open);
    const isMultipart = /^multipart\//i.test(header.type);
    headerBytes += end - at;
    if (isMultipart) {
      const boundary = boundaryOf(header.type);
      if (boundary !== '') open = [...open, { boundary, subtype: subtypeOf(header.type) }];
      if (open.length > levelsMax) throw new Error('the parts are nested too deep');
      isPlain &&= /^[\x20-\x7e]*[^-\s]$/.test(boundary) && open.length <= plainLevelsMax;
      written.push(() => [multipartHeader(header.type, boundary)]);
    }
    const delimiter = nextDelimiter(bytes, bodyAt, open);
    if (!isMultipart) {
      const bodyEnd = endOfBody(bytes, bodyAt, delimiter);
      written.push(mimePart(header, bytes.subarray(bodyAt, bodyEnd), state));
    }
    const delimiters = delimitersFrom(bytes, delimiter, open);
    written.push(...delimiters.map((one) => delimiterLine(bytes, one)));
    const last = delimiters.at(-1);
    if (last) open = openAfter(last, open);
    at = last?.isClosing ? undefined : last?.next;
  }
  return {
    get source() {
      return Buffer.concat(written.flatMap((part) => part()));
    },
    files: state.files,
    replacedCharsets: [...replacedCharsets],
    texts: isPlain && headerBytes <= plainHeaderBytesMax ? state.texts : null,
  };
}

/** The subtype of a multipart in lower case. */
function subtypeOf(type: string): string {
  return /^multipart\/([\w.+-]*)/i.exec(type)?.[1]?.toLowerCase() ?? '';
}

/** The delimiters before the next part: the epilogue of each multipart that ends is skipped. */
function delimitersFrom(bytes: Buffer, first: Delimiter | null, open: OpenMultiparts): Delimiter[] {
  const delimiters: Delimiter[] = [];
  let around = open;
  for (let next = first; next; next = nextDelimiter(bytes, next.next, around)) {
    delimiters.push(next);
    if (!next.isClosing) break;
    around = openAfter(next, around);
  }
  return delimiters;
}

function openAfter({ level, isClosing }: Delimiter, open: OpenMultiparts): OpenMultiparts {
  return open.slice(0, isClosing ? level : level + 1);
}

function delimiterLine(bytes: Buffer, { start, next }: Delimiter): RewrittenPart {
  return () => [lineFeedBytes, bytes.subarray(start, next)];
}

/** The line end before a delimiter belongs to the delimiter (RFC 2046 5.1.1). */
function endOfBody(bytes: Buffer, bodyAt: number, delimiter: Delimiter | null): number {
  if (!delimiter) return bytes.length;
  const delimiterAt = delimiter.start;
  const end = delimiterAt - (bytes[delimiterAt - 2] === carriageReturn ? 2 : 1);
  return Math.max(bodyAt, end);
}

/** The header of a part, one character a byte, with unencoded 8-bit filenames in UTF-8. */
function headerText(header: Buffer, fallbackCharset: string): string {
  if (isAscii(header) || isUtf8(header)) return header.toString('latin1');
  return Buffer.from(decodeBytes(header, fallbackCharset)).toString('latin1');
}

/** End of the header that begins at `start`, and beginning of the body. */
function headerAt(bytes: Buffer, start: number, open: OpenMultiparts): { end: number; bodyAt: number } {
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

function nextDelimiter(bytes: Buffer, from: number, open: OpenMultiparts): Delimiter | null {
  if (open.length === 0) return null;
  for (let at = bytes.indexOf('\n--', from - 1); at >= 0; at = bytes.indexOf('\n--', at + 3)) {
    const found = delimiterAt(bytes, at + 1, open);
    if (found) return found;
  }
  return null;
}

function delimiterAt(bytes: Buffer, start: number, open: OpenMultiparts): Delimiter | null {
  if (open.length === 0 || bytes[start] !== dash || bytes[start + 1] !== dash) return null;
  const next = lineAfter(bytes, start);
  if (next - start > boundaryMax * 2) return null;
  const line = bytes.toString('latin1', start + 2, next).trimEnd();
  const level = open.findLastIndex(({ boundary }) => line === boundary || line === `${boundary}--`);
  return level < 0 ? null : { start, next, level, isClosing: line !== open[level]?.boundary };
}

const namedParameter = /(name\*?\d{0,3}\*?\s{0,20}=\s{0,20})("(?:[^"\\]|\\.)*"?|[^;]*)/gi;

/** Windows paths in names: a backslash escapes nothing there but quotation marks and itself (RFC 2045 5.1). */
function withSlashes(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replace(
    namedParameter,
    (_, name: string, value: string) =>
      name + value.replace(/\\(["\\])|\\/g, (pair, kept) => (kept ? pair : '/')),
  );
}

function readHeader(block: string, open: OpenMultiparts): PartHeader {
  const fields = block
    // Some programs do not indent a folded boundary.
    .split(/\n(?![ \t]|boundary[ \t]{0,20}=)/i)
    .filter((field) => /^content-[a-z-]{2,20}[ \t]{0,20}:/i.test(field))
    .map((field) => withSlashes(field.trimEnd()));
  const value = (name: string) => {
    const field = fields.find((one) => one.slice(0, one.indexOf(':')).trimEnd().toLowerCase() === name) ?? '';
    return field
      .slice(field.indexOf(':') + 1)
      .replace(/[\r\n]+/g, '')
      .trim();
  };
  const type = value('content-type');
  // RFC 2046 5.1.5: a part of a digest is a message by default.
  const isMessage = type === '' && open.at(-1)?.subtype === 'digest';
  return {
    fields: isMessage ? [...fields, 'Content-Type: message/rfc822'] : fields,
    type: isMessage ? 'message/rfc822' : type,
    encoding: value('content-transfer-encoding'),
    disposition: value('content-disposition'),
    alternative: open.findLast(({ subtype }) => subtype === 'alternative') ?? null,
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
