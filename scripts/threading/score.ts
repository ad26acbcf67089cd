/** How well threads match conversations: each pair of messages is either of one conversation or not. */
import type { ThreadId } from '../../lib/core/ids.ts';

/** A message, the conversation that it is part of, and the thread that it came to lie in. */
export interface Placed {
  readonly habit: string;
  readonly conversation: number;
  readonly threadId: ThreadId;
}

export interface Score {
  readonly habit: string;
  readonly messages: number;
  /** Of the pairs in one thread, the share that is of one conversation. */
  readonly precision: number;
  /** Of the pairs of one conversation, the share that is in one thread. */
  readonly recall: number;
}

/** The score of the messages of `habit`, against all others; of all where it is null. */
export function score(placed: readonly Placed[], habit: string | null): Score {
  const counted = (one: Placed) => habit === null || one.habit === habit;
  let [joined, meant, both] = [0, 0, 0];
  for (const group of Map.groupBy(placed, ({ threadId }) => threadId).values()) {
    for (const [one, other] of pairs(group)) {
      if (!counted(one) && !counted(other)) continue;
      joined++;
      if (one.conversation === other.conversation) both++;
    }
  }
  for (const group of Map.groupBy(placed.filter(counted), ({ conversation }) => conversation).values()) {
    meant += (group.length * (group.length - 1)) / 2;
  }
  return {
    habit: habit ?? 'All',
    messages: placed.filter(counted).length,
    precision: joined === 0 ? 1 : both / joined,
    recall: meant === 0 ? 1 : both / meant,
  };
}

function* pairs<T>(of: readonly T[]): Generator<readonly [T, T]> {
  for (const [at, one] of of.entries()) for (const other of of.slice(at + 1)) yield [one, other];
}
