/** Owns the detection of signatures at the end of written text, and of banners of mail gateways above it. */
import { isPostscript } from './answer-lines.ts';
import {
  isAppFooter,
  isBannerSequel,
  isGatewayBanner,
  isGatewayMark,
  isRareSenderTip,
  isRegistration,
  mayHoldGatewayBanner,
} from './footers.ts';
import { detectors, mayBeWholeMessage } from './signature-detectors.ts';
import { isCertainName, isRequest, isSlogan } from './signature-lines.ts';
import {
  hasAnyContact,
  hasContactRow,
  isAnswer,
  isAppFooterRow,
  isProse,
  isRuleRow,
  isUnclearRow,
  lastRows,
  type Row,
  rowsMax,
  strengthOfRow,
} from './signature-rows.ts';
import { isBlank, normalizeLine, type TextDocument } from './text-document.ts';

/** Lines from `from` up to but not including `to`. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** What authors add below their signature. */
const afterthoughtRowsMax = 12;

/** Of a warning, so much is read. */
const bannerCharactersMax = 1000;
/** A warning, a mark and a tip. */
const bannersMax = 3;
const bannerRowsMax = 6;
/** Lines of a long message that are searched for warnings. */
const headLinesMax = 40;
const bannerHeadingCharactersMax = 60;

/**
 * Finds the signatures in a run of written lines: one at its end, one above an afterthought of the author, and footers of
 * apps. Linear: reads at most 80 lines. A closing or name without text above it is the message.
 *
 * @param hasWritten whether an earlier run has text
 */
export function findSignatures(
  document: TextDocument,
  from: number,
  to: number,
  hasWritten: boolean,
): LineRange[] {
  const all = lastRows(document, from, to);
  const isFirst = all.length < rowsMax && !hasWritten;
  const head = isFirst || hasWritten ? all : lastRows(document, from, Math.min(to, from + headLinesMax));
  const banner = hasWritten ? 0 : bannersEnd(document, head);
  const rows = isFirst ? all.slice(banner) : all;
  const ranges: LineRange[] = [];
  if (banner > 0) ranges.push({ from, to: head[banner]?.line ?? to });
  const add = (start: number, end: number) => {
    const first = rows[start];
    if (start < end && first !== undefined) ranges.push({ from: first.line, to: rows[end]?.line ?? to });
  };
  const last = signatureStart(rows, rows.length, isFirst);
  add(last, rows.length);
  const above = signatureAboveAfterthought(rows, last, isFirst);
  if (above !== null) add(above.from, isRegistrationAt(rows, above.to, last) ? last : above.to);
  const end = above?.from ?? last;
  for (let row = isFirst ? 1 : 0; row < end; row++) if (isLoneFooter(rows, row, end)) add(row, row + 1);
  return ranges;
}

/** True for what a company must say of itself below a signature; not where its author speaks of it. */
function isRegistrationAt(rows: readonly Row[], from: number, to: number): boolean {
  const lines = rows.slice(from, to).map(({ text }) => text);
  return isRegistration(lines) && !lines.some((line) => isRequest(line) || isSlogan(line));
}

/** The row after the warnings of mail gateways above the message; 0 if there are none, or nothing below them. */
function bannersEnd(document: TextDocument, rows: readonly Row[]): number {
  let end = 0;
  for (let banner = 0; banner < bannersMax; banner++) {
    const next = bannerEnd(document, rows, end);
    if (next === end) break;
    end = next;
  }
  return end < rows.length ? end : 0;
}

/** The row after the warning that begins at row `from`; `from` if there is none. */
function bannerEnd(document: TextDocument, rows: readonly Row[], from: number): number {
  const first = rows[from];
  if (first === undefined) return from;
  if (isRareSenderTip(first.text, document.display[first.line] ?? '') || isGatewayMark(first.text)) {
    return from + 1;
  }
  let end = from + 1;
  let length = first.text.length;
  // A heading ("CAUTION:") may be a paragraph of its own.
  for (; end < from + bannerRowsMax && end < rows.length; end++) {
    if (rows[end]?.isParagraph === true && length > bannerHeadingCharactersMax) break;
    length += rows[end]?.text.length ?? 0;
  }
  const textTo = (row: number) =>
    rows
      .slice(from, row)
      .map(({ text }) => text)
      .join(' ')
      .slice(0, bannerCharactersMax);
  if (!mayHoldGatewayBanner(textTo(end))) return from;
  for (let row = from + 1; row <= end; row++) {
    if (isGatewayBanner(textTo(row))) return bannerSequelEnd(rows, row);
  }
  return from;
}

