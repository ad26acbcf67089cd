/** The synchronization of a mailbox on the table: what a session stores together. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import { syncPorts } from '../../../lib/services/mailboxes/sync-ports-table.ts';
import { beginSync, findMailboxSync } from '../../../lib/storage/mailboxes/mailbox-syncs.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { cloud } from '../../support/cloud.ts';
import { mailboxOf } from '../../support/mailbox.ts';
import { itemsOf } from '../../support/stored.ts';
import { workspace } from '../../support/workspace.ts';

/** The ports of a mailbox whose lease is taken by the token `t`. */
async function leasedMailbox() {
  const { id: workspaceId } = await workspace();
  const mailbox = mailboxOf({ id: newId('mbx'), provider: 'microsoft', connectedAt: now() });
  await commit(
    workspaceId,
    beginSync(workspaceId, mailbox, { backfillDays: 0, baseUrl: 'https://api.test' }),
  );
  const ports = syncPorts(workspaceId, mailbox.id);
  await ports.job.take('t');
  return { workspaceId, mailbox, ports };
}

const messages = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `message-${at}.` }));

/** Which of `messages` are committed to the outbox. */
async function committed(workspaceId: WorkspaceId): Promise<string[]> {
  const outbox = (await itemsOf(workspaceId)).filter(({ pk }) => String(pk).endsWith('#OUT'));
  return [...JSON.stringify(outbox).matchAll(/message-\d+\./g)].map(([id]) => id);
}

describe('save', () => {
  // A transaction has 100; a page of changes may have 500.
  it.each([100, 101, 201])('stores a position with %i messages that lead to it', async (count) => {
    const { workspaceId, mailbox, ports } = await leasedMailbox();
    const found = messages(count);
    expect(await ports.save('t', { cursor: 'next' }, found)).toBe(true);
    expect((await committed(workspaceId)).sort()).toEqual(found.map(({ id }) => id).sort());
    expect(await findMailboxSync(workspaceId, mailbox.id)).toMatchObject({ cursor: 'next' });
    await cloud().waitForQuiescence();
  });

  it('stores nothing when the lease is lost', async () => {
    const { workspaceId, mailbox, ports } = await leasedMailbox();
    expect(await ports.save('other', { cursor: 'next' }, messages(101))).toBe(false);
    expect(await committed(workspaceId)).toEqual([]);
    expect(await findMailboxSync(workspaceId, mailbox.id)).toMatchObject({ cursor: null });
  });
});
