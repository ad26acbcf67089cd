/** Holds, repeats and reorders the events of a region on a test's request. */
import { createHash } from 'node:crypto';

export interface ReleaseOptions {
  /** Publishes each event twice. */
  readonly duplicate?: boolean;
  /** Seed of a deterministic order. */
  readonly shuffle?: number;
}

export interface EventGate {
  publish(topicArn: string, message: string, sourceArn: string): void;
  /** Holds events from now on; false: publishes the held ones in order. */
  hold(isHeld: boolean): void;
  /** Publishes the held events and returns their number; later ones are held again. */
  release(options?: ReleaseOptions): number;
  held(): readonly string[];
}

export function createEventGate(
  publish: (topicArn: string, message: string, sourceArn: string) => void,
): EventGate {
  interface Held {
    readonly topicArn: string;
    readonly message: string;
    readonly sourceArn: string;
  }
  let isHolding = false;
  let held: Held[] = [];

  const release = ({ duplicate = false, shuffle }: ReleaseOptions = {}): number => {
    const due = duplicate ? held.flatMap((event) => [event, event]) : held;
    held = [];
    for (const { topicArn, message, sourceArn } of shuffle === undefined ? due : shuffled(due, shuffle)) {
      publish(topicArn, message, sourceArn);
    }
    return due.length;
  };

  return {
    publish: (topicArn, message, sourceArn) => {
      if (isHolding) held.push({ topicArn, message, sourceArn });
      else publish(topicArn, message, sourceArn);
    },
    hold: (isHeld) => {
      isHolding = isHeld;
      if (!isHeld) release();
    },
    release,
    held: () => held.map(({ message }) => message),
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
