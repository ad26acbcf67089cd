/** How much of a text another text shows: by windows of letters, in linear time and fixed memory. */

/** Letters of a window. */
const windowLetters = 8;
/** Bits of the filter: a text of 500,000 letters sets a quarter of them at most. */
const filterBits = 1 << 21;

/** Letters and digits only, in lower case. */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

export interface ShownWords {
  /** Letters and digits of the text. */
  readonly letters: number;
  /** The share, 0 to 1, of a line's windows that the text has; 1 for a line without letters. */
  readonly share: (line: string) => number;
}

/** Reads a text for comparisons. */
export function shownWords(text: string): ShownWords {
  const filter = new Uint8Array(filterBits >> 3);
  const letters = lettersOf(text);
  for (const hash of windows(letters)) filter[hash >> 3] = (filter[hash >> 3] ?? 0) | (1 << (hash & 7));
  const share = (line: string): number => {
    const compared = lettersOf(line);
    if (compared.length < windowLetters) return compared === '' || letters.includes(compared) ? 1 : 0;
    let all = 0;
    let shown = 0;
    for (const hash of windows(compared)) {
      all++;
      if (((filter[hash >> 3] ?? 0) >> (hash & 7)) & 1) shown++;
    }
    return shown / all;
  };
  return { letters: letters.length, share };
}

function* windows(letters: string): Generator<number> {
  for (let at = 0; at + windowLetters <= letters.length; at++) {
    let hash = 0x811c9dc5;
    for (let end = at; end < at + windowLetters; end++) {
      hash = Math.imul(hash ^ letters.charCodeAt(end), 0x01000193);
    }
    yield ((hash ^ (hash >>> 15)) >>> 0) % filterBits;
  }
}
