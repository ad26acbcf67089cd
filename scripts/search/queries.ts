/** Queries of several kinds, of words that mails have or lack. */
import type { Random } from '../random.ts';
import { wordsOf } from './grams.ts';

export interface Query {
  readonly kind: string;
  readonly words: readonly string[];
}

type Writer = (random: Random, words: readonly string[]) => string[] | null;

const pickWord = (random: Random, words: readonly string[], pattern: RegExp): string[] | null => {
  const fitting = words.filter((word) => pattern.test(word));
  return fitting.length === 0 ? null : [fitting[random.below(fitting.length)] ?? ''];
};

const kindsOfQueries: Readonly<Record<string, Writer>> = {
  'a word of a text': (random, words) => pickWord(random, words, /^\p{L}{4,}$/u),
  'a name or number of one mail': (random, words) =>
    pickWord(random, words, /^(?=.*\d)(?=.*[a-z])[a-z\d]{6,8}$/),
  'two words of a text': (random, words) => {
    const [one] = pickWord(random, words, /^\p{L}{4,}$/u) ?? [];
    const [other] = pickWord(random, words, /^\p{L}{4,}$/u) ?? [];
    return one === undefined || other === undefined ? null : [one, other];
  },
  'part of a word': (random, words) =>
    pickWord(random, words, /^\p{L}{7,}$/u)?.map((word) => word.slice(2, 6)) ?? null,
  'three letters': (random, words) => pickWord(random, words, /^\p{L}{3}$/u),
  'two Chinese or Japanese letters': (random, words) =>
    pickWord(random, words, /^[\u3040-\u9fff]{4,}$/)?.map((word) => word.slice(1, 3)) ?? null,
  'a word that no mail has': (random) => [random.token(10)],
};

/** @param folded texts of mails, in which the words are picked */
export function queriesOf(random: Random, folded: readonly string[], ofEach: number): Query[] {
  const words = folded.map(wordsOf);
  return Object.entries(kindsOfQueries).flatMap(([kind, write]) => {
    const queries: Query[] = [];
    for (let tries = 0; queries.length < ofEach && tries < 100 * ofEach; tries++) {
      const picked = write(random, words[random.below(words.length)] ?? []);
      if (picked) queries.push({ kind, words: picked });
    }
    return queries;
  });
}
