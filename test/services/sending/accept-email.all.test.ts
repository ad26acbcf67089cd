/** Acceptance of emails: commits that fail or whose response is lost, races, and caps. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import type { EmailId, WorkspaceId } from '../../../lib/core/ids.ts';
import { defaultPacing } from '../../../lib/core/pacing/rule.ts';
import { allKeys } from '../../../lib/core/suppressions/suppression.ts';
import type { Thread } from '../../../lib/core/threads/thread.ts';
import type { Address } from '../../../lib/mail/addresses/addresses.ts';
import { acceptEmail } from '../../../lib/services/sending/accept-email.ts';
import type { OutgoingEmail } from '../../../lib/services/sending/outgoing-email.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { createSuppressions } from '../../../lib/services/suppressions/suppressions.ts';
import { findEmail, listEmails } from '../../../lib/storage/emails/email-heads.ts';
import { findSendingGuard } from '../../../lib/storage/sending/sending-guards.ts';
import { conflictTriesMax } from '../../../lib/storage/table/table-client.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { listThreads } from '../../../lib/storage/threads/thread-lists.ts';
import { addMailboxes, findThread } from '../../../lib/storage/threads/threads.ts';
import { copiesOf, inject } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';
import { loseBefore, loseResponse } from '../../support/lost-response.ts';
import { requesterOf } from '../../support/requester.ts';
import { itemsOf, keysOf } from '../../support/stored.ts';
import { workspace } from '../../support/workspace.ts';

const to = { name: null, address: 'anna@people.example.test' };

async function outgoing(workspaceId: WorkspaceId, from: Address): Promise<OutgoingEmail> {
  return {
    sender: await resolveSender(workspaceId, from),
    from,
    to: [to],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'Hello',
    html: null,
    text: 'Hi',
    headers: [],
    attachments: [],
    suppressionKey: null,
    unsubscribe: false,
    pacing: defaultPacing,
    baseUrl: 'https://api.example.test',
    scheduledAt: null,
    forwardOf: null,
    carried: [],
  };
}

it('acceptEmail stores nothing that is found when its transaction is refused', async () => {
  const { id: workspaceId, providedDomain } = await workspace();
  const given = await outgoing(workspaceId, { name: null, address: `hi@${providedDomain}` });
  const refused = { kind: 'error', status: 400, code: 'ValidationException' } as const;
  await inject({ ...refused, action: 'TransactWriteItems', match: workspaceId });
  const key = { key: 'one', hash: 'same' };
  await expect(acceptEmail(requesterOf(workspaceId), given, null, key)).rejects.toThrow();
  const paging = { limit: 10, after: null, now: now() };
  expect((await listThreads(workspaceId, {}, paging)).items).toEqual([]);
  expect((await listEmails(workspaceId, {}, paging)).items).toEqual([]);
  expect(await countedRecipients(workspaceId)).toBe(0);
  await cloud().waitForQuiescence();
  const { email, replayed } = await acceptEmail(requesterOf(workspaceId), given, null, key);
  expect(replayed).toBe(false);
  await cloud().waitForQuiescence();
  expect(await copiesOf(email.id)).toEqual(new Map([[to.address, 1]]));
});

it('acceptEmail keeps the email when its thread has changed before the lost response is known', async () => {
  const { id: workspaceId, providedDomain } = await workspace();
  const from = { name: null, address: `hi@${providedDomain}` };
  loseResponse('TransactWriteItems', `W#${workspaceId}#T"`, async () => {
    const { items } = await listThreads(workspaceId, {}, { limit: 10, after: null, now: now() });
    await Promise.all(
      items.map((thread) => commit(workspaceId, addMailboxes(workspaceId, thread, ['desk@own.test']))),
    );
  });
  const { email } = await acceptEmail(
    requesterOf(workspaceId),
    await outgoing(workspaceId, from),
    null,
    null,
  );
  await cloud().waitForQuiescence();
  expect(await findThread(workspaceId, email.threadId)).toMatchObject({
    otherMailboxes: ['desk@own.test'],
    messageCount: 1,
  });
  expect(await findEmail(workspaceId, email.id)).toMatchObject({ revision: expect.toSatisfy((n) => n > 1) });
  expect(await copiesOf(email.id)).toEqual(new Map([[to.address, 1]]));
});

it.each(['a new thread', 'a thread that exists'])(
  'acceptEmail leaves nothing of its email in %s when another request uses the idempotency key first',
  async (where) => {
    const { id: workspaceId, providedDomain } = await workspace();
    const given = await outgoing(workspaceId, { name: null, address: `hi@${providedDomain}` });
    const accept = async (key: string, thread: Thread | null) =>
      await acceptEmail(requesterOf(workspaceId), given, thread && { thread, answered: null }, {
        key,
        hash: 'same',
      });
    const before = await accept('first', null);
    const thread = where === 'a new thread' ? null : await findThread(workspaceId, before.email.threadId);
    let other: EmailId | undefined;
    loseBefore('TransactWriteItems', workspaceId, async () => {
      other = (await accept('second', thread)).email.id;
    });
    const { email, replayed } = await accept('second', thread);
    expect({ id: email.id, replayed }).toEqual({ id: other, replayed: true });
    const named = keysOf(await itemsOf(workspaceId)).flatMap((key) => /eml_[0-9a-f]{32}/.exec(key) ?? []);
    expect(new Set(named)).toEqual(new Set([before.email.id, email.id]));
  },
);

it('acceptEmail adds every message to a thread when many join it at once', async () => {
  const { id: workspaceId, providedDomain } = await workspace();
  const given = {
    ...(await outgoing(workspaceId, { name: null, address: `hi@${providedDomain}` })),
    // Nothing is submitted.
    scheduledAt: now() + 86_400_000,
  };
  const first = await acceptEmail(requesterOf(workspaceId), given, null, null);
  const thread = await findThread(workspaceId, first.email.threadId);
  const joining = Array.from({ length: 24 }, () =>
    acceptEmail(requesterOf(workspaceId), given, { thread, answered: null }, null),
  );
  const ids = (await Promise.all(joining)).map(({ email }) => email.id);
  expect(new Set(ids).size).toBe(24);
  expect(await findThread(workspaceId, first.email.threadId)).toMatchObject({ messageCount: 25 });
});

it.each(['a new thread', 'a thread that changes meanwhile'])(
  'acceptEmail adds its email to %s when transactions of others are in the way at each try of a commit',
  async (where) => {
    const { id: workspaceId, providedDomain } = await workspace();
    const given = await outgoing(workspaceId, { name: null, address: `hi@${providedDomain}` });
    const before = await acceptEmail(requesterOf(workspaceId), given, null, null);
    const thread = where === 'a new thread' ? null : await findThread(workspaceId, before.email.threadId);
    if (thread) await commit(workspaceId, addMailboxes(workspaceId, thread, ['desk@own.test']));
    await cloud().waitForQuiescence();
    const code = 'TransactionCanceledException';
    const fault = { action: 'TransactWriteItems', kind: 'error', status: 400, code } as const;
    await inject({ ...fault, match: workspaceId, times: conflictTriesMax });
    const key = { key: 'first', hash: 'same' };
    const { email } = await acceptEmail(
      requesterOf(workspaceId),
      given,
      thread && { thread, answered: null },
      key,
    );
    expect(await findThread(workspaceId, email.threadId)).toMatchObject({ messageCount: thread ? 2 : 1 });
    expect(await findEmail(workspaceId, email.id)).not.toBeNull();
  },
);

/** Recipients that are counted against the caps. */
async function countedRecipients(workspaceId: WorkspaceId): Promise<number> {
  const { counts } = await findSendingGuard(workspaceId);
  return counts.reduce((sum, { sent }) => sum + sent, 0);
}

it.each(['a replay', 'an email without recipients left'])(
  'acceptEmail gives the recipients of %s back to the caps',
  async (what) => {
    const { id: workspaceId, providedDomain } = await workspace();
    const given = await outgoing(workspaceId, { name: null, address: `hi@${providedDomain}` });
    const key = { key: 'one', hash: 'same' };
    const { email } = await acceptEmail(requesterOf(workspaceId), given, null, key);
    expect(await countedRecipients(workspaceId)).toBe(1);
    if (what === 'a replay') {
      const again = await acceptEmail(requesterOf(workspaceId), given, null, key);
      expect(again).toMatchObject({ email: { id: email.id }, replayed: true });
    } else {
      const terms = { key: allKeys, scope: 'all', spaceId: null, note: null } as const;
      await createSuppressions(workspaceId, [to.address], terms);
      await expect(acceptEmail(requesterOf(workspaceId), given, null, null)).rejects.toThrow(/suppressed/);
    }
    expect(await countedRecipients(workspaceId)).toBe(1);
  },
);
