/**
 * The MIME parts of a message rewritten so that the MIME parser reads them in linear time, and the files in them.
 *
 * The parser spends microseconds on each line of a part, joins flowed text across quote depths, and normalizes the line
 * ends of files. So preambles and epilogues are dropped, and `mime-part.ts` decodes each part. Where delimiters are missing or
 * are not the declared ones, the parts are found as far as possible: no header of a part is shown as text, and no part is lost.
 */

import { bufferOf, carriageReturn } from '../text/octets.ts';
import type { TextBudget } from '../text/text-limits.ts';
import { decodeDeclaredText } from './actual-encoding.ts';
import {
  type HeaderEnd,
  type HeaderPlace,
  headerEnd,
  isBlank,
  isContentFieldAt,
  isMimeFieldAt,
  lineAfter,
} from './header-end.ts';
import { mimePart, multipartHeader, type PartFile, type PartText, type RewriteState } from './mime-part.ts';
import {
  type Delimiter,
  delimiterAt,
  nextDelimiter,
  type OpenMultiparts,
  openMultiparts,
  presumedBoundary,
} from './multiparts.ts';
import {
  boundaryOf,
  declaredText,
  multipartSubtypeOf,
  type PartHeader,
  readPartHeader,
} from './part-header.ts';
import { codecOf } from './transfer-encodings.ts';

/** A message for the MIME parser, with what the parser does not see. */
export interface RewrittenMessage {
  readonly source: Buffer;
  /** The content of a file, as the parser sees it, is its index here. */
  readonly files: readonly PartFile[];
  /** Charsets used instead of declared ones. */
  readonly replacedCharsets: readonly string[];
  /** In order; null where the structure leaves open which parts there are. */
  readonly texts: readonly PartText[] | null;
  /** Whether delimiters are missing, or are not the declared ones. */
  readonly isRepaired: boolean;
}

/** What a message consists of, in order. */
type Item =
  | { readonly is: 'part'; readonly header: PartHeader; readonly body: Buffer }
  | { readonly is: 'multipart'; readonly subtype: string; readonly boundary: string }
  | { readonly is: 'delimiter'; readonly boundary: string; readonly isClosing: boolean };

/** The state of reading the structure. */
interface Scan {
  readonly bytes: Buffer;
  readonly fallbackCharset: string;
  readonly open: OpenMultiparts;
  readonly items: Item[];
  delimiters: number;
  /** Searches for a boundary. */
  repairs: number;
  isRepaired: boolean;
  isPlain: boolean;
}

/** Each part may become a file to store and to list. */
const delimitersMax = 800;
/** Multiparts whose boundary is searched; each search may read the whole message. */
const repairsMax = 20;
/** Deeper or larger ones are left to the MIME parser, which has limits of its own. */
const plainLevelsMax = 100;
const plainHeaderBytesMax = 1024 * 1024;
/** Lines that begin with two dashes; beyond, nothing is repaired. */
const lookedMax = 100_000;
const beginningBytes = 500;
const plainBoundary = /^[\x20-\x7e]*[^-\s]$/;

/**
 * Rewrites the parts of a message. The content stays the same, except that texts are cut to `textBudget`.
 *
 * @param source a message with its header, whose lines end in LF or CRLF
 * @param options.header where the header of the message ends
 * @param options.textBudget for all texts of a kind together
 * @param options.fallbackCharset of undeclared text and filenames that are not UTF-8
 * @param options.hadReturnsOnly whether the lines of the message ended in CR alone
 * @throws Error if there are too many parts, or they are nested deeper than the parser supports
 */
export function rewriteParts(
  source: Uint8Array,
  options: { header?: HeaderEnd; textBudget: TextBudget; fallbackCharset: string; hadReturnsOnly?: boolean },
): RewrittenMessage {
  const { textBudget, fallbackCharset, hadReturnsOnly = false } = options;
  const given = bufferOf(source);
  const headerAt = options.header ?? headerEnd(given, 0);
  const fields = readPartHeader(given.subarray(0, headerAt.end), undefined, fallbackCharset);
  const { bytes, bodyAt } = withReadableBody(given, fields, headerAt.bodyAt);
  const scan: Scan = {
    bytes,
    fallbackCharset,
    open: openMultiparts(),
    items: [],
    delimiters: 0,
    repairs: 0,
    isRepaired: false,
    isPlain: true,
  };
  const headerBytes = headerAt.end + readStructure(scan, fields, bodyAt);
  const replacedCharsets = new Set<string>();
  const state: RewriteState = {
    files: [],
    texts: [],
    replacedCharsets,
    budget: { ...textBudget },
    fallbackCharset,
    hadReturnsOnly,
  };
  const written = scan.items.map((item) => rewritten(item, state));
  return {
    get source() {
      return Buffer.concat(written.flatMap((part) => part()));
    },
    files: state.files,
    replacedCharsets: [...replacedCharsets],
    texts: scan.isPlain && headerBytes <= plainHeaderBytesMax ? state.texts : null,
    isRepaired: scan.isRepaired,
  };
}

