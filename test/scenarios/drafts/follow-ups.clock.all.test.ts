/** Emails that a reply cancels (docs/concepts/sending.md#cancellation-by-a-reply). */
import { beforeEach, describe, expect, it } from 'vitest';
import { now, timestamp } from '../../../lib/adapters/clock.ts';
import type { EmailId } from '../../../lib/core/ids.ts';
import { submitInRequest } from '../../../lib/services/sending/submit-email.ts';
import { type Api, api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { connectMailbox, disconnectAll, message, providers, settle } from '../../support/emulated-mailbox.ts';
import { loseBefore } from '../../support/lost-response.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

let own: TestWorkspace;
let client: Api;
let from: string;
let anna: string;
let threadId: string;

/** A message that Anna sends into the thread. */
const answer = async (text: string, headers: Record<string, string> = {}): Promise<void> => {
  const { body } = await client.get(`/threads/${threadId}`);
  const messages = body.messages as { message_id: string; wire_message_ids: string[] }[];
  const inReplyTo = messages[0]?.wire_message_ids[0] ?? messages[0]?.message_id ?? '';
  await cloud().sendMail({ from: anna, to: from, subject: 'Re: Your order', text, inReplyTo, headers });
};

const inSeconds = (seconds: number): string => timestamp(now() + seconds * 1000);

const followUp = async (more: Record<string, unknown> = {}) => {
  const given = { text: 'Did it arrive?', scheduled_at: inSeconds(3600), cancel_on_reply: true, ...more };
  const { status, body } = await client.post(`/threads/${threadId}/reply`, given);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};

const emailOf = async (id: unknown) => (await client.get(`/emails/${id}`)).body;

/** How many follow-ups have left. */
const left = async (): Promise<number> => (await cloud().sentTo(anna)).length - 1;

beforeEach(async () => {
  own = await workspace();
  client = api(own);
  from = `desk@${own.providedDomain}`;
  anna = `anna@${own.slug}.example.test`;
  const { body } = await client.post('/emails', { from, to: anna, subject: 'Your order', text: 'It left.' });
  threadId = String(body.thread_id);
  await cloud().waitForQuiescence();
});

describe('a follow-up', () => {
  it('is canceled by the message of a person, which it names', async () => {
    const { id, cancel_on_reply } = await followUp();
    expect(cancel_on_reply).toBe(true);
    const kept = await client.post(`/threads/${threadId}/reply`, {
      text: 'Kept',
      scheduled_at: inSeconds(3600),
    });
    await answer('It has arrived, thank you!');
    await cloud().waitForQuiescence();
    const { body: thread } = await client.get(`/threads/${threadId}`);
    const received = (thread.messages as { id: string; status: string }[]).find(
      ({ status }) => status === 'received',
    );
    expect(await emailOf(id)).toMatchObject({
      status: 'canceled',
      cancellation: { reason: 'reply', by: null, by_email_id: received?.id },
    });
    const { body: log } = await client.get('/events?type=email.canceled');
    expect(log.data).toMatchObject([{ data: { email_id: id, reason: 'reply', by_email_id: received?.id } }]);
    await cloud().advance(7200);
    expect((await emailOf(kept.body.id)).status).toBe('delivered');
    expect(await left()).toBe(1);
  });

  it.each([
    ['an automatic reply', 'I am out of office until Monday.', { 'Auto-Submitted': 'auto-replied' }],
    ['a newsletter', 'Our offers', { 'List-Unsubscribe': '<https://x.example/u>', Precedence: 'bulk' }],
  ])('is sent after %s', async (_, text, headers) => {
    const { id } = await followUp();
    await answer(text, headers);
    await cloud().waitForQuiescence();
    await cloud().advance(7200);
    expect((await emailOf(id)).status).toBe('delivered');
    expect(await left()).toBe(1);
  });

  it('is not changed by an answer that comes after it has left', async () => {
    const { id } = await followUp({ scheduled_at: inSeconds(60) });
    await cloud().advance(120);
    await cloud().waitForQuiescence();
    // Its slot may be a moment away.
    await cloud().advance(120);
    await cloud().waitForQuiescence();
    expect((await emailOf(id)).status).toBe('delivered');
    await answer('Thanks for asking.');
    await cloud().waitForQuiescence();
    expect(await emailOf(id)).toMatchObject({ status: 'delivered', cancellation: null });
  });

  it('is canceled while pacing holds it, and uses nothing up', async () => {
    const limit = { scope: 'from_address', amount: 1, per_seconds: 600 };
    await client.post('/pacing-rules', { name: 'Slow', match: [], kind: 'limit', limit });
    await client.post('/emails', { from, to: `ben@${own.slug}.example.test`, subject: 'x', text: 'x' });
    const { id } = await followUp({ scheduled_at: inSeconds(60) });
    await cloud().advance(120);
    await cloud().waitForQuiescence();
    expect((await emailOf(id)).status).toBe('queued');
    await answer('Never mind, it is here.');
    await cloud().waitForQuiescence();
    expect((await emailOf(id)).status).toBe('canceled');
    await cloud().advance(3600);
    expect((await emailOf(id)).status).toBe('canceled');
    expect(await left()).toBe(0);
  });

  it('of a draft counts from its approval', async () => {
    const draft = await followUp({ draft: true });
    await answer('Here it is.');
    await cloud().waitForQuiescence();
    expect((await emailOf(draft.id)).status).toBe('draft');
    await client.post(`/emails/${draft.id}/approve`, { version: 1 });
    await answer('And all is well.');
    await cloud().waitForQuiescence();
    expect((await emailOf(draft.id)).cancellation).toMatchObject({ reason: 'reply' });
  });

  it.each([
    ['without a time', '/reply', { text: 'x', cancel_on_reply: true }],
    ['without a thread', null, { scheduled_at: inSeconds(60), cancel_on_reply: true }],
  ])('is refused %s', async (_, path, given) => {
    const mail = { from, to: anna, subject: 'x', text: 'x' };
    const refused = path
      ? await client.post(`/threads/${threadId}${path}`, given)
      : await client.post('/emails', { ...mail, ...given });
    expect([refused.status, refused.body.issues]).toMatchObject([422, [{ path: 'cancel_on_reply' }]]);
  });

  it('is one of at most 20 that wait, however many have left', async () => {
    for (let at = 0; at < 20; at++) await followUp({ scheduled_at: inSeconds(60) });
    const more = { text: 'x', scheduled_at: inSeconds(60), cancel_on_reply: true };
    const refused = await client.post(`/threads/${threadId}/reply`, more);
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached']);
    await cloud().advance(120);
    await followUp();
  });
});

describe.each(providers)('a follow-up from a mailbox of %s', (provider) => {
  it('is canceled by an answer, and not by a copy of what its owner has sent', async () => {
    const mailbox = await connectMailbox(own, provider);
    const question = message(anna, mailbox.address, 'A question');
    const messageId = /Message-ID: (\S+)/.exec(question)?.[1];
    await mailbox.receive(question);
    await settle();
    const { body: list } = await client.get(`/threads?mailbox=${mailbox.address}`);
    threadId = String(list.data[0]?.id);
    const { id } = await followUp({ scheduled_at: inSeconds(7200) });
    const answering = `In-Reply-To: ${messageId}\r\n`;
    await mailbox.send(message(mailbox.address, anna, 'Re: A question', answering));
    await settle();
    expect((await emailOf(id)).status).toBe('scheduled');
    await mailbox.receive(message(anna, mailbox.address, 'Re: A question', answering));
    await settle();
    expect(await emailOf(id)).toMatchObject({ status: 'canceled', cancellation: { reason: 'reply' } });
    await disconnectAll(client);
  });
});

describe('a reply at the moment of the hand-off', () => {
  it.each([
    ['before the email is queued', '"queued"'],
    ['before its submission is claimed', 'CHUNK#000'],
  ])('cancels the email %s', async (_, match) => {
    const id = (await followUp({ scheduled_at: inSeconds(60) })).id as EmailId;
    // Nobody but this thread submits it.
    const { id: fault } = await cloud().control<{ id: string }>('POST', '/faults', {
      ...{ kind: 'kill-before', service: '*', action: '*', times: 1000 },
      principal: 'parley-worker-send-mail',
    });
    await cloud().advance(61);
    loseBefore('TransactWriteItems', match, async () => {
      await answer('It came.');
      await waitFor(async () => (await emailOf(id)).status === 'canceled');
    });
    await submitInRequest(own.id, id);
    await cloud().control('DELETE', `/faults/${fault}`);
    await cloud().advance(1200);
    expect([(await emailOf(id)).status, await left()]).toEqual(['canceled', 0]);
  });

  it('changes nothing once its submission is claimed, and cancels it again where SES has taken nothing', async () => {
    const id = (await followUp({ scheduled_at: inSeconds(60) })).id as EmailId;
    const throttled = { kind: 'error', code: 'TooManyRequestsException', status: 429 };
    const { id: fault } = await cloud().control<{ id: string }>('POST', '/faults', {
      ...{ ...throttled, service: '*', action: 'SendEmail', times: 1000 },
      match: own.id,
    });
    try {
      await cloud().advance(61);
      // A function that began before the clock was moved has set a delay by the time of then.
      await cloud().advance(61);
      await waitFor(async () => (await emailOf(id)).status === 'queued');
      await answer('It came.');
      await waitFor(async () => (await emailOf(id)).status === 'canceled');
    } finally {
      await cloud().control('DELETE', `/faults/${fault}`);
    }
    await cloud().advance(1200);
    expect([(await emailOf(id)).status, await left()]).toEqual(['canceled', 0]);
  });
});

async function waitFor(isReached: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 5000; tries++) if (await isReached()) return;
  throw new Error('it was not reached');
}
