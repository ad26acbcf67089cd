/** Connected mailboxes of a workspace, each with its claim on its address. Credentials are in items of their own. */

import type { MailboxId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { SealedTokens } from '../../core/mailboxes/credentials.ts';
import { type Mailbox, mailboxProviders, mailboxStates } from '../../core/mailboxes/mailbox.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { allDone } from '../../core/work/all-done.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { codec, id, nullable, number, oneOf, sortKey, text } from '../table/codec.ts';
import { type Cap, reserveCount, returnCount } from '../table/counters.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listFiltered, listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { countAll, type Item, remove } from '../table/table.ts';
import { absent, ConditionFailed, commit, commitIfUnchanged, type Write } from '../table/transactions.ts';
import { addAuditEntry } from '../workspaces/audit.ts';
import { unlessDeleted, withoutDeleted } from '../workspaces/deleted-spaces.ts';
import { claimCodec, findMailboxClaim } from './mailbox-claims.ts';
import {
  decodeCredentials,
  deleteCredentials,
  putCredentials,
  putFreeCredentials,
} from './mailbox-credentials.ts';
import { enterUnderApp, forgetUnusedClient, leaveApp } from './oauth-apps.ts';

const mailboxCodec = codec<Mailbox>('mailbox', {
  id: sortKey(id('mbx')),
  provider: oneOf(mailboxProviders),
  accountId: text,
  spaceId: nullable(id('spc')),
  address: text,
  name: nullable(text),
  state: oneOf(mailboxStates),
  stateReason: nullable(text),
  region: text,
  appId: nullable(id('app')),
  ref: nullable(text),
  connections: number,
  connectedAt: number,
  lastSyncAt: nullable(number),
  revision: number,
});

const capOf = (workspaceId: WorkspaceId): Cap => ({
  kind: 'mailboxes',
  max: limits.mailboxes,
  recount: () => countAll(keys.mailboxes(workspaceId)),
});

/** A mailbox of the workspace, or null. */
export async function findMailbox(workspaceId: WorkspaceId, id: MailboxId): Promise<Mailbox | null> {
  const reading = get(keys.mailboxKey(workspaceId, id));
  return await unlessDeleted(
    workspaceId,
    reading.then((item) => item && mailboxCodec.decode(item)),
  );
}

/** A mailbox with its credentials, which are null where it is disconnected. One round trip. */
export async function findMailboxAccess(
  workspaceId: WorkspaceId,
  id: MailboxId,
): Promise<{ readonly mailbox: Mailbox; readonly tokens: SealedTokens | null } | null> {
  const [mailbox, credentials] = await allDone([
    findMailbox(workspaceId, id),
    get(keys.mailboxCredentialsKey(workspaceId, id)),
  ]);
  return mailbox && { mailbox, tokens: decodeCredentials(credentials) };
}

/** The mailbox of an address, also in a deleted space, or null. */
export async function findMailboxByAddress(
  workspaceId: WorkspaceId,
  address: string,
): Promise<Mailbox | null> {
  const claim = await findMailboxClaim(workspaceId, address);
  const item = claim && (await get(keys.mailboxKey(workspaceId, claim.mailboxId)));
  return item && mailboxCodec.decode(item);
}

/** A page of mailboxes, oldest first. @param space undefined: every space; the caller checks that a given one exists */
export async function listMailboxes(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: Paging,
): Promise<Page<Mailbox>> {
  if (space !== undefined) return await listKept(workspaceId, paging, ({ spaceId }) => spaceId === space);
  return await withoutDeleted(workspaceId, (isKept) => listKept(workspaceId, paging, isKept));
}

/** The mailboxes of a space on a page, also of a deleted one, or of the workspace. Reads those of all spaces. */
export async function listMailboxesToRemove(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<Mailbox>> {
  const isOfSpace = ({ spaceId }: Mailbox) => spaceId === scope;
  return await listKept(workspaceId, paging, scope === 'workspace' ? null : isOfSpace);
}

async function listKept(
  workspaceId: WorkspaceId,
  paging: Paging,
  isKept: ((mailbox: Mailbox) => boolean) | null,
): Promise<Page<Mailbox>> {
  const input = { pk: keys.mailboxes(workspaceId), order: 'oldest first' as const, ...paging };
  const page = await (isKept
    ? listFiltered(input, (item) => isKept(mailboxCodec.decode(item)))
    : listPage(input));
  return { items: page.items.map(mailboxCodec.decode), next: page.next };
}

/** What a connection stores beside the mailbox. */
export interface NewConnection {
  readonly tokens: SealedTokens;
  /** Of other stores, such as the state of the synchronization. */
  readonly writes: readonly Write[];
  readonly messages: readonly OutboxMessage[];
}

/**
 * Stores a mailbox that was connected for the first time. Nothing is written unless the outcome is `connected`; `conflict`:
 * the address was connected meanwhile.
 */
export async function connectNewMailbox(
  workspaceId: WorkspaceId,
  mailbox: Mailbox,
  connection: NewConnection,
): Promise<ConnectOutcome> {
  if (!(await reserveCount(workspaceId, capOf(workspaceId), 1))) return 'limit_reached';
  try {
    await commit(
      workspaceId,
      [
        { as: 'claim', put: claimItem(workspaceId, mailbox), ...absent },
        { as: 'mailbox', put: mailboxItem(workspaceId, mailbox) },
        putCredentials(workspaceId, mailbox.id, connection.tokens),
        ...connectionWrites(workspaceId, mailbox, connection),
      ],
      connection.messages,
    );
    return 'connected';
  } catch (error) {
    await returnCount(workspaceId, 'mailboxes', 1);
    return outcomeOf(error);
  }
}

export type ConnectOutcome =
  | 'connected'
  | 'conflict'
  | 'being_revoked'
  | 'app_missing'
  | 'space_missing'
  | 'limit_reached';

/**
 * Stores a further connection of a mailbox; `conflict`: it was changed meanwhile; `being_revoked`: its last authorization is
 * being ended right now, which may end the new one, too.
 */
export async function reconnectMailbox(
  workspaceId: WorkspaceId,
  before: Mailbox,
  mailbox: Mailbox,
  connection: NewConnection,
): Promise<ConnectOutcome> {
  const { id, connectedAt } = mailbox;
  const { tokens, writes } = connection;
  const keepsPushAddress = before.appId === mailbox.appId && writes.some(({ as }) => as === 'push address');
  const credentials =
    before.state === 'disconnected'
      ? putFreeCredentials(workspaceId, id, tokens, connectedAt)
      : putCredentials(workspaceId, id, tokens);
  const isMoved = before.appId !== null && before.appId !== mailbox.appId;
  try {
    await commit(
      workspaceId,
      [
        { as: 'mailbox', put: mailboxItem(workspaceId, mailbox), ...unchanged(before) },
        { as: 'claim', put: claimItem(workspaceId, mailbox) },
        ...(isMoved && before.appId ? [leaveApp(workspaceId, before.appId, id)] : []),
        ...(keepsPushAddress
          ? []
          : [{ as: 'former push address', delete: pushAddressOf(workspaceId, before) }]),
        credentials,
        ...connectionWrites(workspaceId, mailbox, connection),
      ],
      connection.messages,
    );
  } catch (error) {
    return outcomeOf(error);
  }
  if (isMoved && before.appId) await forgetUnusedClient(workspaceId, before.appId);
  return 'connected';
}

function connectionWrites(
  workspaceId: WorkspaceId,
  { id: mailboxId, spaceId, appId }: Mailbox,
  { writes }: NewConnection,
): Write[] {
  return [
    ...(appId ? enterUnderApp(workspaceId, appId, mailboxId) : []),
    ...(spaceId ? [{ as: 'space', check: keys.spaceKey(workspaceId, spaceId) }] : []),
    ...writes,
  ];
}

function outcomeOf(error: unknown): ConnectOutcome {
  if (!(error instanceof ConditionFailed)) throw error;
  if (error.write === 'credentials') return 'being_revoked';
  if (error.write === 'app') return 'app_missing';
  return error.write === 'space' ? 'space_missing' : 'conflict';
}

/**
 * Stores a change of state with its messages. False where the mailbox was changed meanwhile, for example connected again:
 * nothing was written.
 */
export async function changeMailboxState(
  workspaceId: WorkspaceId,
  before: Mailbox,
  after: Mailbox,
  {
    messages,
    audit = null,
  }: { readonly messages: readonly OutboxMessage[]; readonly audit?: AuditEntry | null },
): Promise<boolean> {
  const { state, stateReason, revision } = after;
  const change = stateReason === null ? { set: {}, remove: ['stateReason'] } : { set: { stateReason } };
  return await commitIfUnchanged(
    workspaceId,
    [
      {
        as: 'mailbox',
        update: keys.mailboxKey(workspaceId, before.id),
        // Only these attributes: the time of a synchronization may be written at the same time.
        ...expressionsOf(
          { ...change, set: { ...change.set, state, revision } },
          { equal: { revision: before.revision } },
        ),
      },
      { as: 'claim', put: claimItem(workspaceId, after) },
      ...(audit ? [addAuditEntry(workspaceId, audit)] : []),
    ],
    messages,
  );
}

/** Destroys the credentials of a disconnected mailbox. False where it was connected again: nothing was written. */
export async function destroyCredentials(workspaceId: WorkspaceId, mailbox: Mailbox): Promise<boolean> {
  const { id: mailboxId, appId } = mailbox;
  const isDone = await commitIfUnchanged(workspaceId, [
    { as: 'mailbox', check: keys.mailboxKey(workspaceId, mailboxId), ...unchanged(mailbox) },
    deleteCredentials(workspaceId, mailboxId),
    // With it ends the synchronization; what is left of its timers finds nothing.
    { as: 'sync', delete: keys.mailboxSyncKey(workspaceId, mailboxId) },
    ...(appId ? [leaveApp(workspaceId, appId, mailboxId)] : []),
  ]);
  if (!isDone) return false;
  await remove(pushAddressOf(workspaceId, mailbox));
  if (appId) await forgetUnusedClient(workspaceId, appId);
  return true;
}

/** Where pushes of its app find a mailbox; that of a provider without such pushes is empty. */
const pushAddressOf = (workspaceId: WorkspaceId, { id, appId, address }: Mailbox): keys.Key =>
  keys.pushAddressKey(appId, address, workspaceId, id);

const mailboxItem = (workspaceId: WorkspaceId, mailbox: Mailbox): Item => ({
  ...keys.mailboxKey(workspaceId, mailbox.id),
  ...mailboxCodec.encode(mailbox),
});

const claimItem = (workspaceId: WorkspaceId, { id: mailboxId, address, ...mailbox }: Mailbox): Item => ({
  ...keys.mailboxClaimKey(workspaceId, address),
  ...claimCodec.encode({ ...mailbox, mailboxId }),
});

const unchanged = ({ revision }: Mailbox) => expressionsOf({}, { equal: { revision } });
