/** Tickets for live connections, and the connections that they open (docs/concepts/live.md#connecting). */
import { now } from '../../adapters/clock.ts';
import { hashOf, newToken } from '../../adapters/ids.ts';
import type { Caller } from '../../core/access/api-key.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import {
  composeTicket,
  connectionMs,
  connectionsMax,
  newProgress,
  ticketMs,
  workspaceOfTicket,
} from '../../core/live/connection.ts';
import { Problem } from '../../core/problems.ts';
import { env } from '../../env.ts';
import * as store from '../../storage/live/connections.ts';
import { hasAccess } from './live-access.ts';

/** Where a client connects, until when. */
export interface LiveUrl {
  readonly url: string;
  /** Unix milliseconds. */
  readonly endsAt: number;
}

/** A ticket for the caller: its plaintext is stored nowhere. @throws Problem limit_reached */
export async function openTicket(
  caller: Pick<Caller, 'workspaceId' | 'actor' | 'sessionHash'>,
): Promise<LiveUrl> {
  const { workspaceId, actor, sessionHash = null } = caller;
  if ((await openConnections(workspaceId)) >= connectionsMax) {
    throw new Problem('limit_reached', `A workspace has at most ${connectionsMax} live connections.`);
  }
  const ticket = composeTicket(workspaceId, newToken(32));
  const endsAt = now() + ticketMs;
  await store.storeTicket(workspaceId, hashOf(ticket), { actor, sessionHash, endsAt });
  return { url: `${env().LIVE_URL}?ticket=${ticket}`, endsAt };
}

async function openConnections(workspaceId: WorkspaceId): Promise<number> {
  const connections = await store.listConnections(workspaceId);
  return connections.filter(({ endsAt }) => now() < endsAt).length;
}

/** Uses a ticket up for a connection. @returns the status of the handshake: 200, 401 or 403 */
export async function connect(ticket: string, connectionId: string, sourceIp: string): Promise<number> {
  const workspaceId = workspaceOfTicket(ticket);
  const hash = hashOf(ticket);
  const found = workspaceId && (await store.findTicket(workspaceId, hash));
  if (!workspaceId || !found || now() >= found.endsAt) return 401;
  const { actor, sessionHash } = found;
  if (!(await hasAccess(workspaceId, found, sourceIp))) return 403;
  const opened = await store.openConnection(workspaceId, hash, {
    id: connectionId,
    actor,
    sessionHash,
    sourceIp,
    endsAt: now() + connectionMs,
    subscription: null,
    progress: newProgress(null),
  });
  if (!opened) return 401;
  // After the own one is stored: of those that are opened at the same time, the last ones count all of them.
  if ((await openConnections(workspaceId)) <= connectionsMax) return 200;
  await store.removeConnections(workspaceId, [connectionId]);
  return 403;
}

/** Forgets a connection that has ended. */
export async function disconnect(connectionId: string): Promise<void> {
  const found = await store.findConnection(connectionId);
  if (found) await store.removeConnections(found.workspaceId, [connectionId]);
}
