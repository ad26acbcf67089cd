/** A message as lines: what the rules on quotes and signatures read, be it from text or from html. */

/** What the form of a message says of a line before its words are read; a line carries a set of these bits. */
export const marks = {
  /** Quoted for certain: behind `>`, or inside markup that clients write around quotes. */
  cited: 1,
  /** Inside a client's reply container, ahead of the quote: the attribution, or the head of a forwarded message. */
  lead: 2,
  /** Inside a blockquote that may as well be the author's own; quoted where an attribution stands before it. */
  quotable: 4,
  /** Inside markup that clients write around signatures. */
  signed: 8,
  /** Shows a picture: not blank, even without words. */
  picture: 16,
} as const;

export interface Page {
  /** As the rules read them. */
  readonly lines: readonly string[];
  /** As they are shown: with the targets of links. */
  readonly shown: readonly string[];
  /** A set of `marks` for each line. */
  readonly marks: Uint8Array;
  /** Line → the line after the end of the innermost container that holds it. */
  readonly scopeEnd: (line: number) => number;
}

/** Rules look at no more of a line than this: longer ones are prose, whatever they end with. */
export const ruleCharactersMax = 1000;

const invisible = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** What `bare` would leave as it is: most lines. */
const isBare =
  /^(?:[^\s\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+(?: [^\s\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+)*)?$/;

/** A line as rules compare it: without what cannot be seen, with single blanks, trimmed, cut at 1,000 characters. */
export function bare(line: string): string {
  const head = line.length > ruleCharactersMax ? line.slice(0, ruleCharactersMax) : line;
  return isBare.test(head) ? head : head.replace(invisible, '').replace(/\s+/g, ' ').trim();
}

/** The last character that is not white space, or nothing. Cheap, as it is asked of every line. */
export function lastCharacter(line: string): string {
  let end = line.length - 1;
  while (end >= 0 && isSpace(line.charCodeAt(end))) end--;
  return line.charAt(end);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}

/** Cheap where a line begins with something to be seen, as most do. */
export function isBlank(line: string | undefined): boolean {
  if (line === undefined || line === '') return true;
  const first = line.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && bare(line) === '';
}

/** The first line from `from` on that has something in it, or `end`. */
export function nextWritten(page: Page, from: number, end: number): number {
  let line = from;
  while (line < end && isBlank(page.lines[line])) line++;
  return line;
}

export function hasMark(page: Page, line: number, mark: number): boolean {
  return ((page.marks[line] ?? 0) & mark) !== 0;
}

/** A text without those of `characters` that stand at its ends. Linear, as a regular expression for it is not. */
export function trimCharacters(text: string, characters: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start++;
  while (end > start && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** A line that is nothing but a rule: dashes, underscores, equals signs, asterisks. */
export function isRule(text: string): boolean {
  return /^(?:[-–—_=*~#─━]\s?){3,}$|^[—–]$/.test(text);
}
