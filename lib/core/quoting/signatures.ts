/** Owns the detection of signatures: delimiters, closings, contact blocks, footers, disclaimers. */
import { closingStrength } from './closings.ts';
import { isAppFooter, isDisclaimer, isDisclaimerHeading, isListFooter } from './footers.ts';
import {
  announcesContact,
  hasContact,
  isNameLike,
  isRequest,
  isSentence,
  isSlogan,
  isUnclear,
} from './signature-lines.ts';
import { isBlank, isHorizontalRule, normalizeLine, type TextDocument } from './text-document.ts';

/** Lines from `from` up to but not including `to`. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A non-blank line near the end of a run of written lines. */
interface Row {
  readonly line: number;
  readonly text: string;
  /** True if a blank line precedes it. */
  readonly isParagraph: boolean;
}

/** The first row of a signature that ends before row `end`, -1 if there is none. */
type Detector = (rows: readonly Row[], end: number) => number;

/** Rows that are searched for a signature, from the end. */
const rowsMax = 80;
const delimitedRowsMax = 60;
const ruledRowsMax = 14;
const closingRowsMax = 12;
const signatureCharactersMax = 100;
/** What authors add below their signature. */
const afterthoughtRowsMax = 12;

const postscript = /^(?:p\.?\s?){1,3}s\b\.?\s?[:.\-–—)]?\s?\S|^(?:ps|p\.s\.)$/iu;

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
  const rows = lastRows(document, from, to);
  const isFirst = rows.length < rowsMax && !hasWritten;
  const ranges: LineRange[] = [];
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

/** The app footer that ends a run of lines between quotes, or null. */
export function findFooterAtEnd(document: TextDocument, from: number, to: number): LineRange | null {
  let line = to - 1;
  while (line > from && isBlank(document.lines[line])) line--;
  return isAppFooter(normalizeLine(document.lines[line] ?? '')) ? { from: line, to } : null;
}

function lastRows(document: TextDocument, from: number, to: number): Row[] {
  const rows: Row[] = [];
  for (let line = to - 1; line >= from && rows.length < rowsMax; line--) {
    const text = document.lines[line] ?? '';
    if (isBlank(text)) continue;
    rows.push({
      line,
      text: /^--\s*$/.test(text) ? text : normalizeLine(text),
      isParagraph: line === from || isBlank(document.lines[line - 1]),
    });
  }
  return rows.reverse();
}

/** The first row of the signature that ends before row `end`; `end` if there is none. */
function signatureStart(rows: readonly Row[], end: number, isFirst: boolean): number {
  let start = end;
  for (let pass = 0; pass < detectors.length * 2; pass++) {
    const next = detectors
      .map((detect) => ({ detect, row: detect(rows, start) }))
      .find(
        ({ detect, row }) =>
          row < start && (row > 0 || (row === 0 && (mayBeWholeMessage.has(detect) || !isFirst))),
      );
    if (next === undefined) break;
    start = next.row;
  }
  return nameAboveFooter(rows, start, end);
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
  for (let to = end - 1; to > 0 && end - to <= afterthoughtRowsMax; to--) {
    const { text, isParagraph } = rows[to] ?? { text: '', isParagraph: false };
    const followsContact = isProse(text) && hasContact(rows[to - 1]?.text ?? '');
    if (!isParagraph && !followsContact) continue;
    const isPostscript = isParagraph && postscript.test(text);
    if (!isPostscript && !rows.slice(to, end).some((row) => isProse(row.text) || isUnclear(row.text)))
      continue;
    const from = signatureStart(rows, to, isFirst);
    if (from < to && (isPostscript || isCertain(rows, from, to))) return { from, to };
  }
  return null;
}

function isCertain(rows: readonly Row[], from: number, to: number): boolean {
  return (
    /^--\s?$/.test(rows[from]?.text ?? '') ||
    rows.slice(from, to).some(({ text }) => isAppFooter(text)) ||
    (closingStrength(rows[from]?.text ?? '') > 0 && hasAnyContact(rows, from, to))
  );
}

/** "Sent from my iPhone" as a paragraph of its own. */
function isLoneFooter(rows: readonly Row[], row: number, end: number): boolean {
  const { text, isParagraph } = rows[row] ?? { text: '', isParagraph: false };
  return isParagraph && (row + 1 === end || rows[row + 1]?.isParagraph === true) && isAppFooter(text);
}

