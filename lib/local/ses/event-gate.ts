/** Stands between SES and a region's topics, so that tests decide when events arrive, how often, and in which order. */
import { createHash } from 'node:crypto';

export interface ReleaseOptions {
  /** Each event arrives twice. */
  readonly duplicate?: boolean;
  /** Seed of another order; the same seed gives the same order. */
  readonly shuffle?: number;
}

export interface EventGate {
  publish(topicArn: string, message: string): void;
  /** Keeps events back from now on; `false` lets what was kept go, in order. */
  hold(isHeld: boolean): void;
  /** Lets what was kept go; what comes after is kept again while the gate is held. Returns how many events went out. */
  release(options?: ReleaseOptions): number;
  held(): readonly string[];
}

export function createEventGate(publish: (topicArn: string, message: string) => void): EventGate {
  interface Held {
    readonly topicArn: string;
    readonly message: string;
  }
  let isHolding = false;
  let held: Held[] = [];

  const release = ({ duplicate = false, shuffle }: ReleaseOptions = {}): number => {
    const due = duplicate ? held.flatMap((event) => [event, event]) : held;
    held = [];
    for (const { topicArn, message } of shuffle === undefined ? due : shuffled(due, shuffle)) {
      publish(topicArn, message);
    }
    return due.length;
  };

  return {
    publish: (topicArn, message) => {
      if (isHolding) held.push({ topicArn, message });
      else publish(topicArn, message);
    },
    hold: (isHeld) => {
      isHolding = isHeld;
      if (!isHeld) release();
    },
    release,
    held: () => held.map(({ message }) => message),
  };
}

/** An order that follows from the seed alone. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const rank = (index: number) => createHash('sha256').update(`${seed}:${index}`).digest('hex');
  return items
    .map((item, index) => ({ item, rank: rank(index) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item);
}
