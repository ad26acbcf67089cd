import { afterEach, describe, expect, it } from 'vitest';
import { timestamp } from '../../lib/adapters/clock.ts';
import { api } from '../support/api.ts';
import { recordedCalls } from '../support/calls.ts';
import { cloud, type SentMail } from '../support/cloud.ts';
import {
  addresses,
  clearFaults,
  eventsFor,
  inject,
  newSender,
  put,
  type Sender,
  waitingQueues,
} from './kit.ts';

const region = 'us-east-1';
const events = (body: object) => cloud().control('POST', `/ses/${region}/events`, body);

afterEach(async () => {
  await clearFaults();
  await events({ hold: false });
});

/** One recipient of each outcome; the local SES reads it from the local part. */
const outcomes = ['ok', 'ok+delay', 'no+bounce', 'full+softbounce', 'spam+complaint'];

async function sendToAll(sender: Sender): Promise<string> {
  const tag = crypto.randomUUID().slice(0, 8);
  const { id } = await sender.send(outcomes.map((local) => `${local}@${tag}.example.test`));
  await cloud().waitForQuiescence();
  return id;
}

/** Status, history and webhook events of an email, without ids and times. */
async function outcomeOf(sender: Sender, id: string) {
  const { status, events } = await sender.read(id);
  const history = events.map(
    ({ type, recipients }) => `${type} ${recipients.map((one) => one.split('@')[0])}`,
  );
  return { status, events: history.sort(), webhooks: eventsFor(sender, id) };
}

describe('events of SES', () => {
  it.each([1, 2])(
    'have the same outcome when they are repeated, reordered (%i) and earlier than the completion',
    async (shuffle) => {
      const sender = await newSender();
      const inOrder = await outcomeOf(sender, await sendToAll(sender));
      expect(inOrder.status).toBe('complained');
      await events({ hold: true });
      // Events of SES may be faster than send-mail: here it never completes the submission.
      await inject({ kind: 'timeout-after', service: 'ses', action: 'SendEmail', match: sender.own.id });
      const id = await sendToAll(sender);
      expect((await sender.read(id)).status).toBe('sending');
      await events({ release: { duplicate: true, shuffle } });
      await cloud().waitForQuiescence();
      expect(await outcomeOf(sender, id)).toEqual(inOrder);
    },
  );

  it('never move a status backwards when they arrive late', async () => {
    const sender = await newSender();
    const [to = ''] = addresses(crypto.randomUUID().slice(0, 8), 1);
    const { id } = await sender.send([to]);
    await cloud().waitForQuiescence();
    const [mail] = await cloud().sentTo(to);
    const report = async (type: string, content: object) => {
      await cloud().control('POST', `/sent/${mail?.id}/events`, { type, content });
      await cloud().waitForQuiescence();
      return (await sender.read(id)).status;
    };
    const at = (second: number) => new Date(Date.parse(mail?.at ?? '') + second * 1000).toISOString();
    const delivery = (second: number) => ({
      timestamp: at(second),
      recipients: [to],
      smtpResponse: '250 ok',
    });
    const bounce = {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: to, status: '5.1.1', diagnosticCode: '550 unknown' }],
      feedbackId: 'f1',
    };
    const complaint = { complainedRecipients: [{ emailAddress: to }], timestamp: at(3), feedbackId: 'f2' };
    expect([
      (await sender.read(id)).status,
      await report('SEND', {}),
      await report('BOUNCE', { ...bounce, timestamp: at(2) }),
      await report('DELIVERY', delivery(1)),
      await report('COMPLAINT', complaint),
      await report('BOUNCE', { ...bounce, timestamp: at(4), feedbackId: 'f3' }),
      await report('DELIVERY', delivery(5)),
      await report('REJECT', { reason: 'Bad content' }),
    ]).toEqual([
      'delivered',
      'delivered',
      'bounced',
      'bounced',
      'complained',
      'complained',
      'complained',
      'complained',
    ]);
  });

  it('are all recorded, each with one webhook event, when thirty domains report at once', async () => {
    const sender = await newSender();
    const to = Array.from({ length: 30 }, (_, at) => `x@d${at}.${sender.own.slug}.example.test`);
    const { id } = await sender.send(to);
    await cloud().waitForQuiescence();
    const { status, events } = await sender.read(id);
    expect(status).toBe('delivered');
    const delivered = events.filter(({ type }) => type === 'delivered');
    expect(delivered.flatMap(({ recipients }) => recipients).sort()).toEqual(to.sort());
    expect(eventsFor(sender, id)).toEqual([...to.map(() => 'email.delivered'), 'email.sent']);
  });

  it('are dropped when they name no email of ours or are no event', async () => {
    const sender = await newSender();
    const waiting = async () =>
      Object.entries(await waitingQueues()).filter(([name]) => /provider-events|dead-letters/.test(name));
    const before = await waiting();
    const mail = (tags: object) => ({ timestamp: timestamp(), messageId: 'm', tags });
    const delivery = { timestamp: timestamp(), recipients: ['a@b.test'] };
    const unknown = { workspace: [sender.own.id], email_id: [`eml_${'0'.repeat(32)}`], chunk: ['0'] };
    for (const body of [
      JSON.stringify({ eventType: 'Delivery', delivery, mail: mail(unknown) }),
      JSON.stringify({ eventType: 'Delivery', delivery, mail: mail({}) }),
      JSON.stringify({ eventType: 'Open', open: { timestamp: timestamp() }, mail: mail(unknown) }),
      JSON.stringify({ eventType: 'Click', click: { timestamp: timestamp() }, mail: mail(unknown) }),
      JSON.stringify({ eventType: 'Subscription', mail: mail(unknown) }),
      'Successfully validated SNS topic for Amazon SES event publishing.',
    ])
      await put('provider-events', body);
    await cloud().waitForQuiescence();
    expect(await waiting()).toEqual(before);
  });
});

