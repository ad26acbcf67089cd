/** Owns the detectors of signatures: each looks for one form at the end of a run of rows. */
import { isKoreanNameThenClosing } from './closings.ts';
import { isDisclaimerHeading } from './footers.ts';
import { announcesContact, isCertainName, isNameLike, mayBeSentence } from './signature-lines.ts';
import {
  hasAnyContact,
  hasContactRow,
  isAfterthought,
  isAppFooterRow,
  isAuthorsSentence,
  isDisclaimerAt,
  isListFooterRow,
  isProse,
  isRuleRow,
  isSignatureBlock,
  paragraphStart,
  type Row,
  strengthOfRow,
} from './signature-rows.ts';

/** The first row of a signature that ends before row `end`, -1 if there is none. */
export type Detector = (rows: readonly Row[], end: number) => number;

const delimitedRowsMax = 60;
const ruledRowsMax = 14;
const closingRowsMax = 12;
/** So many lines of contact data are a signature also below a text without a full stop: telephone, fax, address. */
const ownContactsMin = 4;

/** "Sent from my iPhone", and footers of mailing lists. */
const footer: Detector = (rows, end) => {
  const last = rows[end - 1];
  if (last === undefined) return -1;
  if (isAppFooterRow(last)) return end - 1;
  const start = paragraphStart(rows, end);
  const rule = isRuleRow(rows[start]) ? start + 1 : start;
  for (let row = rule; row < Math.min(end, rule + 2); row++) {
    if (isListFooterRow(rows[row])) {
      return isRuleRow(rows[row - 1]) ? row - 1 : row;
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
    if (isRuleAboveSignature(rows, row, end)) return row;
  }
  return -1;
};

function isRuleAboveSignature(rows: readonly Row[], row: number, end: number): boolean {
  const below = end - row - 1;
  if (below === 0 || below > ruledRowsMax || !isRuleRow(rows[row])) return false;
  // A long rule may underline a heading, and many headings look like names.
  const isShort = (rows[row]?.text ?? '').length <= 3;
  return isSignatureBlock(rows, row + 1, end) && (isShort || hasAnyContact(rows, row + 1, end));
}

/** "This e-mail is confidential …", with its heading and everything below it. */
const disclaimer: Detector = (rows, end) => {
  let found = -1;
  for (let start = end, paragraphs = 0; start > 0 && paragraphs < 6; paragraphs++) {
    const next = paragraphStart(rows, start);
    if (isDisclaimerAt(rows, next, Math.min(start, next + 4))) found = next;
    else if (isAfterthought(rows, next, start)) break;
    start = next;
  }
  if (found > 1 && isDisclaimerHeading(rows[found - 1]?.text ?? '')) found--;
  return found > 0 && isRuleRow(rows[found - 1]) ? found - 1 : found;
};

/** "Best regards," with a name or contact data below it, or on the same line. */
const closing: Detector = (rows, end) => {
  /** The topmost sentence so far: a slogan if contact data precedes it. */
  let sentence = end;
  for (let row = end - 1; row >= 0 && row >= end - closingRowsMax; row--) {
    const strength = strengthOfRow(rows[row]);
    if (strength === 0) {
      if (isAuthorsSentence(rows, row, end)) return -1;
      if (isProse(rows[row])) sentence = row;
      continue;
    }
    const below = rows.slice(row + 1, sentence);
    const isNamed = beginsWithName(below, rows[row]);
    if (sentence < end && !(strength === 2 && isNamed && below.some(hasContactRow))) return -1;
    if (!isNamed && !(strength === 2 && hasNothingElseBelow(rows, row, end))) continue;
    return continuesAbove(rows, row) ? row - 1 : row;
  }
  return -1;
};

/** "תודה" without punctuation, above words that may be a sentence. */
function isUnclearThanks(closing: Row | undefined, below: Row): boolean {
  return strengthOfRow(closing) === 1 && /\p{L}$/u.test(closing?.text ?? '') && mayBeSentence(below.text);
}

/** True if nothing but a signature is below a row. */
function hasNothingElseBelow(rows: readonly Row[], row: number, end: number): boolean {
  return row + 1 === end || isSignatureBlock(rows, row + 1, end);
}

/** True if the first row that is no rule has a name or contact data. */
function beginsWithName(rows: readonly Row[], closing: Row | undefined): boolean {
  const first = rows.find((row) => !isRuleRow(row));
  return (
    first !== undefined &&
    !isUnclearThanks(closing, first) &&
    (isNameLike(first.text, true) || hasContactRow(first))
  );
}

/** True if the row above a closing is part of it: "Thanks,". "Thanks!" and "Thank you." are what the author says. */
function continuesAbove(rows: readonly Row[], row: number): boolean {
  const above = rows[row - 1]?.text ?? '';
  const strength = strengthOfRow(rows[row - 1]);
  if (strength !== 1) return strength === 2;
  // "감사합니다." above "김민수 드림": the name is in the closing.
  if (isKoreanNameThenClosing(rows[row]?.text ?? '')) return true;
  return /[,，、]$/u.test(above) || (/[\p{L}]$/u.test(above) && rows[row]?.isParagraph === false);
}

/** A last paragraph with name, company and telephone. */
const contactBlock: Detector = (rows, end) => {
  const start = paragraphStart(rows, end);
  if (end - start < 2 || end - start > closingRowsMax || !rows[start]?.isParagraph) return -1;
  if (!isFinished(rows, start - 1) && rows.slice(start, end).filter(hasContactRow).length < ownContactsMin)
    return -1;
  const paragraph = rows.slice(Math.max(0, start - 3), start);
  if (paragraph.some(({ text }) => announcesContact(text))) return -1;
  const name = rows[start]?.text ?? '';
  if (!isNameLike(name, false) || !hasAnyContact(rows, start, end) || !isSignatureBlock(rows, start, end)) {
    return -1;
  }
  // "Ann", and "Ann Lee" in the block.
  return start > 1 && name.split(' ').includes(rows[start - 1]?.text ?? '') ? start - 1 : start;
};

/** False for an unfinished sentence, which continues in the contact data below it. */
function isFinished(rows: readonly Row[], row: number): boolean {
  const above = rows[row];
  if (above === undefined || strengthOfRow(above) > 0) return true;
  if (/[.!?…)。！？]["'”’)]*$|\p{Extended_Pictographic}$/u.test(above.text)) return true;
  return above.isParagraph && isNameLike(above.text, false);
}

/** "-roman", "— Bob", "/Anna", with nothing but contact data below it. */
const dashedName: Detector = (rows, end) => {
  for (let row = end - 1; row >= 0 && row >= end - 4; row--) {
    const text = rows[row]?.text ?? '';
    const name = /^([-–—]{1,3}|[~/])(\s?)(\S.{0,40})$/u.exec(text);
    if (name === null && !hasContactRow(rows[row])) return -1;
    const isAttached = name?.[2] === '';
    // A path begins with a slash, too.
    const isLax = isAttached && name?.[1] !== '/';
    if (name === null || !isCertainName(name[3] ?? '', isLax)) continue;
    return isListItem(rows, row, isAttached) ? -1 : row;
  }
  return -1;
};

/** True if a dash or slash before a name begins an item of a list. */
function isListItem(rows: readonly Row[], row: number, isAttached: boolean): boolean {
  const above = rows[row - 1]?.text ?? '';
  const isParagraph = rows[row]?.isParagraph === true;
  // "-Anna" in a paragraph of its own is no item of a list whose items begin with "- ".
  const item = isAttached && isParagraph ? /^[-–—*•]\S/u : /^[-–—*•]/u;
  if (item.test(above) || /[:：]$/u.test(above)) return true;
  // With a space between it may be a list item.
  return !isAttached && !(isParagraph && /[.!?…)]$/.test(above));
}

/** In the order in which they are tried. */
export const detectors: readonly Detector[] = [
  footer,
  delimiter,
  disclaimer,
  closing,
  contactBlock,
  dashedName,
];

/** Detectors whose signature may be the whole message. */
export const mayBeWholeMessage: ReadonlySet<Detector> = new Set([footer, delimiter]);