/** A message whose parts are encoded together, which RFC 2045 6.4 forbids, with the decoded body. */
function withReadableBody(bytes: Buffer, header: PartHeader, bodyAt: number) {
  if (codecOf(header.encoding) === null || multipartSubtypeOf(header) === null) return { bytes, bodyAt };
  const boundary = boundaryOf(header.type);
  if (boundary === '' || bytes.includes(`\n--${boundary}`, 0, 'latin1')) return { bytes, bodyAt };
  return { bytes: decodeDeclaredText(header.encoding, bytes.subarray(bodyAt)), bodyAt: 0 };
}

function rewritten(item: Item, state: RewriteState): () => readonly Uint8Array[] {
  if (item.is === 'part') return mimePart(item.header, item.body, state);
  if (item.is === 'multipart') return () => [multipartHeader(item.subtype, item.boundary)];
  return () => [Buffer.from(`\n--${item.boundary}${item.isClosing ? '--' : ''}\n`, 'latin1')];
}

/** Reads parts and delimiters below the header of the message; returns the size of their headers. */
function readStructure(scan: Scan, top: PartHeader, topBodyAt: number): number {
  const { bytes, open } = scan;
  let headerBytes = 0;
  let [header, bodyAt] = [top, topBodyAt];
  for (;;) {
    const begun = beginPart(scan, header, bodyAt);
    let at: number | null = bodyAt;
    if (begun !== 'header') {
      const delimiter = begun.first ?? nextDelimiter(bytes, bodyAt, open);
      if (begun.part) addPart(scan, begun.part, bytes.subarray(bodyAt, endOfBody(bytes, bodyAt, delimiter)));
      at = addDelimiters(scan, delimiter);
    }
    if (at === null) return headerBytes;
    const place = headerEnd(bytes, at, placeIn(scan));
    headerBytes += place.end - at;
    header = readPartHeader(bytes.subarray(at, place.end), open.innermost(), scan.fallbackCharset);
    bodyAt = place.bodyAt;
  }
}

function placeIn({ bytes, open }: Scan): HeaderPlace {
  return {
    isDelimiter: (lineAt) => delimiterAt(bytes, lineAt, open) !== null,
    hasMisplacedFields: open.innermost()?.subtype !== 'digest',
  };
}

/** What begins at the body of a part: `header`, where another header begins; else the first delimiter, as far as known. */
type Beginning = 'header' | { readonly part: PartHeader | null; readonly first: Delimiter | null };

function beginPart(scan: Scan, header: PartHeader, bodyAt: number): Beginning {
  const subtype =
    multipartSubtypeOf(header) ?? (isUndeclaredMultipart(scan, header, bodyAt) ? 'mixed' : null);
  if (subtype === null) return { part: header, first: null };
  const { bytes, open } = scan;
  const boundary = boundaryOf(header.type);
  const level = open.depth();
  if (scan.repairs > 0 && open.looked() > lookedMax) return { part: partlessOf(header), first: null };
  if (boundary !== '') {
    open.push({ boundary, subtype, hasParts: true });
    const first = nextDelimiter(bytes, bodyAt, open);
    if (first?.level === level && !first.isClosing) return enter(scan, bodyAt, first);
    open.truncate(level);
  }
  const presumed = presumedBoundaryAt(scan, bodyAt);
  scan.isRepaired ||= presumed !== null || !isBlank(bytes, bodyAt, bytes.length);
  if (presumed !== null) {
    open.push({ boundary: presumed, subtype, hasParts: true });
    return enter(scan, bodyAt, nextDelimiter(bytes, bodyAt, open));
  }
  // Its closing delimiter may be there, and is no text.
  if (boundary !== '') open.push({ boundary, subtype, hasParts: false });
  if (scan.repairs <= repairsMax && isMimeFieldAt(bytes, bodyAt)) return 'header';
  return { part: partlessOf(header), first: null };
}

