/** Commits whose response is lost (docs/decisions/0057-a-thread-commits-its-first-email.md). */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { defaultPacing } from '../../../lib/core/pacing/rule.ts';
import { acceptEmail } from '../../../lib/services/sending/accept-email.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { findEmail } from '../../../lib/storage/emails.ts';
import { addMailboxes, findThread, listThreads } from '../../../lib/storage/threads.ts';
import { commit } from '../../../lib/storage/transactions.ts';
import { copiesOf } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';
import { loseResponse } from '../../support/lost-response.ts';
import { workspace } from '../../support/workspace.ts';

it('acceptEmail keeps the email when its thread has changed before the lost response is known', async () => {
  const { id: workspaceId, providedDomain } = await workspace();
  const from = { name: null, address: `hi@${providedDomain}` };
  const to = { name: null, address: 'anna@people.example.test' };
  loseResponse('PutItem', `W#${workspaceId}#T"`, async () => {
    const { items } = await listThreads(workspaceId, {}, { limit: 10, after: null, now: now() });
    await Promise.all(
      items.map((thread) => commit(workspaceId, addMailboxes(workspaceId, thread, ['desk@own.test']))),
    );
  });
  const { email } = await acceptEmail(
    workspaceId,
    {
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
    },
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
