/** Threads (docs/concepts/threads.md), and their order by activity. */
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
  /** Times of its activity entries, newest first; the first one is current. */
  readonly activity: readonly number[];
  /** Raised by each change; writers compare it. */
  readonly version: number;
}

/** Position of a listing by activity. */
export interface ActivityPosition {
  /** When the listing began, Unix milliseconds. */
  readonly began: number;
  /** The last entry read. */
  readonly after: string;
}

/** How long left activity entries are kept: listings are stable for this time (docs/concepts/threads.md#activity-order). */
export const activityEntryKeptMs = 60 * 60_000;
/** Entries kept of a thread with a burst of mail. */
const entriesMax = 20;

/** The activity entry of a thread at `atMs`; null where none so old is kept. */
export function activityEntryAt(thread: Pick<Thread, 'activity'>, atMs: number): number | null {
  return thread.activity.find((at) => at <= atMs) ?? null;
}

/** The entries of a thread after a message at `atMs`: those to keep, and those to delete. */
export function moveActivityEntry(
  entries: readonly number[],
  atMs: number,
): { readonly kept: readonly number[]; readonly dropped: readonly number[] } {
  if (entries[0] === atMs) return { kept: entries, dropped: [] };
  // An entry is needed while a listing may run that began before the thread left the entry.
  const needed = entries.filter(
    (_, index) => (entries[index - 1] ?? atMs) > atMs - activityEntryKeptMs && index < entriesMax - 1,
  );
  return { kept: [atMs, ...needed], dropped: entries.slice(needed.length) };
}
