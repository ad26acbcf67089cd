/** Owns the languages in which quotes and signatures are recognised, and word patterns across them. */

/** Every word table covers all twenty; `other` holds words of further languages, without a claim to be complete. */
export type Language =
  | 'en'
  | 'de'
  | 'fr'
  | 'es'
  | 'pt'
  | 'it'
  | 'nl'
  | 'pl'
  | 'sv'
  | 'da'
  | 'no'
  | 'cs'
  | 'ru'
  | 'zh'
  | 'ja'
  | 'he'
  | 'ar'
  | 'fi'
  | 'hu'
  | 'ko'
  | 'other';

/** The words of each language, separated by bars. */
export type Words = Readonly<Record<Language, string>>;

/** All words of a table, lower-case. */
export function allWords(words: Words): string[] {
  return Object.values(words)
    .flatMap((list) => list.split('|'))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}

/** Regular expression source that matches any of the words, longest first so that no word hides a longer one. */
export function alternatives(words: readonly string[]): string {
  return [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/ /g, '\\s'))
    .join('|');
}

/** Letters and digits of scripts with spaces between words. */
const spacedLetters =
  '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Hebrew}\\p{Script=Arabic}\\d';

/** A pattern for whole words, or for any occurrence in scripts without spaces between words. `anchor` precedes all of them. */
export function wordPattern(words: readonly string[], anchor = ''): RegExp {
  const unspaced = words.filter((word) => unspacedCharacter.test(word));
  const spaced = words.filter((word) => !unspaced.includes(word));
  // Ideographs beside a word do not continue it: "发自我的iPhone".
  const letter = `[${spacedLetters}]`;
  const whole = `(?<!${letter})(?:${alternatives(spaced)})(?!${letter})`;
  return new RegExp(
    `${anchor}(?:${unspaced.length === 0 ? whole : `${whole}|${alternatives(unspaced)}`})`,
    'iu',
  );
}

/** A test for whole words, as `wordPattern` finds them, many times as fast: one look-up for each word of the text. */
export interface WordTest {
  /** True if the text has one of the words anywhere. */
  readonly isIn: (text: string) => boolean;
  /** True if the text begins with one of the words. */
  readonly begins: (text: string) => boolean;
}

/** Creates a test of texts for any of the words. Case does not count; a space stands for any white space. */
export function wordTest(words: readonly string[]): WordTest {
  const unspaced = words.filter((word) => unspacedCharacter.test(word));
  /** What may follow a first word, longest first; the empty string for a word of its own. */
  const byFirstWord = new Map<string, string[]>();
  /** 1 for the beginnings of first words: decides for most words of a text without a look-up. */
  const beginnings = new Uint8Array(beginningsCount);
  for (const word of words) {
    if (unspaced.includes(word)) continue;
    const end = endOfWord(word, 0);
    beginnings[beginningAt(word, 0, end)] = 1;
    byFirstWord.set(word.slice(0, end), [...(byFirstWord.get(word.slice(0, end)) ?? []), word.slice(end)]);
  }
  const isWordAt = (text: string, at: number, end: number): boolean =>
    beginnings[beginningAt(text, at, end)] === 1 &&
    byFirstWord.get(text.slice(at, end))?.some((rest) => follows(text, end, rest)) === true;
  const longest = Math.max(0, ...words.map((word) => word.length));

  return {
    isIn: (original) => {
      const text = lowerCaseOf(original);
      for (let at = 0; at < text.length; ) {
        const end = endOfWord(text, at);
        if (end > at && isWordAt(text, at, end)) return true;
        at = Math.max(end, at + 1);
      }
      return (
        unspaced.length > 0 && unspacedCharacter.test(text) && unspaced.some((word) => text.includes(word))
      );
    },
    begins: (original) => {
      const text = original.slice(0, longest + 1).toLowerCase();
      if (isWordAt(text, 0, endOfWord(text, 0))) return true;
      return unspacedCharacter.test(text.charAt(0)) && unspaced.some((word) => text.startsWith(word));
    },
  };
}

const beginningsCount = 4096;

/** A number for the first two characters and the length of the word from `at` to `end`. */
function beginningAt(text: string, at: number, end: number): number {
  const second = end - at > 1 ? text.charCodeAt(at + 1) : 0;
  return (text.charCodeAt(at) * 131 + second * 31 + (end - at)) & (beginningsCount - 1);
}

/** The last text that was asked for: several tables are asked about the same line in turn. */
let last = { text: '', lowerCase: '' };

function lowerCaseOf(text: string): string {
  if (last.text !== text) last = { text, lowerCase: text.toLowerCase() };
  return last.lowerCase;
}

const unspacedCharacter = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** The end of the run of letters and digits at `from`; `from` itself where there is none. */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWordCharacter(text.charCodeAt(at))) at++;
  return at;
}

function follows(text: string, from: number, rest: string): boolean {
  const end = from + rest.length;
  if (end > text.length) return false;
  for (let at = 0; at < rest.length; at++) {
    const [wanted, found] = [rest.charCodeAt(at), text.charCodeAt(from + at)];
    if (wanted !== found && !(wanted === 0x20 && /\s/.test(text.charAt(from + at)))) return false;
  }
  return rest === '' || end === text.length || !isWordCharacter(text.charCodeAt(end));
}

const wordCharacter = new RegExp(`[${spacedLetters}]`, 'u');
/** By character code: 0 not yet known, 1 no, 2 yes. */
const wordCharacters = new Uint8Array(0x10000);

function isWordCharacter(code: number): boolean {
  if (wordCharacters[code] === 0) {
    wordCharacters[code] = wordCharacter.test(String.fromCharCode(code)) ? 2 : 1;
  }
  return wordCharacters[code] === 2;
}
