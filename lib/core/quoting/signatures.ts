/** Where in what an author wrote the signature begins: delimiters, closing phrases, contact blocks, footers, disclaimers. */
import { strongClosings, weakClosings } from './closing-words.ts';
import { isAppFooter, isDisclaimer, isListFooter } from './footers.ts';
import { everyWord } from './languages.ts';
import { bare, isBlank, isRule, type Page } from './lines.ts';
import { hasContact, isNameLike, isSentence } from './signature-lines.ts';

/** A written line near the end of a run, with blank lines left out. */
interface Row {
  readonly line: number;
  readonly text: string;
  /** True when a blank line stands before it. */
  readonly isParagraph: boolean;
}

type Detector = (rows: readonly Row[], end: number) => number;

/** What is further from the end than this is no signature. */
const rowsMax = 80;
const delimitedRowsMax = 60;
const ruledRowsMax = 14;
const closingRowsMax = 12;
const signatureCharactersMax = 100;

const strong = new Set(everyWord(strongClosings));
const weak = new Set(everyWord(weakClosings));
const postscript = /^(?:p\.?\s?){1,3}s\b\.?\s?[:.\-–—)]?\s?\S|^(?:ps|p\.s\.)$/iu;

/**
 * The signature of a run of written lines, or null. A closing phrase or a name with nothing before it is no signature but
 * the message; `hasWritten` says whether anything came in an earlier run.
 */
export function signatureOf(
  page: Page,
  from: number,
  to: number,
  hasWritten: boolean,
): { from: number; to: number } | null {
  const rows = lastRows(page, from, to);
  const isFirst = rows.length < rowsMax && !hasWritten;
  const end = postscriptRow(rows);
  let start = end;
  for (let pass = 0; pass < detectors.length * 2; pass++) {
    const next = detectors
      .map((detect) => ({ detect, row: detect(rows, start) }))
      .find(
        ({ detect, row }) => row < start && (row > 0 || (row === 0 && (canBeAll.has(detect) || !isFirst))),
      );
    if (next === undefined) break;
    start = next.row;
  }
  start = nameAboveFooter(rows, start, end);
  const first = rows[start];
  if (start === end || first === undefined) return null;
  return { from: first.line, to: rows[end]?.line ?? to };
}

function lastRows(page: Page, from: number, to: number): Row[] {
  const rows: Row[] = [];
  for (let line = to - 1; line >= from && rows.length < rowsMax; line--) {
    const text = page.lines[line] ?? '';
    if (isBlank(text)) continue;
    rows.push({
      line,
      text: /^--\s*$/.test(text) ? text : bare(text),
      isParagraph: line === from || isBlank(page.lines[line - 1]),
    });
  }
  return rows.reverse();
}

/** A postscript is written, though it stands below the signature: the row of the last one, or the number of rows. */
function postscriptRow(rows: readonly Row[]): number {
  for (let row = rows.length - 1; row > 0 && row > rows.length - 10; row--) {
    if (rows[row]?.isParagraph && postscript.test(rows[row]?.text ?? '')) return row;
  }
  return rows.length;
}

/** "Sent from my iPhone", and what lists append. */
const footer: Detector = (rows, end) => {
  const last = rows[end - 1];
  if (last === undefined) return -1;
  if (isAppFooter(last.text)) return end - 1;
  const start = paragraphStart(rows, end);
  const rule = isRule(rows[start]?.text ?? '') ? start + 1 : start;
  for (let row = rule; row < Math.min(end, rule + 2); row++) {
    if (isListFooter(rows[row]?.text ?? '')) {
      return isRule(rows[row - 1]?.text ?? '') ? row - 1 : row;
    }
  }
  return -1;
};

/** "-- " (RFC 3676, 4.3), its forms without the blank, and rules with contact data below them. */
const delimiter: Detector = (rows, end) => {
  for (let row = end - 1; row >= 0 && row >= end - delimitedRowsMax; row--) {
    const text = rows[row]?.text ?? '';
    const below = end - row - 1;
    if (/^--\s?$/.test(text)) {
      if (below > ruledRowsMax && text !== '-- ') return -1;
      return rows[row - 1]?.text.trimEnd() === '--' ? row - 1 : row;
    }
    if (below === 0 || below > ruledRowsMax || !isRule(text)) continue;
    // A long rule also stands below headings, of which many look like names.
    if (isSignatureBlock(rows, row + 1, end) && (text.length <= 3 || hasAnyContact(rows, row + 1, end)))
      return row;
  }
  return -1;
};

