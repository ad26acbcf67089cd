/** What is missing or wrong in the text of a PDF, in sentences. */
import type { PageContent } from './operators.ts';

/** What was found on a page, or that it could not be read. */
export type PageFindings = Omit<PageContent, 'pieces'> | 'damaged';

/** Letters that are drawn have many shapes; a page with fewer is blank but for its frame. */
const shapesOfText = 20;
/** Scanned pages may have a stamp, a page number or the line of a fax machine: fewer characters than this. */
const charactersOfStamp = 60;
/** A share of unknown characters from which text is missing. */
const unmappedShareMax = 0.02;

/** Vowel signs of Indic scripts that are drawn before their consonant: in text they follow it, and begin no word. */
const drawnOrder = /(?:^|\s)[\u093f\u09bf\u09c7\u09c8\u0a3f\u0abf\u0b47\u0bc6-\u0bc8\u0d46-\u0d48]/u;

/** @param about pages of the whole file, and whether it is a form of a kind that is not read */
export function findingsWarnings(
  findings: readonly PageFindings[],
  texts: readonly string[],
  { pages, hasUnreadForm }: { pages: number; hasUnreadForm: boolean },
): { isPartial: boolean; warnings: string[] } {
  const damaged = numbersOf(findings, (page) => page === 'damaged');
  const broken = numbersOf(findings, (page) => page !== 'damaged' && page.hasBrokenFonts);
  const isEmpty = (at: number) => texts[at] === '';
  const scanned = numbersOf(findings, (page, at) => page !== 'damaged' && isEmpty(at) && page.hasPictures);
  const stamped = numbersOf(
    findings,
    (page, at) => page !== 'damaged' && !isEmpty(at) && page.isCovered && page.characters < charactersOfStamp,
  );
  const drawn = numbersOf(
    findings,
    (page, at) => page !== 'damaged' && isEmpty(at) && !page.hasPictures && page.shapes >= shapesOfText,
  );
  const hasText = texts.some((text) => text !== '');
  const unmapped = sum(findings, 'unmapped');
  const characters = sum(findings, 'characters');
  const isDrawnOrder = texts.some((text) => drawnOrder.test(text));
  const warnings = [
    ...(hasUnreadForm ? ['The file is an XFA form, of which only the replacement page can be read.'] : []),
    ...(damaged.length > 0 ? [`${pagesNamed(damaged)} could not be read.`] : []),
    ...(broken.length > 0 ? [`${pagesNamed(broken)}: text in a damaged font could not be read.`] : []),
    ...(unmapped > 0 ? [unmappedWarning(unmapped, characters)] : []),
    ...(isDrawnOrder
      ? ['Vowels of an Indic script stand where they are drawn, not where they are read.']
      : []),
    ...(!hasText && scanned.length > 0
      ? ['The pages hold no text, only pictures: this is probably a scan.']
      : []),
    ...(hasText && scanned.length > 0
      ? [`${pagesNamed(scanned)} without text, only pictures: probably scanned.`]
      : []),
    ...(stamped.length > 0
      ? [`${pagesNamed(stamped)} with few words beside pictures: words in the pictures are not read.`]
      : []),
    ...(drawn.length > 0 ? [`${pagesNamed(drawn)} without text, only drawings: letters may be drawn.`] : []),
    ...(texts.length < pages ? [`Only the first ${texts.length} of ${pages} pages are shown.`] : []),
  ];
  const isPartial =
    hasUnreadForm ||
    isDrawnOrder ||
    !hasText ||
    damaged.length + broken.length + scanned.length + stamped.length + drawn.length > 0 ||
    unmapped > unmappedShareMax * characters ||
    texts.length < pages;
  return { isPartial, warnings };
}

function numbersOf(
  findings: readonly PageFindings[],
  isFound: (page: PageFindings, at: number) => boolean,
): number[] {
  return findings.flatMap((page, at) => (isFound(page, at) ? [at + 1] : []));
}

function sum(findings: readonly PageFindings[], key: 'unmapped' | 'characters'): number {
  return findings.reduce((total, page) => total + (page === 'damaged' ? 0 : page[key]), 0);
}

function unmappedWarning(unmapped: number, characters: number): string {
  return `The file does not say which letters ${unmapped} of its ${characters} characters are: they are wrong, or shown as \ufffd.`;
}

/** `Page 3`, or `Pages 1, 2, 5 and 14 more`. */
function pagesNamed(numbers: readonly number[]): string {
  const named = numbers.slice(0, 10).join(', ');
  const more = numbers.length > 10 ? ` and ${numbers.length - 10} more` : '';
  return `${numbers.length === 1 ? 'Page' : 'Pages'} ${named}${more}`;
}
