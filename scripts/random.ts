/** A seeded pseudo-random generator. */

/** A source of pseudo-random values. */
export interface Random {
  /** An integer from 0 up to, not including, `below`. */
  below(below: number): number;
  /** From 0 up to, not including, 1. */
  fraction(): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** Letters and digits. */
  token(length: number): string;
}

/** Mulberry32. */
export function seeded(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    const once = Math.imul(state ^ (state >>> 15), 1 | state);
    const twice = (once + Math.imul(once ^ (once >>> 7), 61 | once)) ^ once;
    return (twice ^ (twice >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    fraction: () => next() / 2 ** 32,
    pick: (from) => from[below(from.length)] ?? from[0],
    token: (length) => Array.from({ length }, () => below(36).toString(36)).join(''),
  };
}

/** @throws Error for an empty list */
export function pickFrom<T>(random: Random, [first, ...others]: readonly T[]): T {
  if (first === undefined) throw new Error('there is nothing to pick from');
  return random.pick([first, ...others]);
}
