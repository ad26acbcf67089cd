/** Pairwise precision and recall of threads against conversations. */
import type { ThreadId } from '../../../../lib/core/ids.ts';

/** A message with its conversation and the thread it joined. */
export interface JoinedMessage {
  readonly scenario: string;
  readonly conversation: number;
  readonly threadId: ThreadId;
}

export interface Score {
  readonly scenario: string;
  readonly messages: number;
  /** Of the pairs in one thread, the share that is of one conversation. */
  readonly precision: number;
  /** Of the pairs of one conversation, the share that is in one thread. */
  readonly recall: number;
}

/** The score of the messages of `scenario` against all others; of all messages if null. */
export function score(placed: readonly JoinedMessage[], scenario: string | null): Score {
  const counted = (one: JoinedMessage) => scenario === null || one.scenario === scenario;
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
    scenario: scenario ?? 'All',
    messages: placed.filter(counted).length,
    precision: joined === 0 ? 1 : both / joined,
    recall: meant === 0 ? 1 : both / meant,
  };
}

function* pairs<T>(of: readonly T[]): Generator<readonly [T, T]> {
  for (const [at, one] of of.entries()) for (const other of of.slice(at + 1)) yield [one, other];
}
