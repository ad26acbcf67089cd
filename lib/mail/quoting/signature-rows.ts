/** Owns the rows in which signatures are searched: the last written lines, and what each of them and their paragraphs are. */
import { answerMark, answerMarks } from './answer-lines.ts';
import { type ClosingStrength, closingStrength } from './closings.ts';
import { isAppFooter, isDisclaimer, isListFooter } from './footers.ts';
import { hasContact, isNameLike, isRequest, isSentence, isSlogan, isUnclear } from './signature-lines.ts';
import { isBlank, isHorizontalRule, normalizeLine, type TextDocument } from './text-document.ts';

/** A non-blank line near the end of a run of written lines. */
export interface Row {
  readonly line: number;
  readonly text: string;
  /** True if a blank line precedes it. */
  readonly isParagraph: boolean;
  readonly facts: RowFacts;
}

/** Results of the tests of a row, which the detectors repeat. */
interface RowFacts {
  sentence?: boolean;
  request?: boolean;
  answer?: number;
  unclear?: boolean;
  appFooter?: boolean;
  listFooter?: boolean;
  contact?: boolean;
  rule?: boolean;
  closing?: ClosingStrength;
  /** Of the paragraph from the row to the row before `end`. */
  disclaimer?: { readonly end: number; readonly found: boolean };
  /** Of the paragraph from the row to the row before `end`; `isLast` if nothing follows it. */
  afterthought?: { readonly end: number; readonly isLast: boolean; readonly found: boolean };
}

/** A test of a line that is done once for each row. */
function perRow<Name extends Exclude<keyof RowFacts, 'disclaimer' | 'afterthought'>>(
  name: Name,
  test: (text: string) => NonNullable<RowFacts[Name]>,
): (row: Row | undefined) => NonNullable<RowFacts[Name]> {
  return (row) => {
    if (row === undefined) return test('');
    const known = row.facts[name];
    if (known !== undefined) return known as NonNullable<RowFacts[Name]>;
    const result = test(row.text);
    row.facts[name] = result;
    return result;
  };
}

const isSentenceRow = perRow('sentence', isSentence);
const isRequestRow = perRow('request', isRequest);
const answerMarkOfRow = perRow('answer', answerMark);
export const isUnclearRow = perRow('unclear', isUnclear);
export const isAppFooterRow = perRow('appFooter', isAppFooter);
export const isListFooterRow = perRow('listFooter', isListFooter);
export const hasContactRow = perRow('contact', hasContact);
export const strengthOfRow = perRow('closing', closingStrength);
export const isRuleRow = perRow('rule', isHorizontalRule);

/** Rows that are searched for a signature, from the end. */
export const rowsMax = 80;
const signatureCharactersMax = 100;
/** So many rows away may be the answer before or after a numbered one. */
const listReach = 4;
/** Of a paragraph, so much is searched for a disclaimer. */
const disclaimerCharactersMax = 600;

/** A link or image alone in its line, however long. */
const loneTarget =
  /^(?:!?\[[^[\]]{0,100}\]\(https?:[^\s()]+\)|<?https?:[^\s<>]+>?|\[(?:cid|https?):[^\s[\]]+\])$/i;

/** The last non-blank lines of a run of written lines, at most `rowsMax`. */
export function lastRows(document: TextDocument, from: number, to: number): Row[] {
  const rows: Row[] = [];
  for (let line = to - 1; line >= from && rows.length < rowsMax; line--) {
    const text = document.lines[line] ?? '';
    if (isBlank(text)) continue;
    rows.push({
      line,
      text: /^--\s*$/.test(text) ? text : normalizeLine(text),
      isParagraph: line === from || isBlank(document.lines[line - 1]),
      facts: {},
    });
  }
  return rows.reverse();
}

export function paragraphStart(rows: readonly Row[], end: number): number {
  let start = end - 1;
  while (start > 0 && !rows[start]?.isParagraph) start--;
  return Math.max(0, start);
}

