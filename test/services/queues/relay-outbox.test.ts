import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { PublishEvent, QueueMessage, ReleaseMail } from '../../../lib/core/queue-messages.ts';
import { newEvent } from '../../../lib/services/events/new-event.ts';
import {
  noWork,
  type RelayWork,
  relayOutbox,
  sendMessages,
} from '../../../lib/services/queues/relay-outbox.ts';
import { releaseMailMessage, sendMailMessage } from '../../../lib/services/sending/submission-messages.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { ownCalls } from '../../support/calls.ts';

afterEach(clearFaults);

let made = 0;
const change = (...messages: readonly QueueMessage[]) => ({
  id: `${newId('evt')}-${++made}`,
  messages: messages.map((message) => ({ message })),
});

/** Messages whose consumers find nothing to do. */
const pace = (): QueueMessage => ({ kind: 'pace-mail', v: 1, workspaceId: newId('wks'), wakeAt: null });
const mail = (emailId = newId('eml')): QueueMessage => sendMailMessage(newId('wks'), emailId, null);
const event = (): PublishEvent => newEvent(newId('wks'), 'email.sent', now(), { emailId: newId('eml') });

/** The image of an item that carries the messages of a change. */
const imageOf = (...messages: readonly QueueMessage[]) =>
  marshall({ outbox: JSON.stringify(change(...messages)) });

const sentNow = async (flow: () => Promise<unknown>) =>
  (await ownCalls(flow)).filter((action) => action.startsWith('Send'));

describe('sendMessages', () => {
  it('sends the messages of several changes in one call for each queue', async () => {
    const calls = await sentNow(async () => {
      const results = await sendMessages([
        change(pace(), mail()),
        change(mail()),
        change(),
        change(pace(), mail()),
      ]);
      expect(results.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    });
    expect(calls).toEqual(['SendMessageBatch', 'SendMessageBatch']);
  });

  it('fails the changes whose messages were not sent, and no others', async () => {
    const lost = newId('eml');
    await inject({ kind: 'error', service: 'sqs', match: lost, status: 400, code: 'Lost' });
    const results = await sendMessages([change(pace()), change(pace(), mail(lost)), change(pace())]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('relayOutbox', () => {
  /** Publishes all events but `failing`, and releases all emails but `waiting`. */
  function relayWork(failing: readonly PublishEvent[] = [], waiting: readonly ReleaseMail[] = []) {
    const published: PublishEvent[] = [];
    const released: ReleaseMail[] = [];
    const work: RelayWork = {
      publish: (messages) =>
        Promise.allSettled(
          messages.map(async (message) => {
            if (failing.some(({ eventId }) => eventId === message.eventId)) throw new Error('not now');
            published.push(message);
            return true;
          }),
        ),
      release: (messages) =>
        Promise.allSettled(
          messages.map(async (message) => {
            const isWaiting = waiting.some(({ emailId }) => emailId === message.emailId);
            if (!isWaiting) released.push(message);
            return !isWaiting;
          }),
        ),
    };
    return { work, published, released };
  }

  const release = () =>
    releaseMailMessage(newId('wks'), {
      emailId: newId('eml'),
      chunk: null,
      region: 'eu-central-1',
      recipients: 1,
    });

  it('does the work of all records at once, and sends their other messages', async () => {
    const events = [event(), event()] as const;
    const email = release();
    const { work, published, released } = relayWork();
    const calls = await sentNow(async () => {
      const images = [imageOf(events[0], pace()), undefined, imageOf(events[1], email)];
      const results = await relayOutbox(images, work);
      expect(results.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    });
    expect([published, released]).toEqual([events, [email]]);
    expect(calls).toEqual(['SendMessage']);
  });

  it('sends the events that are not published to their queue, together', async () => {
    const [first, second, third] = [event(), event(), event()] as const;
    const { work, published } = relayWork([first, third]);
    const calls = await sentNow(async () => {
      const results = await relayOutbox([imageOf(first), imageOf(second), imageOf(third)], work);
      expect(results.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    });
    expect(published).toEqual([second]);
    expect(calls).toEqual(['SendMessageBatch']);
  });

  it('sends an email that waits to the message group that the work names', async () => {
    const group = `lane-${newId('dom')}`;
    const named: RelayWork = {
      ...noWork,
      release: async (messages) => messages.map(() => ({ status: 'fulfilled', value: { group } })),
    };
    // Only a message with this group is refused.
    await inject({ kind: 'error', service: 'sqs', match: group, status: 400, code: 'Lost' });
    const [result] = await relayOutbox([imageOf(release())], named);
    expect(result?.status).toBe('rejected');
  });

  it('sends the emails that wait to their lanes, in their order', async () => {
    const [first, second, third] = [release(), release(), release()] as const;
    const { work, released } = relayWork([], [second, third]);
    const calls = await sentNow(async () => {
      const results = await relayOutbox([imageOf(first), imageOf(second), imageOf(third)], work);
      expect(results.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    });
    expect(released).toEqual([first]);
    expect(calls).toEqual(['SendMessageBatch']);
  });

  it('sends all messages where it does no work', async () => {
    const calls = await sentNow(async () => {
      const results = await relayOutbox([imageOf(event(), release()), imageOf(event())], noWork);
      expect(results.map(({ status }) => status)).toEqual(Array(2).fill('fulfilled'));
    });
    // A batch of events, and an email for its lane.
    expect(calls).toEqual(['SendMessage', 'SendMessageBatch']);
  });

  it('fails the records whose work is neither done nor sent, and no others', async () => {
    const [lost, kept] = [event(), event()] as const;
    const { work } = relayWork([lost, kept]);
    await inject({ kind: 'error', service: 'sqs', match: lost.eventId, status: 400, code: 'Lost' });
    const results = await relayOutbox([imageOf(lost), imageOf(pace())], work);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const [again] = await relayOutbox([imageOf(kept)], work);
    expect(again).toEqual({ status: 'fulfilled', value: undefined });
  });
});
