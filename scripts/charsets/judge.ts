/** What becomes of lists in legacy charsets: right or wrong, with or without a warning. */
import { decodeTextFile } from '../../lib/mail/files/decode.ts';
import { encodeText } from './encode.ts';
import { listOf, wordsOf, writings } from './lists.ts';

/** One list, written in one charset and read. */
export interface Trial {
  readonly locale: string;
  readonly charset: string;
  readonly rows: number;
  /** Letters outside of ASCII. */
  readonly letters: number;
  readonly isRight: boolean;
  readonly warnings: readonly string[];
}

/** Reads lists of each language in each of its charsets. Lists of ASCII alone are left out. */
export function trialsOf(rows: number, lists: number, seed = 1): Trial[] {
  return writings.flatMap((writing) =>
    writing.charsets.flatMap((charset) => {
      const encodable = (words: readonly string[]) => words.filter((word) => encodeText(word, charset));
      const { people, places, goods } = wordsOf(writing);
      const words = { people: encodable(people), places: encodable(places), goods: encodable(goods) };
      return Array.from({ length: lists }, (_, at) => {
        const text = listOf(words, rows, seed + at);
        const bytes = encodeText(text, charset) ?? Buffer.alloc(0);
        const read = decodeTextFile(bytes);
        const isRight = read.text === text.replaceAll('\r\n', '\n');
        const letters = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
        return { locale: writing.locale, charset, rows, letters, isRight, warnings: read.warnings };
      }).filter(({ letters }) => letters > 0);
    }),
  );
}
