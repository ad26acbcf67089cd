/** Connections of clients that take events live, and the tickets that open them (docs/concepts/live.md). They expire by TTL. */
import type { Actor } from '../../core/access/api-key.ts';
import { parseId, type WorkspaceId } from '../../core/ids.ts';
import type { LiveActor, LiveConnection, Progress, Subscription } from '../../core/live/connection.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { eventTypes } from '../../core/webhooks/event-types.ts';
import {
  codec,
  type Field,
  fail,
  flag,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  secondsAsMs,
  sortKey,
  text,
} from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { connectionOwnerKey, liveConnectionKey, liveConnections, liveTicketKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { put, query, queryAll, removeAll } from '../table/table.ts';
import { absent, commitIfUnchanged } from '../table/transactions.ts';

const isMember = (actor: string): actor is `member:${string}` => actor.startsWith('member:');

const actorField: Field<Actor> = {
  read(stored) {
    const actor = text.read(stored);
    return parseId('key', actor) ?? (isMember(actor) ? actor : fail('an actor'));
  },
  write: (actor) => actor,
};

const actorFields = { actor: actorField, sessionHash: nullable(text) };

/** A ticket, until it is used. */
export interface LiveTicket extends LiveActor {
  /** Unix milliseconds. */
  readonly endsAt: number;
}

const ticketCodec = codec<LiveTicket & { readonly expiresAt: number }>('live ticket', {
  ...actorFields,
  endsAt: number,
  expiresAt: secondsAsMs,
});

const anySpace: Field<Subscription['space']> = {
  read: (stored) => (stored === 'none' ? stored : nullable(id('spc')).read(stored)),
  write: (space) => space ?? undefined,
};

const subscriptionField = object<Omit<Subscription, 'id'>>({
  types: list(oneOf(eventTypes)),
  labels: list(text),
  space: anySpace,
});

const progressField = object<Progress>({
  isBegun: flag,
  cursor: nullable(id('evt')),
  sent: list(id('evt')),
  owed: list(id('evt')),
  failures: number,
});

interface StoredConnection extends Omit<LiveConnection, 'subscription'> {
  /** An attribute of its own: writers of the progress compare it. */
  readonly subscriptionId: string | null;
  readonly filters: Omit<Subscription, 'id'> | null;
  readonly expiresAt: number;
}

const connectionCodec = codec<StoredConnection>('live connection', {
  ...actorFields,
  id: sortKey(text),
  sourceIp: text,
  endsAt: number,
  subscriptionId: nullable(text),
  filters: nullable(subscriptionField),
  progress: progressField,
  expiresAt: secondsAsMs,
});

const ownerCodec = codec<{ readonly workspaceId: WorkspaceId }>('owner of a connection', {
  workspaceId: id('wks'),
});

/** TTL in seconds: an item must not go before its end. */
const expiryOf = (endsAt: number): number => endsAt + 10 * 60_000;

function decode(item: Parameters<typeof connectionCodec.decode>[0]): LiveConnection {
  const { subscriptionId, filters, expiresAt: _, ...connection } = connectionCodec.decode(item);
  const subscription = subscriptionId !== null && filters ? { id: subscriptionId, ...filters } : null;
  return { ...connection, subscription };
}

/** Stores a ticket by its hash. */
export async function storeTicket(workspaceId: WorkspaceId, hash: string, ticket: LiveTicket): Promise<void> {
  const item = ticketCodec.encode({ ...ticket, expiresAt: expiryOf(ticket.endsAt) });
  await put({ ...liveTicketKey(workspaceId, hash), ...item });
}

/** A ticket by its hash, or null where there is none or it was used. */
export async function findTicket(workspaceId: WorkspaceId, hash: string): Promise<LiveTicket | null> {
  const item = await get(liveTicketKey(workspaceId, hash));
  if (!item) return null;
  const { expiresAt: _, ...ticket } = ticketCodec.decode(item);
  return ticket;
}

/** Stores a connection and uses its ticket up. False where the ticket is gone: another connection has used it. */
export async function openConnection(
  workspaceId: WorkspaceId,
  ticketHash: string,
  { subscription: _, ...connection }: LiveConnection,
): Promise<boolean> {
  const expiresAt = expiryOf(connection.endsAt);
  const item = connectionCodec.encode({ ...connection, subscriptionId: null, filters: null, expiresAt });
  const owner = { ...ownerCodec.encode({ workspaceId }), expiresAt: secondsAsMs.write(expiresAt) };
  return await commitIfUnchanged(workspaceId, [
    {
      as: 'ticket',
      delete: liveTicketKey(workspaceId, ticketHash),
      ...expressionsOf({}, { exists: true }),
    },
    { as: 'connection', put: { ...liveConnectionKey(workspaceId, connection.id), ...item }, ...absent },
    { as: 'owner', put: { ...connectionOwnerKey(connection.id), ...owner }, ...absent },
  ]);
}

/** A connection with its workspace, by API Gateway's id; null where there is none. */
export async function findConnection(
  connectionId: string,
): Promise<{ readonly workspaceId: WorkspaceId; readonly connection: LiveConnection } | null> {
  const owner = await get(connectionOwnerKey(connectionId));
  if (!owner) return null;
  const { workspaceId } = ownerCodec.decode(owner);
  const item = await get(liveConnectionKey(workspaceId, connectionId));
  return item && { workspaceId, connection: decode(item) };
}

/** Every connection of the workspace, ended ones that were not removed among them. Their number is limited. */
export async function listConnections(workspaceId: WorkspaceId): Promise<readonly LiveConnection[]> {
  return (await queryAll(liveConnections(workspaceId))).map(decode);
}

/** Whether the workspace has a connection. One read unit. */
export async function hasConnections(workspaceId: WorkspaceId): Promise<boolean> {
  const { count } = await query({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': liveConnections(workspaceId) },
    Select: 'COUNT',
    Limit: 1,
  });
  return count > 0;
}

/** Replaces the subscription of a connection. False where the connection is gone. */
export async function storeSubscription(
  workspaceId: WorkspaceId,
  connectionId: string,
  {
    subscription: { id: subscriptionId, ...filters },
    progress,
  }: { subscription: Subscription; progress: Progress },
  message: OutboxMessage,
): Promise<boolean> {
  const set = {
    subscriptionId,
    filters: subscriptionField.write(filters),
    progress: progressField.write(progress),
  };
  const update = {
    update: liveConnectionKey(workspaceId, connectionId),
    ...expressionsOf({ set }, { exists: true }),
  };
  return await commitIfUnchanged(workspaceId, [{ as: 'connection', ...update }], [message]);
}

/** Stores how far a connection is. False where its subscription was replaced, or it is gone. */
export async function saveProgress(
  workspaceId: WorkspaceId,
  { id: connectionId, subscription }: LiveConnection,
  progress: Progress,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const change = expressionsOf(
    { set: { progress: progressField.write(progress) } },
    { exists: true, equal: { subscriptionId: subscription?.id } },
  );
  const write = { as: 'connection', update: liveConnectionKey(workspaceId, connectionId), ...change };
  return await commitIfUnchanged(workspaceId, [write], messages);
}

/** Removes connections; missing ones are no error. */
export async function removeConnections(workspaceId: WorkspaceId, ids: readonly string[]): Promise<void> {
  await removeAll(
    ids.flatMap((connectionId) => [
      liveConnectionKey(workspaceId, connectionId),
      connectionOwnerKey(connectionId),
    ]),
  );
}
