/** Drafts that nobody approves in time (docs/concepts/drafts.md#the-end-of-a-draft). */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import type { EmailId } from '../../../lib/core/ids.ts';
import type { OutboxMessage } from '../../../lib/core/queue-messages.ts';
import { findDraft, replaceDraft } from '../../../lib/storage/emails/drafts.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

const minuteMs = 60_000;

/** A draft whose end is a minute away instead of 30 days. @param isTimed whether its timer exists */
async function endingDraft(isTimed: boolean) {
  const own = await workspace();
  const client = api(own);
  const to = `anna@${own.slug}.example.test`;
  const mail = { from: `desk@${own.providedDomain}`, to, subject: 'Order', text: 'Hi', draft: true };
  const { body } = await client.post('/emails', mail);
  const id = body.id as EmailId;
  const draft = await findDraft(own.id, id);
  if (!draft) throw new Error('there is no draft');
  const days = ((draft.draft.expiresAt ?? 0) - draft.createdAt) / 86_400_000;
  const expiresAt = now() + minuteMs;
  const message = { kind: 'expire-draft', v: 1, workspaceId: own.id, emailId: id } as const;
  const messages: OutboxMessage[] = isTimed ? [{ message, dueAt: expiresAt }] : [];
  const ending = { ...draft, revision: 2, draft: { ...draft.draft, version: 2, expiresAt } };
  await commit(own.id, [replaceDraft(own.id, ending)], messages);
  return { client, id, to, days };
}

it('a draft is canceled with an event after 30 days', async () => {
  const { client, id, days } = await endingDraft(true);
  expect(days).toBe(30);
  await cloud().advance(120);
  await cloud().waitForQuiescence();
  expect((await client.get(`/emails/${id}`)).body).toMatchObject({
    status: 'canceled',
    cancellation: { reason: 'expired', by: null },
    draft: { approved_by: null, expires_at: null },
  });
  const { body } = await client.get('/events?type=email.canceled');
  expect(body.data).toMatchObject([{ data: { email_id: id, reason: 'expired' } }]);
});

it('a draft that has expired is not sent, whatever became of its timer', async () => {
  const { client, id, to } = await endingDraft(false);
  await cloud().advance(120);
  expect((await client.get('/emails?status=draft')).body.data).toEqual([]);
  const refused = await client.post(`/emails/${id}/approve`, { version: 2 });
  expect([refused.status, refused.body.code]).toEqual([409, 'not_draft']);
  expect((await client.get(`/emails/${id}`)).body).toMatchObject({ cancellation: { reason: 'expired' } });
  await cloud().waitForQuiescence();
  expect(await cloud().sentTo(to)).toEqual([]);
});
