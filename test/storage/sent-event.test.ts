/** The event of an email's change to `sent`, in its head (docs/decisions/0059-the-head-announces-that-it-is-sent.md). */
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { publishEventMessage } from '../../lib/core/queue-messages.ts';
import { changeHead, createEmail, findEmail } from '../../lib/storage/emails.ts';
import { emailKey } from '../../lib/storage/keys.ts';
import { readOutboxRecord, scanOutbox } from '../../lib/storage/outbox.ts';
import { get } from '../../lib/storage/reads.ts';
import { commit } from '../../lib/storage/transactions.ts';
import { storedHead, threadOf } from '../support/stored-mail.ts';

/** An email that is sent, with the event of that. */
async function sentEmail() {
  const workspaceId = newId('wks');
  const head = storedHead({ status: 'queued' });
  const sentAt = head.createdAt + 1000;
  const event = publishEventMessage({
    workspaceId,
    eventId: newId('evt'),
    type: 'email.sent',
    at: sentAt,
    subject: { emailId: head.id },
  });
  await commit(workspaceId, [...createEmail(workspaceId, head), ...threadOf(workspaceId, head)]);
  const change = changeHead(workspaceId, head.id, { status: 'sent', sentAt }, { status: 'queued' });
  await commit(workspaceId, [change], [{ message: event }]);
  const stored = async () =>
    marshall(await get(emailKey(workspaceId, head.id)), { removeUndefinedValues: true });
  return { workspaceId, head, event, stored };
}

async function replayed(eventId: string) {
  const all = [];
  for await (const { found } of scanOutbox({ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER }))
    all.push(...found);
  return all
    .flatMap(({ messages }) => messages)
    .filter(({ message }) => 'eventId' in message && message.eventId === eventId);
}

describe('the event of a head that becomes sent', () => {
  it('is read by the relay from the record of the head', async () => {
    const { event, stored } = await sentEmail();
    expect(await readOutboxRecord(await stored())).toEqual({
      id: event.eventId.slice('evt_'.length),
      messages: [{ message: event }],
    });
  });

  it('takes less than 64 bytes', async () => {
    const { stored } = await sentEmail();
    const { sentEvent } = await stored();
    expect('sentEvent'.length + (sentEvent?.S?.length ?? 0)).toBeLessThan(64);
  });

  it('is replayed, also when the status has changed since', async () => {
    const { workspaceId, head, event } = await sentEmail();
    expect(await replayed(event.eventId)).toEqual([{ message: event }]);
    await commit(workspaceId, [
      changeHead(workspaceId, head.id, { status: 'delivered' }, { status: 'sent' }),
    ]);
    expect(await findEmail(workspaceId, head.id)).toMatchObject({ status: 'delivered' });
    expect(await replayed(event.eventId)).toEqual([{ message: event }]);
  });
});