/** "Sent from my iPhone", and footers of mailing lists. */
const footer: Detector = (rows, end) => {
  const last = rows[end - 1];
  if (last === undefined) return -1;
  if (isAppFooter(last.text)) return end - 1;
  const start = paragraphStart(rows, end);
  const rule = isHorizontalRule(rows[start]?.text ?? '') ? start + 1 : start;
  for (let row = rule; row < Math.min(end, rule + 2); row++) {
    if (isListFooter(rows[row]?.text ?? '')) {
      return isHorizontalRule(rows[row - 1]?.text ?? '') ? row - 1 : row;
    }
  }
  return -1;
};

/** "-- " (RFC 3676, section 4.3), with or without the space, and rules above contact data. */
const delimiter: Detector = (rows, end) => {
  for (let row = end - 1; row >= 0 && row >= end - delimitedRowsMax; row--) {
    const text = rows[row]?.text ?? '';
    const below = end - row - 1;
    if (/^--\s?$/.test(text)) {
      if (below > ruledRowsMax && text !== '-- ') return -1;
      return rows[row - 1]?.text.trimEnd() === '--' ? row - 1 : row;
    }
    if (isAfterthought(rows, row, end)) return -1;
    if (below === 0 || below > ruledRowsMax || !isHorizontalRule(text)) continue;
    // A long rule may underline a heading, and many headings look like names.
    if (isSignatureBlock(rows, row + 1, end) && (text.length <= 3 || hasAnyContact(rows, row + 1, end)))
      return row;
  }
  return -1;
};

/** "This e-mail is confidential …", with its heading and everything below it. */
const disclaimer: Detector = (rows, end) => {
  let found = -1;
  for (let start = end, paragraphs = 0; start > 0 && paragraphs < 6; paragraphs++) {
    const next = paragraphStart(rows, start);
    const text = rows
      .slice(next, Math.min(start, next + 4))
      .map((row) => row.text)
      .join(' ')
      .slice(0, 600);
    if (isDisclaimer(text)) found = next;
    else if (isAfterthought(rows, next, start)) break;
    start = next;
  }
  if (found > 1 && isDisclaimerHeading(rows[found - 1]?.text ?? '')) found--;
  return found > 0 && isHorizontalRule(rows[found - 1]?.text ?? '') ? found - 1 : found;
};

/** "Best regards," with a name or contact data below it, or on the same line. */
const closing: Detector = (rows, end) => {
  /** The topmost sentence so far: a slogan if contact data precedes it. */
  let sentence = end;
  for (let row = end - 1; row >= 0 && row >= end - closingRowsMax; row--) {
    const text = rows[row]?.text ?? '';
    const strength = closingStrength(text);
    if (strength === 0) {
      if (isAuthorsSentence(rows, row, end)) return -1;
      if (isProse(text)) sentence = row;
      continue;
    }
    const below = rows.slice(row + 1, sentence);
    const first = below[0]?.text ?? '';
    const isNamed = below.length > 0 && (isNameLike(first, true) || hasContact(first));
    if (sentence < end && !(strength === 2 && isNamed && below.some((one) => hasContact(one.text))))
      return -1;
    if (!isNamed && !(strength === 2 && (row + 1 === end || isSignatureBlock(rows, row + 1, end)))) continue;
    return continuesAbove(rows, row) ? row - 1 : row;
  }
  return -1;
};

/** True if the row above a closing is part of it: "Thanks,". "Thanks!" and "Thank you." are what the author says. */
function continuesAbove(rows: readonly Row[], row: number): boolean {
  const above = rows[row - 1]?.text ?? '';
  const strength = closingStrength(above);
  if (strength !== 1) return strength === 2;
  return /[,，、]$/u.test(above) || (/[\p{L}]$/u.test(above) && rows[row]?.isParagraph === false);
}

/** A last paragraph with name, company and telephone. */
const contactBlock: Detector = (rows, end) => {
  const start = paragraphStart(rows, end);
  if (end - start < 2 || end - start > closingRowsMax || !rows[start]?.isParagraph) return -1;
  const above = rows[start - 1]?.text ?? '';
  // An unfinished sentence, or one about an address, continues in the block.
  if (
    above !== '' &&
    !/[.!?…)。！？]["'”’)]*$|\p{Extended_Pictographic}$/u.test(above) &&
    closingStrength(above) === 0
  )
    return -1;
  const paragraph = rows.slice(Math.max(0, start - 3), start);
  if (paragraph.some(({ text }) => announcesContact(text))) return -1;
  return isNameLike(rows[start]?.text ?? '', false) &&
    hasAnyContact(rows, start, end) &&
    isSignatureBlock(rows, start, end)
    ? start
    : -1;
};

