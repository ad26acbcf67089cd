/** Holds, repeats, reorders and drops what passes, on a test's request. */
import { createHash } from 'node:crypto';

export interface ReleaseOptions {
  /** Passes each item twice. */
  readonly duplicate?: boolean;
  /** Seed of a deterministic order. */
  readonly shuffle?: number;
  /** How many items pass, the oldest first; default: all. */
  readonly most?: number;
}

export interface Gate<T> {
  pass(item: T): void;
  /** Holds items from now on; false: passes the held ones in order. */
  hold(isHeld: boolean): void;
  /** Passes the held items and returns their number; later ones are held again. */
  release(options?: ReleaseOptions): number;
  /** Loses the held items and returns their number. */
  drop(): number;
  held(): readonly T[];
}

export function createGate<T>(deliver: (item: T) => void): Gate<T> {
  let isHolding = false;
  const held: T[] = [];

  const take = (most = held.length): T[] => held.splice(0, most);
  const release = ({ duplicate = false, shuffle, most }: ReleaseOptions = {}): number => {
    const taken = take(most);
    const due = duplicate ? taken.flatMap((item) => [item, item]) : taken;
    for (const item of shuffle === undefined ? due : shuffled(due, shuffle)) deliver(item);
    return due.length;
  };

  return {
    pass: (item) => {
      if (isHolding) held.push(item);
      else deliver(item);
    },
    hold: (isHeld) => {
      isHolding = isHeld;
      if (!isHeld) release();
    },
    release,
    drop: () => take().length,
    held: () => held,
  };
}

/** A deterministic order by seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const rank = (index: number) => createHash('sha256').update(`${seed}:${index}`).digest('hex');
  return items
    .map((item, index) => ({ item, rank: rank(index) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item);
}
