/** Texts as a search would compare them, and the grams by which a signature knows them. A model for `npm run measure:search`. */

/** As the `query` parameter of lists compares (`lib/core/threads/search.ts`), with any white space as one space. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}

export const wordsOf = (query: string): string[] => fold(query).split(' ').filter(Boolean);

/** Letters of scripts that are written without spaces: words of two of them are common. */
const isUnspaced = (unit: number): boolean =>
  (unit >= 0x0e00 && unit <= 0x0eff) ||
  (unit >= 0x3040 && unit <= 0x9fff) ||
  (unit >= 0xac00 && unit <= 0xd7af);

function hashed(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Hashes of the trigrams of a folded text, and of its pairs of letters that are written without spaces; each once. */
export function gramsOf(folded: string): Set<number> {
  const grams = new Set<number>();
  for (let at = 0; at + 1 < folded.length; at++) {
    if (at + 2 < folded.length) grams.add(hashed(folded, at, at + 3));
    if (isUnspaced(folded.charCodeAt(at)) && isUnspaced(folded.charCodeAt(at + 1))) {
      grams.add(hashed(folded, at, at + 2));
    }
  }
  return grams;
}

/** Whether every word occurs in a folded text: what a search must find. */
export function containsAll(folded: string, words: readonly string[]): boolean {
  return words.every((word) => folded.includes(word));
}