/** "-roman", "— Bob", with nothing but contact data below it. */
const dashedName: Detector = (rows, end) => {
  for (let row = end - 1; row >= 0 && row >= end - 4; row--) {
    const text = rows[row]?.text ?? '';
    const name = /^(?:[-–—]{1,3}|~)(\s?)(\S.{0,40})$/u.exec(text);
    if (name === null && !hasContact(text)) return -1;
    const isAttached = name?.[1] === '';
    if (name === null || !isNameLike(name[2] ?? '', isAttached)) continue;
    const above = rows[row - 1]?.text ?? '';
    if (/^[-–—*•]|[:：]$/u.test(above)) return -1;
    // With a space between it may be a list item.
    return isAttached || (rows[row]?.isParagraph && /[.!?…)]$/.test(above)) ? row : -1;
  }
  return -1;
};

const detectors: readonly Detector[] = [footer, delimiter, disclaimer, closing, contactBlock, dashedName];

/** Detectors whose signature may be the whole message. */
const mayBeWholeMessage: ReadonlySet<Detector> = new Set([footer, delimiter]);

/** A name in a paragraph of its own belongs to the signature only above an app footer. */
function nameAboveFooter(rows: readonly Row[], start: number, end: number): number {
  const row = rows[start - 1];
  if (start < 2 || start === end || row === undefined || !row.isParagraph) return start;
  return isAppFooter(rows[start]?.text ?? '') && isNameLike(row.text, false) ? start - 1 : start;
}

function paragraphStart(rows: readonly Row[], end: number): number {
  let start = end - 1;
  while (start > 0 && !rows[start]?.isParagraph) start--;
  return Math.max(0, start);
}

/** Short lines that are no sentences, with a name or contact data among them. */
function isSignatureBlock(rows: readonly Row[], from: number, to: number): boolean {
  const block = rows.slice(from, to);
  if (
    block.some(
      ({ text }) => text.length > signatureCharactersMax * 2 || isSentence(text) || /^[•*]\s/.test(text),
    )
  ) {
    return false;
  }
  const contacts = block.filter(({ text }) => hasContact(text)).length;
  const hasName = isNameLike(block[0]?.text ?? '', false);
  return (
    contacts >= 2 || (contacts === 1 && (block.length <= 5 || hasName)) || (hasName && block.length <= 3)
  );
}

/** True for a row below a closing that is neither part of a signature nor a slogan. In doubt, true. */
function isAuthorsSentence(rows: readonly Row[], row: number, end: number): boolean {
  const { text, isParagraph } = rows[row] ?? { text: '', isParagraph: false };
  if (isListFooter(text) || isAppFooter(text)) return false;
  if (isRequest(text) || (isParagraph && isProse(text))) return true;
  if (isProse(text)) return !isSlogan(text);
  return isParagraph && isUnclear(text) && row + 1 === end && closingStrength(text) === 0;
}

/** True for a paragraph of prose below a delimiter or disclaimer, which its author may have added. */
function isAfterthought(rows: readonly Row[], row: number, end: number): boolean {
  if (rows[row]?.isParagraph !== true || /^["“„«‚‘']/u.test(rows[row]?.text ?? '')) return false;
  const paragraphEnd = rows.findIndex((one, index) => index > row && one.isParagraph);
  const paragraph = rows.slice(row, paragraphEnd < 0 || paragraphEnd > end ? end : paragraphEnd);
  const text = paragraph
    .map((one) => one.text)
    .join(' ')
    .slice(0, 600);
  if (isDisclaimer(text) || paragraph.some((one) => isListFooter(one.text))) return false;
  return paragraph.some((one) => isSentence(one.text)) || (row + 1 === end && isUnclear(text));
}

function hasAnyContact(rows: readonly Row[], from: number, to: number): boolean {
  return rows.slice(from, to).some(({ text }) => hasContact(text));
}

function isProse(text: string): boolean {
  return isSentence(text) || text.length > signatureCharactersMax;
}
