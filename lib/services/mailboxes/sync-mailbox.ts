/**
 * The synchronization of a mailbox: one worker at a time reads what is new, page by page, and stores each position in one
 * transaction with the messages that lead to it (docs/mailbox-providers.md#synchronization).
 */
import { hashOf, newToken } from '../../adapters/ids.ts';
import type { MailboxId } from '../../core/ids.ts';
import { ProviderError, type ProviderMessageRef } from '../../core/mailboxes/provider.ts';
import { nextPollAt, nextRetryAt, renewAt, syncTimes } from '../../core/mailboxes/schedule.ts';
import { type Listing, resyncAfterGap, type SyncOutcome, type SyncState } from '../../core/mailboxes/sync.ts';
import type { SyncMailbox } from '../../core/queue-messages.ts';
import { LeaseLost } from '../../core/work/job.ts';
import type { SyncChange } from '../../storage/mailboxes/mailbox-syncs.ts';
import { type Ending, runJob } from '../jobs/run-job.ts';
import type { SyncPorts } from './sync-ports.ts';

/** Where a subscription is refused, polls go on more often, and a next try follows after so long. */
const subscribeAgainMs = 6 * 3_600_000;

interface Session {
  readonly ports: SyncPorts;
  readonly mailboxId: MailboxId;
  readonly token: string;
  readonly until: number;
  state: SyncState;
  isResynced: boolean;
  /** A listing began anew. */
  isListedAgain: boolean;
}

/**
 * Processes a `sync-mailbox` message. Idempotent.
 *
 * @param token identifies the message across its deliveries by SQS
 */
export async function syncMailbox(ports: SyncPorts, message: SyncMailbox, token: string): Promise<void> {
  const { mailboxId, wakeAt } = message;
  await runJob<SyncState, SyncOutcome>(
    {
      store: ports.job,
      sessionMs: syncTimes.sessionMs,
      now: ports.now,
      begin(state, { until }) {
        const session = { ports, mailboxId, token, until, state, isResynced: false, isListedAgain: false };
        return () => takeTurn(session);
      },
    },
    { token, timer: wakeAt },
  );
}

async function takeTurn(session: Session): Promise<Ending<SyncOutcome>> {
  const { ports, mailboxId } = session;
  try {
    const isDone = await readNews(session);
    const mended = { failures: 0, failingSince: null };
    if (!isDone) return { kind: 'more', set: mended };
    const lastSyncAt = ports.now();
    await ports.noteLastSync(lastSyncAt);
    const nextAt = nextPollAt(mailboxId, lastSyncAt, session.state.push !== null);
    return { kind: 'done', nextAt, set: { lastSyncAt, ...mended } };
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    return await afterFailure(session, error);
  }
}

/** Subscribes where that is due, and reads pages until nothing is new. False where the time of the session is over. */
async function readNews(session: Session): Promise<boolean> {
  const { ports } = session;
  if (session.state.cursor === null) {
    // Before anything is read, so that what comes meanwhile is a change.
    await save(session, { cursor: await ports.provider.currentCursor() }, []);
  }
  await subscribe(session);
  while (ports.now() < session.until) {
    if (await readPage(session)) return true;
  }
  return false;
}

/** Begins or renews push notifications. A provider that refuses them leaves polling. */
async function subscribe(session: Session): Promise<void> {
  const { ports, mailboxId, state } = session;
  const { push, subscribeAfter } = state;
  if (subscribeAfter !== null && ports.now() < subscribeAfter) return;
  if (push && ports.now() < renewAt(mailboxId, push, push.subscribedAt)) return;
  const secret = newToken(32);
  try {
    const subscription = await ports.provider.subscribe(push, secret);
    const isKept = subscription !== null && push !== null && subscription.id === push.id;
    const change: SyncChange = {
      push: subscription && { ...subscription, subscribedAt: ports.now() },
      // An app may get a topic later.
      subscribeAfter: subscription === null ? ports.now() + subscribeAgainMs : null,
      ...(subscription !== null && !isKept && { pushSecretHash: hashOf(secret) }),
    };
    await save(session, change, []);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'unauthorized') throw error;
    ports.report({ event: 'subscription_failed', error });
    const isRefused = error.kind === 'refused';
    const waitMs = isRefused ? subscribeAgainMs : syncTimes.longestRetryMs;
    await save(session, { subscribeAfter: ports.now() + waitMs }, []);
  }
}

/** Reads one page: changes first, then what a gap may have lost, then older mail. True where nothing is left. */
async function readPage(session: Session): Promise<boolean> {
  const { resync, backfill } = session.state;
  const areChangesRead = await readChanges(session);
  if (!areChangesRead) return false;
  const listing = resync ?? backfill;
  if (!listing) return true;
  const { found, rest } = await readListing(session, listing);
  await save(session, resync ? { resync: rest } : { backfill: rest }, found);
  return session.state.resync === null && session.state.backfill === null;
}

/** A page of a listing, and what is left of it. A provider that does not know the page any more is asked from the first. */
async function readListing(
  session: Session,
  { since, page }: Listing,
): Promise<{ readonly found: readonly ProviderMessageRef[]; readonly rest: Listing | null }> {
  try {
    const { found, nextPage } = await session.ports.provider.listSince(since, page);
    return { found, rest: nextPage === null ? null : { since, page: nextPage } };
  } catch (error) {
    const isUnknownPage =
      error instanceof ProviderError && (error.kind === 'refused' || error.kind === 'not_found');
    if (!isUnknownPage || page === null || session.isListedAgain) throw error;
    session.isListedAgain = true;
    return { found: [], rest: { since, page: null } };
  }
}

/** True where the last page of changes was read. */
async function readChanges(session: Session): Promise<boolean> {
  const { ports, state } = session;
  try {
    const { added, cursor, isLast } = await ports.provider.changesSince(state.cursor ?? '');
    if (cursor !== state.cursor || added.length > 0) await save(session, { cursor }, added);
    return isLast;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error;
    // A provider that does not know the position it has just given is not asked for ever.
    if (session.isResynced) throw new ProviderError('unknown', error.message);
    session.isResynced = true;
    ports.report({ event: 'resync' });
    const cursor = await ports.provider.currentCursor();
    await save(session, { cursor, resync: resyncAfterGap(session.state) }, []);
    return false;
  }
}

async function save(
  session: Session,
  change: SyncChange,
  found: readonly ProviderMessageRef[],
): Promise<void> {
  const unknown = found.length === 0 ? [] : await session.ports.unknownOf(found);
  if (!(await session.ports.save(session.token, change, unknown))) throw new LeaseLost();
  session.state = { ...session.state, ...change };
}

/**
 * Another try follows, or none where the authorization is gone. A failure of ours is tried again as well, and as often: a queue would
 * give up in the end, and nothing would be received any more.
 */
async function afterFailure({ ports, state }: Session, error: unknown): Promise<Ending<SyncOutcome>> {
  const failure = error instanceof ProviderError ? error : null;
  ports.report(failure ? { event: 'sync_failed', error: failure } : { event: 'sync_broken', error });
  if (failure?.kind === 'unauthorized') return { kind: 'failed', nextAt: null, set: {} };
  const failures = state.failures + 1;
  const failingSince = state.failingSince ?? ports.now();
  if (ports.now() >= failingSince + syncTimes.failingMs) {
    const reason = failure?.message ?? 'The service failed.';
    await ports.noteFailing(state.lastSyncAt ?? failingSince, reason);
  }
  const nextAt = nextRetryAt(ports.now(), failures, failure?.retryAfterMs ?? null, ports.random());
  return { kind: 'failed', nextAt, set: { failures, failingSince } };
}