/** The header of what stands in a multipart without parts. */
function partlessOf({ encoding, alternative }: PartHeader): PartHeader {
  return { fields: [], type: '', encoding, disposition: '', alternative };
}

/** Enters the multipart pushed last. The header of a part may stand where its delimiter is missing. */
function enter(scan: Scan, bodyAt: number, first: Delimiter | null): Beginning {
  const { bytes, open, items } = scan;
  const { subtype = '', boundary = '' } = open.innermost() ?? {};
  scan.isPlain &&= plainBoundary.test(boundary) && open.depth() <= plainLevelsMax;
  items.push({ is: 'multipart', subtype, boundary });
  const isPart =
    isMimeFieldAt(bytes, bodyAt) && /^content-type/i.test(bytes.toString('latin1', bodyAt, bodyAt + 12));
  if (!isPart) return { part: null, first };
  items.push({ is: 'delimiter', boundary, isClosing: false });
  return 'header';
}

/** The boundary in use where it is not the declared one. */
function presumedBoundaryAt(scan: Scan, bodyAt: number): string | null {
  const { bytes, open } = scan;
  scan.repairs++;
  if (scan.repairs > repairsMax || open.looked() > lookedMax) return null;
  const end = nextDelimiter(bytes, bodyAt, open)?.start ?? bytes.length;
  return presumedBoundary(bytes, bodyAt, end);
}

/** Whether a message of plain text begins with a delimiter and a part. */
function isUndeclaredMultipart({ bytes, open }: Scan, header: PartHeader, bodyAt: number): boolean {
  if (open.depth() > 0 || !/^\s{0,50}(?:--|this )/i.test(bytes.toString('latin1', bodyAt, bodyAt + 55)))
    return false;
  if (declaredText(header)?.kind !== 'plain') return false;
  const beginning = bytes.toString('latin1', bodyAt, bodyAt + beginningBytes);
  const [skipped = '', preamble, line] =
    /^\s{0,50}(this is a (?:multi-?part|mime-encapsulated) message[^\n]{0,100}\n\s{0,50})?(?=(--[^\s-][^\n]*))/i.exec(
      beginning,
    ) ?? [];
  if (line === undefined) return false;
  if (isContentFieldAt(bytes, lineAfter(bytes, bodyAt + skipped.length))) return true;
  return preamble !== undefined && bytes.includes(`\n${line.trimEnd()}`, bodyAt + skipped.length, 'latin1');
}

function addPart({ items }: Scan, header: PartHeader, body: Buffer): void {
  const { alternative } = header;
  const form = alternative === null ? null : declaredText(header)?.form;
  if (alternative !== null && (form === 'exact' || form === 'broken')) alternative.hasText = true;
  items.push({ is: 'part', header, body });
}

/**
 * Adds the delimiters before the next part, and returns where that begins: the epilogue of each multipart that ends is
 * skipped. A multipart that goes on after its closing delimiter has not ended.
 */
function addDelimiters(scan: Scan, first: Delimiter | null): number | null {
  const { bytes, open, items } = scan;
  for (let next = first; next; ) {
    const { level, isClosing, next: lineEnd } = next;
    const multipart = open.at(level);
    if (++scan.delimiters > delimitersMax) throw new Error('the message has too many parts');
    open.truncate(level + 1);
    if (multipart === undefined) return null;
    const { boundary, hasParts } = multipart;
    if (!isClosing && hasParts) {
      items.push({ is: 'delimiter', boundary, isClosing });
      return lineEnd;
    }
    if (!hasParts || multipart.hasOuterTwin) open.truncate(level);
    next = nextDelimiter(bytes, lineEnd, open);
    if (next?.level === level && isBlank(bytes, lineEnd, next.start)) continue;
    if (next?.level === level) next = null;
    open.truncate(level);
    if (hasParts) items.push({ is: 'delimiter', boundary, isClosing: true });
  }
  return null;
}

/** The line end before a delimiter belongs to the delimiter (RFC 2046 5.1.1). */
function endOfBody(bytes: Buffer, bodyAt: number, delimiter: Delimiter | null): number {
  if (!delimiter) return bytes.length;
  const delimiterAt = delimiter.start;
  const end = delimiterAt - (bytes[delimiterAt - 2] === carriageReturn ? 2 : 1);
  return Math.max(bodyAt, end);
}
