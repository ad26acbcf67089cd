/** Owns the languages in which quotes and signatures are recognised, and word patterns across them. */

/** Every word table covers all fifteen; `other` holds words of further languages, without a claim to be complete. */
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

/** A pattern for whole words, or for any occurrence in scripts without spaces between words. `anchor` precedes all of them. */
export function wordPattern(words: readonly string[], anchor = ''): RegExp {
  const unspaced = words.filter((word) => /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(word));
  const spaced = words.filter((word) => !unspaced.includes(word));
  // Ideographs beside a word do not continue it: "发自我的iPhone".
  const letter = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\d]';
  const whole = `(?<!${letter})(?:${alternatives(spaced)})(?!${letter})`;
  return new RegExp(
    `${anchor}(?:${unspaced.length === 0 ? whole : `${whole}|${alternatives(unspaced)}`})`,
    'iu',
  );
}
