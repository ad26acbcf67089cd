/** The languages in which quotes and signatures are recognised. */

/** Each table of words has all fifteen; `other` holds what costs nothing to know besides. */
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

/** For each language its words, with bars between them. */
export type Words = Readonly<Record<Language, string>>;

/** All words of a table, lower-case. */
export function everyWord(words: Words): string[] {
  return Object.values(words)
    .flatMap((list) => list.split('|'))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}

/** The alternatives as the source of a regular expression, longest first, so that no word hides a longer one. */
export function alternatives(words: readonly string[]): string {
  return [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/ /g, '\\s'))
    .join('|');
}

/** Finds whole words; those of scripts without blanks between words anywhere. `anchor` goes before all of them. */
export function wordPattern(words: readonly string[], anchor = ''): RegExp {
  const unspaced = words.filter((word) => /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(word));
  const spaced = words.filter((word) => !unspaced.includes(word));
  const whole = `(?<![\\p{L}\\d])(?:${alternatives(spaced)})(?![\\p{L}\\d])`;
  return new RegExp(
    `${anchor}(?:${unspaced.length === 0 ? whole : `${whole}|${alternatives(unspaced)}`})`,
    'iu',
  );
}
