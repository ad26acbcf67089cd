/** Tickets of live connections: used once, by their key or session only; and the limit of connections. */
import { beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newToken } from '../../../lib/adapters/ids.ts';
import type { KeyId } from '../../../lib/core/ids.ts';
import { connectionsMax } from '../../../lib/core/live/connection.ts';
import { memberId } from '../../../lib/core/workspaces/workspace.ts';
import { createKey, deleteKey } from '../../../lib/services/api-keys/api-keys.ts';
import { findCallerOfSession, signOut } from '../../../lib/services/console/sessions.ts';
import { connect, disconnect, openTicket } from '../../../lib/services/live/tickets.ts';
import { removeMember } from '../../../lib/services/members/members.ts';
import { findConnection, hasConnections, listConnections } from '../../../lib/storage/live/connections.ts';
import { signedIn } from '../../support/console.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

const address = '192.0.2.7';
const newConnection = () => `${newToken(8)}=`;

let ours: TestWorkspace;
let keyId: KeyId;
beforeEach(async () => {
  ours = await workspace();
  keyId = (await createKey(ours.id, { name: 'live', scope: 'read', allowedIps: ['192.0.2.0/28'] })).key.id;
});

async function ticketOf(actor: KeyId | `member:${string}` = keyId, sessionHash?: string): Promise<string> {
  const { url, endsAt } = await openTicket({
    workspaceId: ours.id,
    actor,
    ...(sessionHash !== undefined && { sessionHash }),
  });
  expect(endsAt).toBeGreaterThan(now() + 50_000);
  return new URL(url).searchParams.get('ticket') ?? '';
}

describe('a ticket', () => {
  it('opens one connection of twenty that use it at the same time', async () => {
    const ticket = await ticketOf();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => connect(ticket, newConnection(), address)),
    );
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
    expect(await listConnections(ours.id)).toHaveLength(1);
  });

  it.each(['', 'x', `${'0'.repeat(32)}.${'A'.repeat(43)}`, 'a'.repeat(100_000)])(
    'is refused when it was not made here: %.40s',
    async (ticket) => {
      expect(await connect(ticket, newConnection(), address)).toBe(401);
    },
  );

  it('is refused when its secret or its workspace is another', async () => {
    const ticket = await ticketOf();
    const theirs = await workspace();
    const [, secret = ''] = ticket.split('.');
    expect(await connect(`${theirs.id.slice(4)}.${secret}`, newConnection(), address)).toBe(401);
    expect(await connect(`${ours.id.slice(4)}.${newToken(32)}`, newConnection(), address)).toBe(401);
    expect(await connect(ticket, newConnection(), address)).toBe(200);
  });

  it('is refused from an address that its key does not allow', async () => {
    expect(await connect(await ticketOf(), newConnection(), '192.0.2.99')).toBe(403);
  });

  it('is refused when its key was deleted meanwhile', async () => {
    const ticket = await ticketOf();
    await deleteKey(ours.id, keyId);
    expect(await connect(ticket, newConnection(), address)).toBe(403);
    expect(await hasConnections(ours.id)).toBe(false);
  });

  it.each(['signs out', 'is removed'])(
    'of a session is refused when its member %s meanwhile',
    async (how) => {
      const { token } = await signedIn(ours, 'viewer');
      const caller = await findCallerOfSession(token);
      if (!caller) throw new Error('not signed in');
      const used = await ticketOf(caller.actor as `member:${string}`, caller.sessionHash);
      expect(await connect(used, newConnection(), address)).toBe(200);
      const late = await ticketOf(caller.actor as `member:${string}`, caller.sessionHash);
      if (how === 'signs out') await signOut(token, { isEverywhere: false });
      else await removeMember(ours.id, memberId(caller.actor.slice('member:'.length)), 'operator');
      expect(await connect(late, newConnection(), address)).toBe(403);
    },
  );
});

describe('the connections of a workspace', () => {
  it('are a hundred at most, also when more connect at the same time', async () => {
    const tickets = await Promise.all(Array.from({ length: connectionsMax + 10 }, () => ticketOf()));
    const early = tickets.slice(0, connectionsMax - 2);
    const ids = early.map(newConnection);
    const opened = await Promise.all(early.map((ticket, at) => connect(ticket, ids[at] ?? '', address)));
    expect(new Set(opened)).toEqual(new Set([200]));
    await Promise.all(tickets.slice(early.length).map((ticket) => connect(ticket, newConnection(), address)));
    expect((await listConnections(ours.id)).length).toBeLessThanOrEqual(connectionsMax);
    while ((await listConnections(ours.id)).length < connectionsMax) {
      expect(await connect(await ticketOf(), newConnection(), address)).toBe(200);
    }
    await expect(openTicket({ workspaceId: ours.id, actor: keyId })).rejects.toMatchObject({
      code: 'limit_reached',
    });
    await disconnect(ids[0] ?? '');
    expect(await findConnection(ids[0] ?? '')).toBeNull();
    expect(await connect(await ticketOf(), newConnection(), address)).toBe(200);
  });
});
