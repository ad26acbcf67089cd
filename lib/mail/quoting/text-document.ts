/** Owns the model that the quote and signature rules read: a message as lines, parsed from text or from html. */

/** What the form of a message says about a line, before its words are read. Bits, combined per line. */
export const lineFlags = {
  /** Certainly quoted: behind `>`, or inside markup that clients put around quotes. */
  quoted: 1,
  /** Inside a client's reply container, before the quote: the attribution or the header of a forwarded message. */
  attribution: 2,
  /** Inside a blockquote that may be the author's own; quoted if an attribution precedes it. */
  quotable: 4,
  /** Inside markup that clients put around signatures. */
  signature: 8,
  /** Shows an image: not blank, even without words. */
  image: 16,
} as const;

/** A text style: the color as 0xRRGGBB + 1, 0 where none is set, with the bit `bold`. */
export const lineStyles = { bold: 1 << 25, mixed: -1 } as const;

/** A run of lines of one kind. */
export interface Segment {
  readonly kind: 'written' | 'quoted' | 'signature';
  readonly text: string;
}

export interface TextDocument {
  /** Lines as the rules read them, without link targets. */
  readonly lines: readonly string[];
  /** Lines as readers see them, with link targets. */
  readonly display: readonly string[];
  /** Combined `lineFlags` of each line. */
  readonly flags: Uint8Array;
  /** Of each line of html: its text style (`lineStyles`), or `mixed`. Empty for plain text. */
  readonly styles: readonly number[];
  /** Line → the line after the end of the innermost container that holds it. */
  readonly scopeEnd: (line: number) => number;
}

/** Rules read no more of a line: longer lines are prose, whatever they end in. */
export const ruleCharactersMax = 1000;

const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Matches most lines, which need no normalization. */
const isNormalized =
  /^(?:[^\s\u00ad\u061c\u0660-\u0669\u06f0-\u06f9\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+(?: [^\s\u00ad\u061c\u0660-\u0669\u06f0-\u06f9\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+)*)?$/;
const visible = /[^\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;
const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** A line as the rules compare it: no invisible characters, digits 0–9, single spaces, trimmed, at most 1,000 characters. */
export function normalizeLine(line: string): string {
  const head = line.length > ruleCharactersMax ? line.slice(0, ruleCharactersMax) : line;
  if (isPlain(head) || isNormalized.test(head)) return head;
  return head
    .replace(invisible, '')
    .replace(arabicDigits, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether a line is of printable ASCII with single spaces between words: most are, and a regular expression takes longer. */
function isPlain(line: string): boolean {
  let wasSpace = true;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || (wasSpace && code === 0x20)) return false;
    wasSpace = code === 0x20;
  }
  return !wasSpace;
}

/** The last character that is no white space or directional mark, or the empty string. Avoids a regular expression: called for every line. */
export function lastVisibleCharacter(line: string): string {
  let end = line.length - 1;
  while (end >= 0 && (isSpace(line.charCodeAt(end)) || isDirectionalMark(line.charCodeAt(end)))) end--;
  return line.charAt(end);
}

/** Marks that clients write around text in right-to-left scripts. */
export function isDirectionalMark(code: number): boolean {
  return (
    code >= 0x200e &&
    (code <= 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
  );
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}

/** True for a line without visible characters, and for `undefined`. Most lines are decided by their first character. */
export function isBlank(line: string | undefined): boolean {
  if (line === undefined || line === '') return true;
  const first = line.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && !visible.test(line);
}

/** The first line from `from` on that is not blank, or `end`. */
export function nextNonBlankLine(document: TextDocument, from: number, end: number): number {
  let line = from;
  while (line < end && isBlank(document.lines[line])) line++;
  return line;
}

/** True if the line has at least one of the bits of `flag`. */
export function hasFlag(document: TextDocument, line: number, flag: number): boolean {
  return ((document.flags[line] ?? 0) & flag) !== 0;
}

/** `text` without leading and trailing `characters`. Linear, unlike the equivalent regular expression. */
export function trimCharacters(text: string, characters: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start++;
  while (end > start && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** True for a line of dashes, underscores, equals signs or asterisks only, or of many ornaments; few of those are a rating. */
export function isHorizontalRule(text: string): boolean {
  return /^(?:[-–—_=*~#─━]\s?){3,}$|^[—–]$|^(?:[-–—_=*~#─━☆★◆◇■□●○＊＝～〜―]\s?){8,}$/.test(text);
}