/** Short lines that are no sentences, with a name or contact data among them. */
export function isSignatureBlock(rows: readonly Row[], from: number, to: number): boolean {
  const block = rows.slice(from, to);
  if (
    block.some(
      (row, index) =>
        row.text.length > signatureCharactersMax * 2 ||
        isSentenceRow(row) ||
        /^[•*]\s/.test(row.text) ||
        isAnswer(rows, from + index),
    )
  ) {
    return false;
  }
  const contacts = block.filter(hasContactRow).length;
  const hasName = isNameLike(block[0]?.text ?? '', false);
  return (
    contacts >= 2 || (contacts === 1 && (block.length <= 5 || hasName)) || (hasName && block.length <= 3)
  );
}

/** True for a row that only authors write: a postscript, "yes", one of several numbered answers or bullets. */
export function isAnswer(rows: readonly Row[], row: number): boolean {
  const one = rows[row];
  if (one === undefined) return false;
  const mark = answerMarkOfRow(one);
  if (mark === answerMarks.none) return false;
  if (mark === answerMarks.certain || (mark === 1 && one.isParagraph)) return true;
  if (mark === answerMarks.bullet) {
    return !hasContactRow(one) && (isBullet(rows[row - 1]) || isBullet(rows[row + 1]));
  }
  const near = rows.slice(Math.max(0, row - listReach), row + listReach + 1).map(answerMarkOfRow);
  return near.includes(mark + 1) || (mark > 1 && near.includes(mark - 1));
}

function isBullet(row: Row | undefined): boolean {
  return row !== undefined && answerMarkOfRow(row) === answerMarks.bullet && !hasContactRow(row);
}

/** True for a row below a closing that is neither part of a signature nor a slogan. In doubt, true. */
export function isAuthorsSentence(rows: readonly Row[], row: number, end: number): boolean {
  const one = rows[row];
  if (one === undefined || isListFooterRow(one) || isAppFooterRow(one)) return false;
  if (isRequestRow(one) || isAnswer(rows, row) || (one.isParagraph && isProse(one))) return true;
  if (isProse(one)) return !isSlogan(one.text);
  if (!one.isParagraph || row + 1 !== end || strengthOfRow(one) > 0) return false;
  // "tomorrow" below a name; right below a closing it may be one.
  return isUnclearRow(one) || (/^\p{Ll}{2,20}[.!]?$/u.test(one.text) && strengthOfRow(rows[row - 1]) === 0);
}

/** True for a paragraph of prose below a delimiter or disclaimer, which its author may have added. */
export function isAfterthought(rows: readonly Row[], row: number, end: number): boolean {
  const first = rows[row];
  if (first?.isParagraph !== true) return false;
  let paragraphEnd = row + 1;
  while (paragraphEnd < end && rows[paragraphEnd]?.isParagraph === false) paragraphEnd++;
  const isLast = row + 1 === end;
  const known = first.facts.afterthought;
  if (known?.end === paragraphEnd && known.isLast === isLast) return known.found;
  const found = isProseParagraph(rows, row, paragraphEnd, isLast);
  first.facts.afterthought = { end: paragraphEnd, isLast, found };
  return found;
}

function isProseParagraph(rows: readonly Row[], from: number, to: number, isLast: boolean): boolean {
  if (/^["“„«‚‘']/u.test(rows[from]?.text ?? '')) return false;
  const paragraph = rows.slice(from, to);
  if (paragraph.some((_, index) => isAnswer(rows, from + index))) return true;
  if (!paragraph.some(isSentenceRow) && !(isLast && isUnclearRow(rows[from]))) return false;
  return !isDisclaimerAt(rows, from, to) && !paragraph.some(isListFooterRow);
}

/** Whether the paragraph from a row to the row before `end` is a disclaimer. */
export function isDisclaimerAt(rows: readonly Row[], row: number, end: number): boolean {
  const facts = rows[row]?.facts ?? {};
  if (facts.disclaimer?.end === end) return facts.disclaimer.found;
  const lines = rows.slice(row, end).map(({ text }) => text);
  const found = isDisclaimer(lines.join(' ').slice(0, disclaimerCharactersMax));
  facts.disclaimer = { end, found };
  return found;
}

export function hasAnyContact(rows: readonly Row[], from: number, to: number): boolean {
  return rows.slice(from, to).some(hasContactRow);
}

export function isProse(row: Row | undefined): boolean {
  if (row === undefined || loneTarget.test(row.text)) return false;
  return row.text.length > signatureCharactersMax || isSentenceRow(row);
}
