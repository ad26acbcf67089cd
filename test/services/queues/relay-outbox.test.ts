import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import type { QueueMessage } from '../../../lib/core/queue-messages.ts';
import { sendMessages } from '../../../lib/services/queues/relay-outbox.ts';
import { sendMailMessage } from '../../../lib/services/sending/submission-messages.ts';
import { eventTakersOfBatch } from '../../../lib/services/webhooks/event-takers.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { ownCalls } from '../../support/calls.ts';

afterEach(clearFaults);

let made = 0;
const change = (...messages: readonly QueueMessage[]) => ({
  id: `${newId('evt')}-${++made}`,
  messages: messages.map((message) => ({ message })),
});

/** Messages whose consumers find nothing to do. */
const pace = (): QueueMessage => ({ kind: 'pace-mail', v: 1, workspaceId: newId('wks') });
const mail = (emailId = newId('eml')): QueueMessage => sendMailMessage(newId('wks'), emailId, null);

describe('sendMessages', () => {
  it('sends the messages of several changes in one call for each queue', async () => {
    const calls = await ownCalls(async () => {
      const results = await sendMessages(
        [change(pace(), mail()), change(mail()), change(), change(pace(), mail())],
        eventTakersOfBatch(),
      );
      expect(results.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    });
    expect(calls.filter((action) => action.startsWith('Send'))).toEqual([
      'SendMessageBatch',
      'SendMessageBatch',
    ]);
  });

  it('fails the changes whose messages were not sent, and no others', async () => {
    const lost = newId('eml');
    await inject({ kind: 'error', service: 'sqs', match: lost, status: 400, code: 'Lost' });
    const results = await sendMessages(
      [change(pace()), change(pace(), mail(lost)), change(pace())],
      eventTakersOfBatch(),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
