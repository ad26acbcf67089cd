/** Owns the detection of signatures: delimiters, closings, contact blocks, footers, disclaimers, banners of gateways. */
import { type ClosingStrength, closingStrength } from './closings.ts';
import { isAppFooter, isDisclaimer, isDisclaimerHeading, isGatewayBanner, isListFooter } from './footers.ts';
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
  readonly facts: RowFacts;
}

/** What has been found out about a row: the detectors ask again and again. */
interface RowFacts {
  sentence?: boolean;
  request?: boolean;
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
    const result = row.facts[name] ?? test(row.text);
    row.facts[name] = result;
    return result;
  };
}

const isSentenceRow = perRow('sentence', isSentence);
const isRequestRow = perRow('request', isRequest);
const isUnclearRow = perRow('unclear', isUnclear);
const isAppFooterRow = perRow('appFooter', isAppFooter);
const isListFooterRow = perRow('listFooter', isListFooter);
const hasContactRow = perRow('contact', hasContact);
const strengthOfRow = perRow('closing', closingStrength);
const isRuleRow = perRow('rule', isHorizontalRule);

/** The first row of a signature that ends before row `end`, -1 if there is none. */
type Detector = (rows: readonly Row[], end: number) => number;

/** Rows that are searched for a signature, from the end. */
const rowsMax = 80;
const delimitedRowsMax = 60;
const ruledRowsMax = 14;
const closingRowsMax = 12;
const signatureCharactersMax = 100;
/** So many lines of contact data are a signature also below a text without a full stop: telephone, fax, address. */
const ownContactsMin = 4;
/** What authors add below their signature. */
const afterthoughtRowsMax = 12;

/** Longer first paragraphs are no banners. */
const bannerCharactersMax = 1000;
/** Of a paragraph, so much is searched for a disclaimer. */
const disclaimerCharactersMax = 600;

/** A link or image alone in its line, however long. */
const loneTarget =
  /^(?:!?\[[^[\]]{0,100}\]\(https?:[^\s()]+\)|<?https?:[^\s<>]+>?|\[(?:cid|https?):[^\s[\]]+\])$/i;
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

function lastRows(document: TextDocument, from: number, to: number): Row[] {
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
    if (certain < 0 && !postscript.test(row.text)) continue;
    const { text, isParagraph } = row;
    const followsContact = isProse(row) && hasContactRow(rows[to - 1]);
    if (!isParagraph && !followsContact) continue;
    const isPostscript = isParagraph && postscript.test(text);
    if (!isPostscript && !rows.slice(to, end).some((one) => isProse(one) || isUnclearRow(one))) continue;
    const from = signatureStart(rows, to, isFirst);
    if (from < to && (isPostscript || isCertain(rows, from, to))) return { from, to };
  }
  return null;
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
    if (below === 0 || below > ruledRowsMax || !isRuleRow(rows[row])) continue;
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
    const first = below.find((one) => !isRuleRow(one));
    const isNamed = first !== undefined && (isNameLike(first.text, true) || hasContactRow(first));
    if (sentence < end && !(strength === 2 && isNamed && below.some(hasContactRow))) return -1;
    if (!isNamed && !(strength === 2 && (row + 1 === end || isSignatureBlock(rows, row + 1, end)))) continue;
    return continuesAbove(rows, row) ? row - 1 : row;
  }
  return -1;
};

/** True if the row above a closing is part of it: "Thanks,". "Thanks!" and "Thank you." are what the author says. */
function continuesAbove(rows: readonly Row[], row: number): boolean {
  const above = rows[row - 1]?.text ?? '';
  const strength = strengthOfRow(rows[row - 1]);
  if (strength !== 1) return strength === 2;
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
    if (name === null || !isNameLike(name[3] ?? '', isLax)) continue;
    const above = rows[row - 1]?.text ?? '';
    // "-Anna" in a paragraph of its own is no item of a list whose items begin with "- ".
    const isItem = isAttached && rows[row]?.isParagraph ? /^[-–—*•]\S/u : /^[-–—*•]/u;
    if (isItem.test(above) || /[:：]$/u.test(above)) return -1;
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
  return isAppFooterRow(rows[start]) && isNameLike(row.text, false) ? start - 1 : start;
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
      (row) => row.text.length > signatureCharactersMax * 2 || isSentenceRow(row) || /^[•*]\s/.test(row.text),
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

/** True for a row below a closing that is neither part of a signature nor a slogan. In doubt, true. */
function isAuthorsSentence(rows: readonly Row[], row: number, end: number): boolean {
  const one = rows[row];
  if (one === undefined || isListFooterRow(one) || isAppFooterRow(one)) return false;
  if (isRequestRow(one) || (one.isParagraph && isProse(one))) return true;
  if (isProse(one)) return !isSlogan(one.text);
  return one.isParagraph && isUnclearRow(one) && row + 1 === end && strengthOfRow(one) === 0;
}

/** True for a paragraph of prose below a delimiter or disclaimer, which its author may have added. */
function isAfterthought(rows: readonly Row[], row: number, end: number): boolean {
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
  if (!paragraph.some(isSentenceRow) && !(isLast && isUnclearRow(rows[from]))) return false;
  return !isDisclaimerAt(rows, from, to) && !paragraph.some(isListFooterRow);
}

/** Whether the paragraph from a row to the row before `end` is a disclaimer. */
function isDisclaimerAt(rows: readonly Row[], row: number, end: number): boolean {
  const facts = rows[row]?.facts ?? {};
  if (facts.disclaimer?.end === end) return facts.disclaimer.found;
  const lines = rows.slice(row, end).map(({ text }) => text);
  const found = isDisclaimer(lines.join(' ').slice(0, disclaimerCharactersMax));
  facts.disclaimer = { end, found };
  return found;
}

function hasAnyContact(rows: readonly Row[], from: number, to: number): boolean {
  return rows.slice(from, to).some(hasContactRow);
}

function isProse(row: Row | undefined): boolean {
  if (row === undefined || loneTarget.test(row.text)) return false;
  return row.text.length > signatureCharactersMax || isSentenceRow(row);
}
