/** Owns the detection of signatures at the end of written text, and of banners of mail gateways above it. */
import { isAppFooter, isGatewayBanner } from './footers.ts';
import { detectors, mayBeWholeMessage } from './signature-detectors.ts';
import { isCertainName } from './signature-lines.ts';
import {
  hasAnyContact,
  hasContactRow,
  isAnswer,
  isAppFooterRow,
  isPostscriptRow,
  isProse,
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

/** Longer first paragraphs are no banners. */
const bannerCharactersMax = 1000;

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
  const banner = isFirst ? bannerEnd(all) : 0;
  const rows = all.slice(banner);
  const ranges: LineRange[] = [];
  if (banner > 0) ranges.push({ from, to: rows[0]?.line ?? to });
  const add = (start: number, end: number) => {
    const first = rows[start];
    if (start < end && first !== undefined) ranges.push({ from: first.line, to: rows[end]?.line ?? to });
  };
  const last = signatureStart(rows, rows.length, isFirst);
  add(last, rows.length);
  const above = signatureAboveAfterthought(rows, last, isFirst);
  if (above !== null) add(above.from, above.to);
  const end = above?.from ?? last;
  for (let row = isFirst ? 1 : 0; row < end; row++) if (isLoneFooter(rows, row, end)) add(row, row + 1);
  return ranges;
}

/** The row after the warning of a mail gateway above the message; 0 if there is none, or nothing below it. */
function bannerEnd(rows: readonly Row[]): number {
  const end = rows.findIndex(({ isParagraph }, row) => row > 0 && isParagraph);
  if (end < 0) return 0;
  const banner = rows.slice(0, end).map(({ text }) => text);
  return isGatewayBanner(banner.join(' ').slice(0, bannerCharactersMax)) ? end : 0;
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
    if (certain < 0 && !isPostscriptRow(row)) continue;
    const isPostscript = isPostscriptRow(row);
    if (!isPostscript && !beginsAfterthought(rows, to, end)) continue;
    const from = signatureStart(rows, to, isFirst);
    if (from < to && (isPostscript || isCertain(rows, from, to))) return { from, to };
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
