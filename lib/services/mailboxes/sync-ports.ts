/** What the synchronization of one mailbox needs; the simulation of many mailboxes has ports of its own. */

import type {
  Changes,
  ProviderError,
  ProviderMessageRef,
  PushSubscription,
} from '../../core/mailboxes/provider.ts';
import type { SyncOutcome, SyncState } from '../../core/mailboxes/sync.ts';
import type { JobStore } from '../../core/work/job.ts';
import type { SyncChange } from '../../storage/mailboxes/mailbox-syncs.ts';

export interface SyncPorts {
  /** Unix milliseconds. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  readonly job: JobStore<SyncState, SyncOutcome>;
  /** Stores how far the session is, with the messages that were found before that, in one transaction. False where the lease is lost. */
  save(token: string, change: SyncChange, found: readonly ProviderMessageRef[]): Promise<boolean>;
  /** Those of the messages that have not become emails. */
  unknownOf(found: readonly ProviderMessageRef[]): Promise<readonly ProviderMessageRef[]>;
  /** Says on the mailbox when it was synchronized last. */
  noteLastSync(at: number): Promise<void>;
  /**
   * Says on the mailbox that it is not synchronized; the next `noteLastSync` ends that. Repeated, it changes the reason.
   *
   * @param since Unix milliseconds @param reason a sentence
   */
  noteFailing(since: number, reason: string): Promise<void>;
  /** For logs and metrics. */
  report(news: SyncReport): void;
  provider: SyncProvider;
}

export type SyncReport =
  | { readonly event: 'resync' }
  | { readonly event: 'sync_failed' | 'subscription_failed'; readonly error: ProviderError }
  /** A failure of ours. */
  | { readonly event: 'sync_broken'; readonly error: unknown };

/** The calls of the provider, each with a valid token. @throws ProviderError */
export interface SyncProvider {
  currentCursor(): Promise<string>;
  changesSince(cursor: string): Promise<Changes>;
  listSince(
    sinceMs: number,
    page: string | null,
  ): Promise<{ readonly found: readonly ProviderMessageRef[]; readonly nextPage: string | null }>;
  /** null: the app of the mailbox has no pushes. @param secret in plain text, for a new subscription */
  subscribe(current: PushSubscription | null, secret: string): Promise<PushSubscription | null>;
}