/** The row after the sentences that follow in a warning, and after the rest of a wrapped one. */
function bannerSequelEnd(rows: readonly Row[], from: number): number {
  let row = from;
  while (row < rows.length && rows[row]?.isParagraph === false && row < from + bannerRowsMax) {
    const text = rows[row]?.text ?? '';
    const isWrapped = /^\p{Ll}/u.test(text) && !/[.!?:]$/.test(rows[row - 1]?.text ?? '');
    if (!isWrapped && !isBannerSequel(text) && !isRuleRow(rows[row])) break;
    row++;
  }
  return row;
}

/** The app footer that ends a run of lines between quotes, or null. */
export function findFooterAtEnd(document: TextDocument, from: number, to: number): LineRange | null {
  let line = to - 1;
  while (line > from && isBlank(document.lines[line])) line--;
  return isAppFooter(normalizeLine(document.lines[line] ?? '')) ? { from: line, to } : null;
}

/** The first row of the signature that ends before row `end`; `end` if there is none. */
function signatureStart(rows: readonly Row[], end: number, isFirst: boolean): number {
  let start = end;
  for (let pass = 0; pass < detectors.length * 2; pass++) {
    const next = firstSignature(rows, start, isFirst);
    if (next === null) break;
    start = next;
  }
  return nameAboveFooter(rows, start, end);
}

function firstSignature(rows: readonly Row[], start: number, isFirst: boolean): number | null {
  for (const detect of detectors) {
    const row = detect(rows, start);
    if (row < start && (row > 0 || (row === 0 && (mayBeWholeMessage.has(detect) || !isFirst)))) return row;
  }
  return null;
}

/**
 * The signature above paragraphs that the author added below it. Such a signature needs a delimiter or contact data, or
 * a postscript below it: a closing alone may be part of the message.
 */
function signatureAboveAfterthought(
  rows: readonly Row[],
  end: number,
  isFirst: boolean,
): { from: number; to: number } | null {
  /** The last row above `to` without which no signature is certain. */
  let certain = end - 1;
  for (let to = end - 1; to > 0 && end - to <= afterthoughtRowsMax; to--) {
    const row = rows[to];
    if (row === undefined) continue;
    while (certain >= 0 && (certain >= to || !mayBeCertain(rows[certain]))) certain--;
    if (certain < 0 && !isPostscript(row.text)) continue;
    const isAddition = isPostscript(row.text);
    if (!isAddition && !beginsAfterthought(rows, to, end)) continue;
    const from = signatureStart(rows, to, isFirst);
    if (from < to && (isAddition || isCertain(rows, from, to))) return { from, to };
  }
  return null;
}

/** True if row `from` begins a paragraph, or follows contact data, and the rows from there on have prose. */
function beginsAfterthought(rows: readonly Row[], from: number, end: number): boolean {
  const row = rows[from];
  const isStart = row?.isParagraph === true || (isProse(row) && hasContactRow(rows[from - 1]));
  return (
    isStart &&
    rows
      .slice(from, end)
      .some((one, index) => isProse(one) || isUnclearRow(one) || isAnswer(rows, from + index))
  );
}

/** True for a row that a certain signature needs, see `isCertain`. */
function mayBeCertain(row: Row | undefined): boolean {
  return row !== undefined && (/^--\s?$/.test(row.text) || isAppFooterRow(row) || strengthOfRow(row) > 0);
}

function isCertain(rows: readonly Row[], from: number, to: number): boolean {
  return (
    /^--\s?$/.test(rows[from]?.text ?? '') ||
    rows.slice(from, to).some(isAppFooterRow) ||
    (strengthOfRow(rows[from]) > 0 && hasAnyContact(rows, from, to))
  );
}

/** "Sent from my iPhone" as a paragraph of its own. */
function isLoneFooter(rows: readonly Row[], row: number, end: number): boolean {
  const isAlone = row + 1 === end || rows[row + 1]?.isParagraph === true;
  return isAlone && rows[row]?.isParagraph === true && isAppFooterRow(rows[row]);
}

/** A name in a paragraph of its own belongs to the signature only above an app footer. */
function nameAboveFooter(rows: readonly Row[], start: number, end: number): number {
  const row = rows[start - 1];
  if (start < 2 || start === end || row === undefined || !row.isParagraph) return start;
  return isAppFooterRow(rows[start]) && isCertainName(row.text, false) ? start - 1 : start;
}