/** The configuration set of the stacks publishes neither; an operator may add them. */
describe('open and click events of SES', () => {
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
  const url = 'https://example.com/offer?a=1&b=2';

  /** Delivered mail without tracking, with an endpoint for engagement events. */
  async function sendUntracked() {
    const sender = await newSender();
    const [to = ''] = addresses(crypto.randomUUID().slice(0, 8), 1);
    const { id } = await sender.send([to]);
    await cloud().waitForQuiescence();
    const [mail] = await cloud().sentTo(to);
    const deliveredAt = (await sender.read(id)).events.find(({ type }) => type === 'delivered')?.at;
    if (!mail || !deliveredAt) throw new Error(`SES delivered nothing to ${to}`);
    return { sender, id, mail, deliveredAt };
  }

  /** @param second after `since` */
  const visit = (since: string, second: number) => ({
    ipAddress: '192.0.2.1',
    timestamp: new Date(Date.parse(since) + second * 1000).toISOString(),
    userAgent: phone,
  });

  async function report(mail: SentMail, eventType: 'Open' | 'Click', content: object): Promise<void> {
    const tags = Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]]));
    const { at, id: messageId } = mail;
    const detail = { [eventType.toLowerCase()]: content, mail: { timestamp: at, messageId, tags } };
    await put('provider-events', JSON.stringify({ eventType, ...detail }));
  }

  const engagementsOf = async ({ own }: Sender, id: string) =>
    (await api(own).get(`/emails/${id}`)).body.engagements;

  it('are recorded as engagements, the newest first, sent as webhook events, and change no status', async () => {
    const { sender, id, mail, deliveredAt } = await sendUntracked();
    const before = await outcomeOf(sender, id);
    expect(await engagementsOf(sender, id)).toEqual([]);
    await report(mail, 'Click', {
      ...visit(deliveredAt, 120),
      link: url,
      linkTags: null,
      isBotEvent: 'Unlikely',
    });
    await cloud().waitForQuiescence();
    await report(mail, 'Open', { ...visit(deliveredAt, 60), userAgent: `${phone} ${'x'.repeat(600)}` });
    await report(mail, 'Open', { ...visit(deliveredAt, 90), isBotEvent: 'Likely' });
    await report(mail, 'Open', visit(deliveredAt, 1));
    await cloud().waitForQuiescence();
    const at = (second: number) => visit(deliveredAt, second).timestamp;
    const opened = { type: 'open', url: null, user_agent: phone, bot: false };
    const engagements = [
      { type: 'click', at: at(120), url, user_agent: phone, bot: false },
      { ...opened, at: at(90), bot: true },
      { ...opened, at: at(60), user_agent: `${phone} ${'x'.repeat(600)}`.slice(0, 512) },
      { ...opened, at: at(1), bot: true },
    ];
    expect(await engagementsOf(sender, id)).toEqual(engagements);
    const { messages } = await sender.thread((await sender.read(id)).thread_id);
    expect(messages).toMatchObject([{ engagements }]);
    const received = sender.receivedEvents(id).filter(({ type }) => /opened|clicked/.test(type));
    expect(received).toHaveLength(4);
    expect(received.find(({ type }) => type === 'email.clicked')).toMatchObject({
      created_at: at(120),
      data: { email_id: id, url, user_agent: phone, bot: false },
    });
    const { status, events } = await outcomeOf(sender, id);
    expect({ status, events }).toEqual({ status: before.status, events: before.events });
  });

  it('are one engagement when they are repeated', async () => {
    const { sender, id, mail, deliveredAt } = await sendUntracked();
    const click = { ...visit(deliveredAt, 60), link: url };
    const again = () => report(mail, 'Click', click);
    await Promise.all([again(), again(), again(), report(mail, 'Open', visit(deliveredAt, 60))]);
    await cloud().waitForQuiescence();
    await again();
    await report(mail, 'Click', { ...click, link: `${url}&c=3` });
    await cloud().waitForQuiescence();
    await again();
    await cloud().waitForQuiescence();
    const engagements = (await engagementsOf(sender, id)) as { type: string; url: string | null }[];
    expect(engagements.map(({ type, url }) => `${type} ${url}`).sort()).toEqual(
      ['open null', `click ${url}`, `click ${url}&c=3`].sort(),
    );
    const types = eventsFor(sender, id).filter((type) => /opened|clicked/.test(type));
    expect(types).toEqual(['email.clicked', 'email.clicked', 'email.opened']);
  });

  it('complete the submission that they name', async () => {
    const sender = await newSender();
    const [to = ''] = addresses(crypto.randomUUID().slice(0, 8), 1);
    await events({ hold: true });
    await inject({ kind: 'timeout-after', service: 'ses', action: 'SendEmail', match: sender.own.id });
    const { id } = await sender.send([to]);
    await cloud().waitForQuiescence();
    expect((await sender.read(id)).status).toBe('sending');
    const [mail] = await cloud().sentTo(to);
    if (!mail) throw new Error(`SES accepted nothing for ${to}`);
    await report(mail, 'Open', visit(mail.at, 3600));
    await cloud().waitForQuiescence();
    const { status, wire_message_ids } = await sender.read(id);
    expect({ status, wire_message_ids }).toEqual({ status: 'sent', wire_message_ids: [mail.message_id] });
    expect(await engagementsOf(sender, id)).toMatchObject([{ type: 'open', user_agent: phone, bot: false }]);
    expect(eventsFor(sender, id)).toEqual(['email.opened', 'email.sent']);
  });

  it('cost a read of an email only when it has some', async () => {
    const { sender, id, mail, deliveredAt } = await sendUntracked();
    const queries = async () => {
      const calls = await recordedCalls(() => engagementsOf(sender, id));
      const reader = /^parley-api-emails-retrieve(~|$)/;
      return calls.filter(({ principal, action }) => reader.test(principal) && action === 'Query').length;
    };
    expect(await queries()).toBe(1);
    await report(mail, 'Open', visit(deliveredAt, 60));
    await cloud().waitForQuiescence();
    expect(await queries()).toBe(2);
  });
});