/** "This e-mail is confidential …", with all that stands below it. */
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
    start = next;
  }
  return found > 0 && isRule(rows[found - 1]?.text ?? '') ? found - 1 : found;
};

/** "Best regards," with a name or contact data below it, or on the same line. */
const closing: Detector = (rows, end) => {
  /** The topmost sentence met so far: a slogan, where contact data stands above it. */
  let sentence = end;
  for (let row = end - 1; row >= 0 && row >= end - closingRowsMax; row--) {
    const text = rows[row]?.text ?? '';
    const strength = closingStrength(text);
    if (strength === 0) {
      if (isProse(text)) sentence = row;
      continue;
    }
    const below = rows.slice(row + 1, sentence);
    const first = below[0]?.text ?? '';
    const isNamed = below.length > 0 && (isNameLike(first, true) || hasContact(first));
    if (sentence < end && !(strength === 2 && isNamed && below.some((one) => hasContact(one.text))))
      return -1;
    if (!isNamed && !(strength === 2 && (row + 1 === end || isSignatureBlock(rows, row + 1, end)))) continue;
    return closingStrength(rows[row - 1]?.text ?? '') > 0 ? row - 1 : row;
  }
  return -1;
};

/** A last paragraph of name, company, telephone. */
const contactBlock: Detector = (rows, end) => {
  const start = paragraphStart(rows, end);
  if (end - start < 2 || end - start > closingRowsMax || !rows[start]?.isParagraph) return -1;
  if (/[:：]$/.test(rows[start - 1]?.text ?? '')) return -1;
  return isNameLike(rows[start]?.text ?? '', false) && isSignatureBlock(rows, start, end) ? start : -1;
};

/** "-roman", "— Bob", with no more than contact data below it. */
const dashedName: Detector = (rows, end) => {
  for (let row = end - 1; row >= 0 && row >= end - 4; row--) {
    const text = rows[row]?.text ?? '';
    const name = /^(?:[-–—]{1,3}|~)(\s?)(\S.{0,40})$/u.exec(text);
    if (name === null && !hasContact(text)) return -1;
    const isAttached = name?.[1] === '';
    if (name === null || !isNameLike(name[2] ?? '', isAttached)) continue;
    const above = rows[row - 1]?.text ?? '';
    if (/^[-–—*•]|[:：]$/u.test(above)) return -1;
    // With a blank between it may be an item of a list.
    return isAttached || (rows[row]?.isParagraph && /[.!?…)]$/.test(above)) ? row : -1;
  }
  return -1;
};

const detectors: readonly Detector[] = [footer, delimiter, disclaimer, closing, contactBlock, dashedName];

/** What apps and delimiters announce is a signature even where nobody has written anything. */
const canBeAll: ReadonlySet<Detector> = new Set([footer, delimiter]);

/** A name alone in its paragraph means nothing, unless an app has signed below it. */
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

/** Short lines that are no sentences, with a sign that they say who someone is. */
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
  const named = isNameLike(block[0]?.text ?? '', false);
  return contacts >= 2 || (contacts === 1 && (block.length <= 5 || named)) || (named && block.length <= 3);
}

function hasAnyContact(rows: readonly Row[], from: number, to: number): boolean {
  return rows.slice(from, to).some(({ text }) => hasContact(text));
}

function isProse(text: string): boolean {
  return isSentence(text) || text.length > signatureCharactersMax;
}

/** 2 for a phrase that only closes letters, 1 for one that may also be content, 0 for anything else. */
function closingStrength(text: string): 0 | 1 | 2 {
  if (text === '' || text.length > 90) return 0;
  const phrase = text
    .toLowerCase()
    .replace(/(?:[\s,.!;:~…、。，！\-–—)*_\p{Extended_Pictographic}]|\ufe0f)+$/u, '')
    .replace(/^[*_]+/, '');
  if (strong.has(phrase)) return 2;
  if (weak.has(phrase)) return 1;
  const split = /^(.{2,45}?)\s?[,，!.]\s?(\S.{0,40})$/u.exec(text);
  if (split !== null && strong.has((split[1] ?? '').toLowerCase()) && isNameLike(split[2] ?? '', false))
    return 2;
  return /^(?:thanks|thank you|many thanks) (?:for|in|and|so|very)\b[^.!?]{0,45}[,.!]?$/i.test(text) ? 1 : 0;
}
