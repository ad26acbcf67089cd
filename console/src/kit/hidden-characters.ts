/**
 * Characters of a text that are not seen or that change the order of the letters: which are ordinary in their place (joiners of
 * Persian and of emoji, direction marks of Hebrew), and which a reader must know of. Linear.
 */

export type MarkedPart =
  | { readonly kind: 'text'; readonly text: string }
  /** A run, with the spaces between its characters. */
  | { readonly kind: 'hidden'; readonly characters: string };

/** Unicode properties, and the marks of annotations. */
const suspects =
  /(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const hasSuspect = new RegExp(suspects.source, 'u');

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** Their letters take other shapes by joiners (Unicode, chapters 9 and 12 to 16). */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** They write no spaces between words. */
const unspaced =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Han}]/u;
const emoji = /\ufe0f|[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const mongolian = /\p{Script=Mongolian}/u;
const letter = /\p{L}/u;
/** The tags in the flag of a region (UTS 51, 1.4.6), after its black flag. */
const flagTags = /[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}/uy;

const isJoiner = (one: string) => one === '\u200c' || one === '\u200d';
const isDirectionMark = (one: string) => /^[\u200e\u200f\u061c]$/.test(one);
/** Embeddings and isolates with their ends; an override is none. */
const isEmbedding = (one: string) => /^[\u202a-\u202c\u2066-\u2069]$/.test(one);
const isEnd = (one: string) => one === '\u202c' || one === '\u2069';
const isSelector = (one: string) => /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u.test(one);

interface Place {
  readonly one: string;
  readonly before: string;
  readonly after: string;
  readonly isRightToLeft: boolean;
}

/** Whether a character does in its place what it is for. */
function isOrdinary({ one, before, after, isRightToLeft }: Place): boolean {
  if (one === '\u00ad') return letter.test(before) && letter.test(after);
  if (isJoiner(one)) {
    if (isJoiner(before) || isJoiner(after)) return false;
    if (joining.test(before) || joining.test(after)) return true;
    return one === '\u200d' && emoji.test(before) && emoji.test(after);
  }
  if (one === '\u200b') return unspaced.test(before) && unspaced.test(after);
  if (isDirectionMark(one)) return isRightToLeft && !isDirectionMark(before);
  if (/^[\u180b-\u180f]$/.test(one)) return mongolian.test(before);
  if (!isSelector(one) || isSelector(before)) return false;
  return before > '\u007f' ? !/\s/.test(before) : /[0-9#*]/.test(before) && after === '\u20e3';
}

function beforeOf(line: string, at: number): string {
  return [...line.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
}

const afterOf = (line: string, at: number): string => {
  const code = line.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
};

/** The tags at a place that belong to a flag. */
function flagAt(line: string, at: number): number {
  flagTags.lastIndex = at;
  return beforeOf(line, at) === '\u{1f3f4}' ? (flagTags.exec(line)?.[0].length ?? 0) : 0;
}

/** Parts of a text in a row; neighbours of one kind become one. */
class Parts {
  readonly list: MarkedPart[] = [];
  private text = '';
  private hidden = '';

  addText(text: string): void {
    if (text === '') return;
    this.endHidden();
    this.text += text;
  }

  addHidden(one: string, textBefore: string): void {
    if (this.hidden !== '' && /^[ \u00a0]*$/.test(textBefore)) {
      this.hidden += textBefore + one;
      return;
    }
    this.addText(textBefore);
    this.endHidden();
    this.endText();
    this.hidden = one;
  }

  end(): readonly MarkedPart[] {
    this.endHidden();
    this.endText();
    return this.list;
  }

  private endHidden(): void {
    if (this.hidden !== '') this.list.push({ kind: 'hidden', characters: this.hidden });
    this.hidden = '';
  }

  private endText(): void {
    if (this.text !== '') this.list.push({ kind: 'text', text: this.text });
    this.text = '';
  }
}

function readLine(line: string, parts: Parts): void {
  const isRightToLeft = hasSuspect.test(line) && rightToLeft.test(line);
  let done = 0;
  for (const { 0: one, index } of line.matchAll(suspects)) {
    if (index < done) continue;
    const flag = flagAt(line, index);
    const end = index + one.length;
    if (flag > 0) {
      parts.addText(line.slice(done, index + flag));
      done = index + flag;
    } else if (
      !isOrdinary({ one, before: beforeOf(line, index), after: afterOf(line, end), isRightToLeft })
    ) {
      // It is shown, and still orders what is written from right to left. The marks are outside, and it ends with its line.
      const isKept = isRightToLeft && isEmbedding(one);
      const ends = isKept && isEnd(one);
      parts.addHidden(one, line.slice(done, index) + (ends ? one : ''));
      if (isKept && !ends) parts.addText(one);
      done = end;
    }
  }
  parts.addText(line.slice(done));
}

/** A text with the characters that a reader must know of apart. */
export function markedParts(text: string): readonly MarkedPart[] {
  if (!hasSuspect.test(text)) return text === '' ? [] : [{ kind: 'text', text }];
  const parts = new Parts();
  for (const [at, line] of text.split('\n').entries()) {
    if (at > 0) parts.addText('\n');
    readLine(line, parts);
  }
  return parts.end();
}

const names: Readonly<Record<number, string>> = {
  173: 'SOFT HYPHEN',
  847: 'COMBINING GRAPHEME JOINER',
  1564: 'ARABIC LETTER MARK',
  4447: 'HANGUL CHOSEONG FILLER',
  4448: 'HANGUL JUNGSEONG FILLER',
  6158: 'MONGOLIAN VOWEL SEPARATOR',
  8203: 'ZERO WIDTH SPACE',
  8204: 'ZERO WIDTH NON-JOINER',
  8205: 'ZERO WIDTH JOINER',
  8206: 'LEFT-TO-RIGHT MARK',
  8207: 'RIGHT-TO-LEFT MARK',
  8232: 'LINE SEPARATOR',
  8233: 'PARAGRAPH SEPARATOR',
  8234: 'LEFT-TO-RIGHT EMBEDDING',
  8235: 'RIGHT-TO-LEFT EMBEDDING',
  8236: 'POP DIRECTIONAL FORMATTING',
  8237: 'LEFT-TO-RIGHT OVERRIDE',
  8238: 'RIGHT-TO-LEFT OVERRIDE',
  8288: 'WORD JOINER',
  8294: 'LEFT-TO-RIGHT ISOLATE',
  8295: 'RIGHT-TO-LEFT ISOLATE',
  8296: 'FIRST STRONG ISOLATE',
  8297: 'POP DIRECTIONAL ISOLATE',
  12644: 'HANGUL FILLER',
  65279: 'ZERO WIDTH NO-BREAK SPACE',
  65440: 'HALFWIDTH HANGUL FILLER',
};

/** Names of the Unicode character database, of groups those of their block or class. */
function nameOf(one: string): string {
  const code = one.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const ofGroup = () => {
    if (code < 0xa0) return 'CONTROL CHARACTER';
    if (code >= 0xe0000 && code <= 0xe007f) return 'TAG CHARACTER';
    return isSelector(one) ? 'VARIATION SELECTOR' : 'CHARACTER THAT IS NOT SEEN';
  };
  return `${number} ${names[code] ?? ofGroup()}`;
}

const charactersOf = (run: string): string[] => [...run].filter((one) => one !== ' ' && one !== '\u00a0');

const tagTextMax = 200;

/** What tags say to a program that reads them; empty: nothing. */
function saidBy(characters: readonly string[]): string {
  const codes = characters.map((one) => (one.codePointAt(0) ?? 0) - 0xe0000);
  const letters = codes.filter((code) => code >= 0x20 && code <= 0x7e).slice(0, tagTextMax);
  return String.fromCharCode(...letters).trim();
}

const namedMax = 4;

/** How a run is marked: what is shown, and its characters by name. */
export function markOf(run: string): { readonly label: string; readonly title: string } {
  const characters = charactersOf(run);
  const kinds = [...new Set(characters)].map(nameOf);
  const title = kinds.slice(0, namedMax).join(', ') + (kinds.length > namedMax ? ', …' : '');
  const said = saidBy(characters);
  if (said !== '') return { label: `hidden: “${said}”`, title };
  const [only = ''] = kinds;
  const label = characters.length === 1 ? only.replace(/ .*/, '') : `${characters.length} hidden characters`;
  return { label, title };
}

/** How many characters of a text are marked. */
export function hiddenCount(text: string): number {
  return markedParts(text).reduce(
    (sum, part) => sum + (part.kind === 'hidden' ? charactersOf(part.characters).length : 0),
    0,
  );
}

/** Parts as a text, the marks in brackets. */
export const bracketed = (parts: readonly MarkedPart[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : `[${markOf(part.characters).label}]`)).join('');

/** A text of a stranger on one line, with its marks in brackets: for lists, titles and labels. */
export const markedLine = (text: string): string => bracketed(markedParts(text)).replace(/\s+/g, ' ').trim();

/** A text without what is marked in it. */
export const withoutHidden = (text: string): string =>
  markedParts(text)
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');

const references: Readonly<Record<string, string>> = {
  shy: '\u00ad',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  zerowidthspace: '\u200b',
  nobreak: '\u2060',
};

/** How many characters of an html are marked, also those that it writes as references (`&#8238;`, `&zwnj;`). */
export function hiddenCountInHtml(html: string): number {
  const plain = html.replace(
    /&(?:#x0{0,8}([0-9a-f]{1,6})|#0{0,8}(\d{1,7})|([a-z]{3,14}));?/gi,
    (whole, hex, decimal, name) => {
      if (name) return references[String(name).toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
  return hiddenCount(plain);
}
