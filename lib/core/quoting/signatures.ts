/** Owns the detection of signatures: delimiters, closings, contact blocks, footers, disclaimers. */
import { strongClosings, weakClosings } from './closing-words.ts';
import { isAppFooter, isDisclaimer, isListFooter } from './footers.ts';
import { allWords } from './languages.ts';
import { hasContact, isNameLike, isSentence } from './signature-lines.ts';
import { isBlank, isHorizontalRule, normalizeLine, type TextDocument } from './text-document.ts';

/** A non-blank line near the end of a run of written lines. */
interface Row {
  readonly line: number;
  readonly text: string;
  /** True if a blank line precedes it. */
  readonly isParagraph: boolean;
}

type Detector = (rows: readonly Row[], end: number) => number;

/** Rows that are searched for a signature, from the end. */
const rowsMax = 80;
const delimitedRowsMax = 60;
const ruledRowsMax = 14;
const closingRowsMax = 12;
const signatureCharactersMax = 100;

const strongPhrases = new Set(allWords(strongClosings));
const weakPhrases = new Set(allWords(weakClosings));
const postscript = /^(?:p\.?\s?){1,3}s\b\.?\s?[:.\-–—)]?\s?\S|^(?:ps|p\.s\.)$/iu;

/**
 * Finds the signature at the end of a run of written lines. Linear: reads at most 80 lines. A closing or name without
 * text above it is the message.
 *
 * @param hasWritten whether an earlier run has text
 * @returns the first line of the signature and the line after its last, or null
 */
export function findSignature(
  document: TextDocument,
  from: number,
  to: number,
  hasWritten: boolean,
): { from: number; to: number } | null {
  const rows = lastRows(document, from, to);
  const isFirst = rows.length < rowsMax && !hasWritten;
  const end = postscriptRow(rows);
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
  start = nameAboveFooter(rows, start, end);
  const first = rows[start];
  if (start === end || first === undefined) return null;
  return { from: first.line, to: rows[end]?.line ?? to };
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

/** The row of the last postscript, which is written although it follows the signature; else the number of rows. */
function postscriptRow(rows: readonly Row[]): number {
  for (let row = rows.length - 1; row > 0 && row > rows.length - 10; row--) {
    if (rows[row]?.isParagraph && postscript.test(rows[row]?.text ?? '')) return row;
  }
  return rows.length;
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
    if (below === 0 || below > ruledRowsMax || !isHorizontalRule(text)) continue;
    // A long rule may underline a heading, and many headings look like names.
    if (isSignatureBlock(rows, row + 1, end) && (text.length <= 3 || hasAnyContact(rows, row + 1, end)))
      return row;
  }
  return -1;
};

/** "This e-mail is confidential …", with everything below it. */
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

/** A last paragraph with name, company and telephone. */
const contactBlock: Detector = (rows, end) => {
  const start = paragraphStart(rows, end);
  if (end - start < 2 || end - start > closingRowsMax || !rows[start]?.isParagraph) return -1;
  if (/[:：]$/.test(rows[start - 1]?.text ?? '')) return -1;
  return isNameLike(rows[start]?.text ?? '', false) && isSignatureBlock(rows, start, end) ? start : -1;
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

/** True for short lines that are no sentences, with a name or contact data among them. */
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

function hasAnyContact(rows: readonly Row[], from: number, to: number): boolean {
  return rows.slice(from, to).some(({ text }) => hasContact(text));
}

function isProse(text: string): boolean {
  return isSentence(text) || text.length > signatureCharactersMax;
}

/** 2 for a phrase that only closes letters, 1 for a phrase that may also be content, 0 for other text. */
function closingStrength(text: string): 0 | 1 | 2 {
  if (text === '' || text.length > 90) return 0;
  const phrase = text
    .toLowerCase()
    .replace(/(?:[\s,.!;:~…、。，！\-–—)*_\p{Extended_Pictographic}]|\ufe0f)+$/u, '')
    .replace(/^[*_]+/, '');
  if (strongPhrases.has(phrase)) return 2;
  if (weakPhrases.has(phrase)) return 1;
  const split = /^(.{2,45}?)\s?[,，!.]\s?(\S.{0,40})$/u.exec(text);
  if (
    split !== null &&
    strongPhrases.has((split[1] ?? '').toLowerCase()) &&
    isNameLike(split[2] ?? '', false)
  )
    return 2;
  return /^(?:thanks|thank you|many thanks) (?:for|in|and|so|very)\b[^.!?]{0,45}[,.!]?$/i.test(text) ? 1 : 0;
}
