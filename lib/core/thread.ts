/** What a thread is (contract, section 4), and its place in "most recently active first". */

import type { EmailId, SpaceId, ThreadId } from './ids.ts';
import type { Address } from './mail/addresses.ts';

export interface Thread {
  readonly id: ThreadId;
  readonly spaceId: SpaceId | null;
  readonly subject: string;
  /** The address on our side. */
  readonly mailbox: string;
  readonly participants: readonly Address[];
  readonly messageCount: number;
  readonly lastMessageAt: number;
  readonly createdAt: number;
  readonly forwardOf: ThreadId | null;
  readonly snippet: string;
  readonly newestEmailId: EmailId;
  /** Places in the listing, newest first; the first is the current one. */
  readonly positions: readonly number[];
  /** Grows with each change; writers compare it. */
  readonly version: number;
}

/** How long a listing that has begun finds a thread where it stood then. */
export const activityEntryKeptMs = 60 * 60_000;
/** At most so many places are remembered, for threads with a burst of mail. */
const positionsMax = 20;

/** The place a thread had at `atMs`: its newest one not after it; null where it has none so old. */
export function activityEntryAt(thread: Pick<Thread, 'positions'>, atMs: number): number | null {
  return thread.positions.find((at) => at <= atMs) ?? null;
}

/** Places after a message at `atMs`: those to keep, and those whose entries may go. */
export function moveActivityEntry(
  positions: readonly number[],
  atMs: number,
): { kept: readonly number[]; dropped: readonly number[] } {
  if (positions[0] === atMs) return { kept: positions, dropped: [] };
  // A place is needed while a listing may be under way that began before the thread left it.
  const needed = positions.filter(
    (_, index) => (positions[index - 1] ?? atMs) > atMs - activityEntryKeptMs && index < positionsMax - 1,
  );
  return { kept: [atMs, ...needed], dropped: positions.slice(needed.length) };
}
