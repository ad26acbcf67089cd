/** The main flow end to end: a program sends, a person answers, a webhook reports it, the program replies, in one thread. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { verifySignature } from '../../lib/core/webhooks/signature.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly id: string;
  readonly direction: string;
  readonly status: string;
  readonly message_id: string;
  readonly in_reply_to: string | null;
  readonly references: readonly string[];
  readonly stripped_text: string | null;
}

interface ThreadBody {
  readonly id: string;
  readonly message_count: number;
  readonly messages: readonly Message[];
}

describe('a conversation', () => {
  it('keeps a send, an answer and a reply in one thread, with a webhook event for each step', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hook = await receiver();
    const endpoint = await client.post('/webhook-endpoints', {
      url: hook.url,
      subscriptions: ['email.sent', 'email.delivered', 'email.received', 'thread.created'],
    });
    expect(endpoint.status).toBe(201);
    const from = `support@${ours.providedDomain}`;

    const sent = await client.post('/emails', {
      from: `Support <${from}>`,
      to: 'Anna <anna@example.test>',
      subject: 'Your order',
      text: 'It is on its way.',
    });
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({ status: 'queued', suppressed: [], pacing: null });
    await cloud().waitForQuiescence();

    const [submitted, ...more] = await cloud().sentTo('anna@example.test').then(ofSender(from));
    expect(more).toEqual([]);
    if (!submitted) throw new Error('SES accepted nothing');
    const wire = await cloud().sent(submitted.id);
    expect(wire.wire).toContain(`Message-ID: ${submitted.message_id}`);

    // A mail client quotes the Message-ID that SES wrote.
    await cloud().sendMail({
      from: 'anna@example.test',
      to: from,
      subject: 'Re: Your order',
      text: 'Thank you!\n\nOn Monday, Support wrote:\n> It is on its way.\n',
      messageId: `<answer-${ours.slug}@example.test>`,
      inReplyTo: submitted.message_id,
    });
    await cloud().waitForQuiescence();

    const received = await eventOf(hook, 'email.received');
    expect(received.data).toMatchObject({
      thread_id: sent.body.thread_id,
      category: 'human',
      to: [from],
    });

    const reply = await client.post(`/threads/${received.data.thread_id}/reply`, {
      text: 'You are welcome.',
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      thread_id: sent.body.thread_id,
      subject: 'Re: Your order',
      to: ['anna@example.test'],
      in_reply_to: `<answer-${ours.slug}@example.test>`,
    });
    await cloud().waitForQuiescence();

    const thread = await client.get<ThreadBody>(`/threads/${sent.body.thread_id}`);
    expect(thread.body.message_count).toBe(3);
    const messages = thread.body.messages;
    expect(messages.map(({ direction, status }) => [direction, status])).toEqual([
      ['outbound', 'delivered'],
      ['inbound', 'received'],
      ['outbound', 'delivered'],
    ]);
    expect(messages[1]?.stripped_text).toBe('Thank you!');
    expect(messages[2]?.references).toContain(`<answer-${ours.slug}@example.test>`);

    const types = hook.requests.map(({ body }) => (JSON.parse(body) as Event).type).sort();
    expect(types).toEqual([
      'email.delivered',
      'email.delivered',
      'email.received',
      'email.sent',
      'email.sent',
      'thread.created',
    ]);
    for (const request of hook.requests) {
      const header = request.headers['parley-signature'] ?? '';
      const secret = String(endpoint.body.secret);
      const nowSeconds = Math.floor(now() / 1000);
      expect(verifySignature({ header, body: request.body, secret, nowSeconds })).toBe(true);
      expect(request.headers['parley-event-id']).toBe((JSON.parse(request.body) as Event).id);
      expect(request.headers['user-agent']).toBe('parley-webhooks/1');
    }
  });

  it('joins its thread by our own id when a client drops In-Reply-To', async () => {
    const ours = await workspace();
    const client = api(ours);
    const from = `support@${ours.providedDomain}`;
    const sent = await client.post('/emails', {
      from,
      to: 'bo@example.test',
      subject: 'Hello',
      text: 'Hello',
    });
    await cloud().waitForQuiescence();
    await cloud().sendMail({
      from: 'bo@example.test',
      to: from,
      subject: 'Something else',
      text: 'Hi',
      references: `<${sent.body.id}@${ours.providedDomain}>`,
    });
    await cloud().waitForQuiescence();
    const thread = await client.get<ThreadBody>(`/threads/${sent.body.thread_id}`);
    expect(thread.body.messages.map(({ direction }) => direction)).toEqual(['outbound', 'inbound']);
  });

  it('ignores a forged reference when it names an email of another workspace', async () => {
    const [ours, theirs] = [await workspace(), await workspace()];
    const sent = await api(ours).post('/emails', {
      from: `support@${ours.providedDomain}`,
      to: 'bo@example.test',
      subject: 'Secret',
      text: 'Hello',
    });
    await cloud().waitForQuiescence();
    await cloud().sendMail({
      from: 'mallory@example.test',
      to: `support@${theirs.providedDomain}`,
      subject: 'Re: Secret',
      text: 'Hi',
      inReplyTo: `<${sent.body.id}@${ours.providedDomain}>`,
    });
    await cloud().waitForQuiescence();
    const [theirThreads, ourThread] = await Promise.all([
      api(theirs).get('/threads'),
      api(ours).get<ThreadBody>(`/threads/${sent.body.thread_id}`),
    ]);
    expect(theirThreads.body.data).toHaveLength(1);
    expect(theirThreads.body.data[0]?.id).not.toBe(sent.body.thread_id);
    expect(ourThread.body.message_count).toBe(1);
  });

  it('is human in category when a role answers in a thread with mail of ours', async () => {
    const ours = await workspace();
    const client = api(ours);
    const from = `support@${ours.providedDomain}`;
    const sent = await client.post('/emails', {
      from,
      to: 'alerts@example.test',
      subject: 'Test',
      text: 'Hello',
    });
    await cloud().waitForQuiescence();
    const answer = { from: 'alerts@example.test', to: from, text: 'On Tuesday at nine.' };
    await cloud().sendMail({ ...answer, subject: 'Re: Test', inReplyTo: `${sent.body.message_id}` });
    await cloud().sendMail({ ...answer, subject: 'Test alert' });
    await cloud().waitForQuiescence();
    const { body } = await client.get('/emails?direction=inbound');
    const categories = body.data.map(({ subject, category }) => [subject, category]);
    expect(Object.fromEntries(categories)).toEqual({ 'Re: Test': 'human', 'Test alert': 'notification' });
  });

  it('gives each workspace one copy when a mail to both is delivered twice', async () => {
    const [ours, theirs] = [await workspace(), await workspace()];
    const mail = {
      from: 'bo@example.test',
      to: [`a@${ours.providedDomain}`, `b@${ours.providedDomain}`, `c@${theirs.providedDomain}`],
      subject: 'To all of you',
      text: 'Hello',
      messageId: `<twice-${ours.slug}@example.test>`,
      headers: { Date: 'Sat, 21 Nov 2026 09:00:00 +0000' },
    };
    await cloud().sendMail(mail);
    await cloud().sendMail(mail);
    await cloud().waitForQuiescence();
    for (const one of [ours, theirs]) {
      const { body } = await api(one).get('/emails?direction=inbound');
      expect(body.data.map(({ subject }) => subject)).toEqual(['To all of you']);
    }
  });
});

const ofSender =
  (from: string) =>
  <T extends { readonly from: string }>(list: readonly T[]): T[] =>
    list.filter((mail) => mail.from === from);

async function eventOf(hook: Awaited<ReturnType<typeof receiver>>, type: string): Promise<Event> {
  const request = await hook.waitFor(({ body }) => (JSON.parse(body) as Event).type === type);
  return JSON.parse(request.body) as Event;
}
