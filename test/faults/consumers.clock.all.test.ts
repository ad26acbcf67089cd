import { afterEach, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import {
  addresses,
  callsDuring,
  clearFaults,
  copiesOf,
  type EmailBody,
  eventsFor,
  inject,
  newSender,
  put,
  type Sender,
  untilDone,
  type WorkerName,
  waitingQueues,
} from './kit.ts';

afterEach(clearFaults);

/** Its event is queued: it waits for the text of the file. */
const file = { filename: 'list.csv', content: 'item,count\nbooks,2\n' };

/** A send, its delivery and the answer of the recipient: every worker takes part. */
async function converse(
  sender: Sender,
  person: string,
  attachments: readonly (typeof file)[] = [],
): Promise<EmailBody> {
  const email = await sender.send([person]);
  await cloud().waitForQuiescence();
  const [sent] = await cloud().sentTo(person);
  await cloud().sendMail({
    from: person,
    to: sender.from,
    subject: 'Re: Hello',
    text: 'Yes',
    inReplyTo: sent?.message_id ?? '',
    attachments: [...attachments],
  });
  await cloud().waitForQuiescence();
  return email;
}

/** Fails unless the conversation has the same outcome as without faults. */
async function expectConversationOnce(sender: Sender, email: EmailBody, person: string): Promise<void> {
  expect(await copiesOf(email.id)).toEqual(new Map([[person, 1]]));
  expect((await sender.read(email.id)).status).toBe('delivered');
  const thread = await sender.thread(email.thread_id);
  expect(thread).toMatchObject({ message_count: 2 });
  const messages = thread.messages as { id: string; direction: string }[];
  expect(messages.map(({ direction }) => direction)).toEqual(['outbound', 'inbound']);
  expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.sent']);
  expect(eventsFor(sender, messages[1]?.id ?? '')).toEqual(['email.received']);
}

describe('relay, provider-event, receive-mail, publish-event and deliver-webhook', () => {
  const workers: readonly WorkerName[] = [
    'relay',
    'provider-event',
    'receive-mail',
    'publish-event',
    'deliver-webhook',
  ];
  const rounds = 9;

  it('lose and repeat nothing when each is killed at any AWS call', async () => {
    const sender = await newSender();
    const before = await waitingQueues();
    const [calm = '', ...people] = addresses(crypto.randomUUID().slice(0, 8), 1 + rounds);
    const conversations: EmailBody[] = [];
    const counted = await callsDuring(async () => conversations.push(await converse(sender, calm, [file])));
    for (const worker of workers) expect(counted(worker), worker).toBeGreaterThan(2);
    for (const [round, person] of people.entries()) {
      for (const worker of workers) {
        const skip = Math.round((round * (counted(worker) - 1)) / (rounds - 1));
        await inject({ worker, kind: round % 2 === 0 ? 'kill-after' : 'kill-before', skip });
      }
      conversations.push(await converse(sender, person, [file]));
      await clearFaults();
    }
    await untilDone();
    for (const [at, email] of conversations.entries())
      await expectConversationOnce(sender, email, [calm, ...people][at] ?? '');
    // Other files leave dead letters and delayed messages in this cloud.
    const more = Object.entries(await waitingQueues()).filter(
      ([queue, count]) => count > (before[queue] ?? 0),
    );
    expect(more).toEqual([]);
    const { data: endpoints } = (await api(sender.own).get('/webhook-endpoints')).body;
    const { body } = await api(sender.own).get(`/webhook-endpoints/${endpoints[0]?.id}/deliveries?limit=100`);
    const deliveries = body.data as unknown as { event_id: string; state: string }[];
    // Events of a conversation: thread.created, email.sent, email.delivered, email.received.
    expect(new Set(deliveries.map(({ event_id }) => event_id)).size).toBe(4 * conversations.length);
    expect(deliveries.map(({ state }) => state)).toEqual(
      conversations.flatMap(() => Array(4).fill('delivered')),
    );
  });
});

describe('the relay', () => {
  it('retries until SQS accepts its messages', async () => {
    const sender = await newSender();
    const person = 'patient@people.example.test';
    const fault = { worker: 'relay', kind: 'error', service: 'sqs' } as const;
    // Four times the attempts of the SDK.
    await inject({ ...fault, times: 12 });
    await expectConversationOnce(sender, await converse(sender, person), person);
  });
});

describe('a notification of received mail', () => {
  it('creates one email when it arrives four times', async () => {
    const sender = await newSender();
    await inject({ worker: 'receive-mail', kind: 'kill-before' });
    const subject = `once-${sender.own.slug}`;
    await cloud().sendMail({ from: 'anna@people.example.test', to: sender.from, subject, text: 'Hi' });
    await cloud().waitForQuiescence();
    const { data } = await cloud().control<{ data: { body: string }[] }>(
      'GET',
      '/queues/parley-inbound/messages',
    );
    const body = data.map((message) => message.body).find((text) => text.includes(subject)) ?? '';
    await Promise.all([put('inbound', body), put('inbound', body), put('inbound', body)]);
    await untilDone();
    const { body: list } = await api(sender.own).get('/emails');
    expect(list.data).toHaveLength(1);
    expect(eventsFor(sender, list.data[0]?.id ?? '')).toEqual(['email.received']);
  });
});

describe('a poison message', () => {
  const poison = {
    mail: '{"kind":"send-mail","v":2}',
    events: 'no json',
    inbound: '{"notificationType":"Received"}',
    delays: '{}',
  };

  it('ends in the dead-letter queue and delays no other message', async () => {
    const sender = await newSender();
    await untilDone();
    const before = await waitingQueues();
    for (const [queue, body] of Object.entries(poison)) await put(queue, body);
    const person = 'poisoned@people.example.test';
    await expectConversationOnce(sender, await converse(sender, person), person);
    // Ten receives, each followed by the longest visibility timeout of these queues.
    await untilDone(720);
    const names = Object.keys(poison).map((queue) => `parley-${queue}-dead-letters`);
    expect(await waitingQueues()).toEqual({
      ...before,
      ...Object.fromEntries(names.map((name) => [name, (before[name] ?? 0) + 1])),
    });
  });
});
