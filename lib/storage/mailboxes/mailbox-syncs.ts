/** The synchronization of each mailbox, a job: its position and its push subscription; and the addresses of Google's pushes. */
import { type MailboxId, type OauthAppId, parseId, type WorkspaceId } from '../../core/ids.ts';
import type { Mailbox, MailboxState } from '../../core/mailboxes/mailbox.ts';
import { syncTimes } from '../../core/mailboxes/schedule.ts';
import type { Listing, SyncOutcome, SyncState } from '../../core/mailboxes/sync.ts';
import type { QueueMessage } from '../../core/queue-messages.ts';
import type { JobState, JobStore } from '../../core/work/job.ts';
import { codec, nullable, number, object, text, withDefault } from '../table/codec.ts';
import { expressionsOf, setOrRemove } from '../table/expressions.ts';
import { decodeJob, jobStore, underLease, untaken } from '../table/jobs.ts';
import * as keys from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { type Item, query, updateIf } from '../table/table.ts';
import type { Write } from '../table/transactions.ts';

const listing = object<Listing>({ since: number, page: nullable(text) });

const syncCodec = codec<Omit<SyncState, keyof JobState>>('mailbox sync', {
  cursor: nullable(text),
  resync: nullable(listing),
  backfill: nullable(listing),
  connectedAt: number,
  push: nullable(object({ id: nullable(text), expiresAt: number, subscribedAt: number })),
  subscribeAfter: nullable(number),
  pushSecretHash: nullable(text),
  baseUrl: text,
  failures: withDefault(number, 0),
  failingSince: nullable(number),
  lastSyncAt: nullable(number),
});

const decode = (item: Item | null): SyncState | null =>
  item && { ...decodeJob(item), ...syncCodec.decode(item) };

/** The synchronization of a mailbox; null for a mailbox that was never connected. */
export async function findMailboxSync(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
): Promise<SyncState | null> {
  return decode(await get(keys.mailboxSyncKey(workspaceId, mailboxId)));
}

export function mailboxSyncStore(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  messageOf: (timer: number) => QueueMessage,
): JobStore<SyncState, SyncOutcome> {
  const key = keys.mailboxSyncKey(workspaceId, mailboxId);
  return jobStore({ workspaceId, key, leaseMs: syncTimes.leaseMs, decode }, messageOf);
}

/** How a connection begins the synchronization. */
export interface SyncStart {
  /** Days of mail before the connection that are read. */
  readonly backfillDays: number;
  /** Scheme and host of the API, where pushes go; without a final slash. */
  readonly baseUrl: string;
}

const dayMs = 86_400_000;

/**
 * The writes that begin the synchronization of a mailbox that is connected. Of a mailbox that was connected before, they
 * read again what may have come since its last synchronization. A worker that holds the lease loses it; a timer stays.
 *
 * @param mailbox as it is connected, with `lastSyncAt` of the previous connection
 */
export function beginSync(
  workspaceId: WorkspaceId,
  mailbox: Pick<Mailbox, 'id' | 'provider' | 'appId' | 'address' | 'connectedAt' | 'lastSyncAt'>,
  { backfillDays, baseUrl }: SyncStart,
): Write[] {
  const { id, connectedAt, lastSyncAt } = mailbox;
  // What comes while a known mailbox is not connected is news, and so is what comes before the first position is known.
  const newsSince = lastSyncAt === null ? connectedAt : lastSyncAt - dayMs;
  const state: Omit<SyncState, keyof JobState> = {
    cursor: null,
    resync: { since: newsSince, page: null },
    backfill: backfillDays === 0 ? null : { since: connectedAt - backfillDays * dayMs, page: null },
    connectedAt: newsSince,
    push: null,
    subscribeAfter: null,
    pushSecretHash: null,
    baseUrl,
    failures: 0,
    failingSince: null,
    lastSyncAt: null,
  };
  const key = keys.mailboxSyncKey(workspaceId, id);
  const sync: Write = { as: 'sync', update: key, ...expressionsOf(untaken(syncCodec.encode(state))) };
  return mailbox.provider === 'google' ? [sync, enterPushAddress(workspaceId, mailbox)] : [sync];
}

function enterPushAddress(
  workspaceId: WorkspaceId,
  { id, appId, address }: Pick<Mailbox, 'id' | 'appId' | 'address'>,
): Write {
  return { as: 'push address', put: { ...keys.pushAddressKey(appId, address, workspaceId, id) } };
}

/** Mailboxes that one push is for: one in each workspace that has connected the address. */
const pushedMax = 100;

/** The mailboxes of a Google app with an address. @param appId null: the shared app */
export async function listPushedMailboxes(
  appId: OauthAppId | null,
  address: string,
): Promise<{ readonly workspaceId: WorkspaceId; readonly mailboxId: MailboxId }[]> {
  const { items } = await query({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.pushAddress(appId, address) },
    Limit: pushedMax,
  });
  return items.flatMap(({ sk }) => {
    const [workspace = '', mailbox = ''] = sk.split('#');
    const workspaceId = parseId('wks', workspace);
    const mailboxId = parseId('mbx', mailbox);
    return workspaceId && mailboxId ? [{ workspaceId, mailboxId }] : [];
  });
}

/** What a session stores; absent properties stay as they are. */
export type SyncChange = Partial<
  Pick<SyncState, 'cursor' | 'resync' | 'backfill' | 'push' | 'pushSecretHash' | 'subscribeAfter'>
>;

/** The write that stores how far a session is: its condition fails where the lease is lost. */
export function saveSync(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  token: string,
  change: SyncChange,
): Write {
  return underLease(keys.mailboxSyncKey(workspaceId, mailboxId), token, setOrRemove(change));
}

/**
 * Forgets a subscription that its provider has ended, so that the next session subscribes again. Nothing where it was
 * replaced meanwhile.
 */
export async function forgetPush(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  pushSecretHash: string,
): Promise<void> {
  const change = { remove: ['push', 'subscribeAfter'] };
  await updateIf(
    keys.mailboxSyncKey(workspaceId, mailboxId),
    expressionsOf(change, { equal: { pushSecretHash } }),
  );
}

/**
 * Notes on an active mailbox when it was synchronized last, which ends what `noteFailing` has written; nothing on any other:
 * its reason is that of its state.
 */
export async function noteLastSync(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  lastSyncAt: number,
): Promise<void> {
  const change = { set: { lastSyncAt }, remove: ['stateReason'] };
  await updateIf(keys.mailboxKey(workspaceId, mailboxId), expressionsOf(change, isActive));
}

/** Notes on an active mailbox that it is not synchronized. @param reason shown as `state_reason` */
export async function noteFailing(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  reason: string,
): Promise<void> {
  const change = { set: { stateReason: reason } };
  await updateIf(keys.mailboxKey(workspaceId, mailboxId), expressionsOf(change, isActive));
}

const active: MailboxState = 'active';
const isActive = { equal: { state: active } };
