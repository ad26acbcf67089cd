/** The state of a mailbox's synchronization. Times are Unix milliseconds. */
import type { JobState } from '../work/job.ts';
import type { PushSubscription } from './provider.ts';

/** Reading of messages since a time, newest first, page by page. */
export interface Listing {
  readonly since: number;
  /** Of the provider; null: the first. */
  readonly page: string | null;
}

/** Where a synchronization is. */
export interface SyncPosition {
  /** Of the provider's changes; null: none yet. */
  readonly cursor: string | null;
  /** What a gap may have lost, or what came while the mailbox was not connected; null: nothing. */
  readonly resync: Listing | null;
  /** Mail that is older than the connection; null: all of it is read. */
  readonly backfill: Listing | null;
}

export interface SyncState extends SyncPosition, JobState {
  /** Messages that were received before are history: nobody is told of them. */
  readonly connectedAt: number;
  readonly push: (PushSubscription & { readonly subscribedAt: number }) | null;
  /** No further try to subscribe before; null: at once. */
  readonly subscribeAfter: number | null;
  /** SHA-256 of the secret that a push of Microsoft names, in hex; null: there is no subscription. */
  readonly pushSecretHash: string | null;
  /** Scheme and host of the API, where pushes go. */
  readonly baseUrl: string;
  /** Syncs in a row that failed. */
  readonly failures: number;
  /** The first of them; null: the last one succeeded. */
  readonly failingSince: number | null;
  readonly lastSyncAt: number | null;
}

/** What a session changes as it ends. */
export type SyncOutcome = Partial<Pick<SyncState, 'failures' | 'failingSince' | 'lastSyncAt'>>;

/** A gap is read again from so long before the last synchronization. */
const overlapMs = 86_400_000;

/** What a lost cursor makes read again. */
export function resyncAfterGap({
  connectedAt,
  lastSyncAt,
  resync,
}: Pick<SyncState, 'connectedAt' | 'lastSyncAt' | 'resync'>): Listing {
  const since = Math.max(connectedAt, (lastSyncAt ?? connectedAt) - overlapMs);
  return { since: Math.min(since, resync?.since ?? since), page: null };
}
