import { afterEach, describe, expect, it } from 'vitest';
import { timestamp } from '../../lib/adapters/clock.ts';
import { api } from '../support/api.ts';
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

/** One recipient of each fate. */
const fates = ['ok', 'ok+delay', 'no+bounce', 'full+softbounce', 'spam+complaint'];

async function sendToAll(sender: Sender): Promise<string> {
  const tag = crypto.randomUUID().slice(0, 8);
  const { id } = await sender.send(fates.map((local) => `${local}@${tag}.example.test`));
  await cloud().settle();
  return id;
}

/** What an email has come to, without what differs from run to run. */
async function outcomeOf(sender: Sender, id: string) {
  const { status, events } = await sender.read(id);
  const told = events.map(({ type, recipients }) => `${type} ${recipients.map((one) => one.split('@')[0])}`);
  return { status, events: told.sort(), heard: eventsFor(sender, id) };
}

describe('reports of SES', () => {
  it.each([1, 2])(
    'amount to the same repeated and in any other order (%i), and before the hand-off is settled',
    async (shuffle) => {
      const sender = await newSender();
      const inOrder = await outcomeOf(sender, await sendToAll(sender));
      expect(inOrder.status).toBe('complained');
      await events({ hold: true });
      // Reports may be faster than the worker that made the hand-off: here it never settles it at all.
      await inject({ kind: 'timeout-after', service: 'ses', action: 'SendEmail', match: sender.own.id });
      const id = await sendToAll(sender);
      expect((await sender.read(id)).status).toBe('sending');
      await events({ release: { duplicate: true, shuffle } });
      await cloud().settle();
      expect(await outcomeOf(sender, id)).toEqual(inOrder);
    },
  );

  it('never move a status backwards, whatever comes late', async () => {
    const sender = await newSender();
    const [to = ''] = addresses(crypto.randomUUID().slice(0, 8), 1);
    const { id } = await sender.send([to]);
    await cloud().settle();
    const [mail] = await cloud().sentTo(to);
    const report = async (type: string, content: object) => {
      await cloud().control('POST', `/sent/${mail?.id}/events`, { type, content });
      await cloud().settle();
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

  it('of thirty domains at once are all in the history, each told of once', async () => {
    const sender = await newSender();
    const to = Array.from({ length: 30 }, (_, at) => `x@d${at}.${sender.own.slug}.example.test`);
    const { id } = await sender.send(to);
    await cloud().settle();
    const { status, events } = await sender.read(id);
    expect(status).toBe('delivered');
    const delivered = events.filter(({ type }) => type === 'delivered');
    expect(delivered.flatMap(({ recipients }) => recipients).sort()).toEqual(to.sort());
    expect(eventsFor(sender, id)).toEqual([...to.map(() => 'email.delivered'), 'email.sent']);
  });

  it('of mail that is not ours, and what is no report, are dropped without a trace', async () => {
    const sender = await newSender();
    const before = await waitingQueues();
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
    await cloud().settle();
    expect(await waitingQueues()).toEqual(before);
  });
});

/** The configuration set of the stacks publishes neither; a deployment may have added them to it. */
describe('reports of opens and clicks', () => {
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
  const url = 'https://example.com/offer?a=1&b=2';

  /** Mail that nobody has told to be tracked, and the endpoint of somebody who wants to hear of hits. */
  async function sendUntracked() {
    const sender = await newSender();
    const [to = ''] = addresses(crypto.randomUUID().slice(0, 8), 1);
    const { id } = await sender.send([to]);
    await cloud().settle();
    const [mail] = await cloud().sentTo(to);
    const deliveredAt = (await sender.read(id)).events.find(({ type }) => type === 'delivered')?.at;
    if (!mail || !deliveredAt) throw new Error(`nothing was delivered to ${to}`);
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
    const told = { [eventType.toLowerCase()]: content, mail: { timestamp: at, messageId, tags } };
    await put('provider-events', JSON.stringify({ eventType, ...told }));
  }

  const engagementsOf = async ({ own }: Sender, id: string) =>
    (await api(own).get(`/emails/${id}`)).body.engagements;

  it('are recorded and told of as our own hits are, in the order of the hits, and move no status', async () => {
    const { sender, id, mail, deliveredAt } = await sendUntracked();
    const before = await outcomeOf(sender, id);
    expect(await engagementsOf(sender, id)).toEqual([]);
    await report(mail, 'Click', {
      ...visit(deliveredAt, 120),
      link: url,
      linkTags: null,
      isBotEvent: 'Unlikely',
    });
    await cloud().settle();
    await report(mail, 'Open', { ...visit(deliveredAt, 60), userAgent: `${phone} ${'x'.repeat(600)}` });
    await report(mail, 'Open', { ...visit(deliveredAt, 90), isBotEvent: 'Likely' });
    await report(mail, 'Open', visit(deliveredAt, 1));
    await cloud().settle();
    const at = (second: number) => visit(deliveredAt, second).timestamp;
    const opened = { type: 'open', url: null, user_agent: phone, bot: false };
    const engagements = [
      { ...opened, at: at(1), bot: true },
      { ...opened, at: at(60), user_agent: `${phone} ${'x'.repeat(600)}`.slice(0, 512) },
      { ...opened, at: at(90), bot: true },
      { type: 'click', at: at(120), url, user_agent: phone, bot: false },
    ];
    expect(await engagementsOf(sender, id)).toEqual(engagements);
    const { messages } = await sender.thread((await sender.read(id)).thread_id);
    expect(messages).toMatchObject([{ engagements }]);
    const told = sender.heardOf(id).filter(({ type }) => /opened|clicked/.test(type));
    expect(told).toHaveLength(4);
    expect(told.find(({ type }) => type === 'email.clicked')).toMatchObject({
      created_at: at(120),
      data: { email_id: id, url, user_agent: phone, bot: false },
    });
    const { status, events } = await outcomeOf(sender, id);
    expect({ status, events }).toEqual({ status: before.status, events: before.events });
  });

  it('repeated, at once or later, are one hit', async () => {
    const { sender, id, mail, deliveredAt } = await sendUntracked();
    const click = { ...visit(deliveredAt, 60), link: url };
    const again = () => report(mail, 'Click', click);
    await Promise.all([again(), again(), again(), report(mail, 'Open', visit(deliveredAt, 60))]);
    await cloud().settle();
    await again();
    await report(mail, 'Click', { ...click, link: `${url}&c=3` });
    await cloud().settle();
    await again();
    await cloud().settle();
    const engagements = (await engagementsOf(sender, id)) as { type: string; url: string | null }[];
    expect(engagements.map(({ type, url }) => `${type} ${url}`).sort()).toEqual(
      ['open null', `click ${url}`, `click ${url}&c=3`].sort(),
    );
    const told = eventsFor(sender, id).filter((type) => /opened|clicked/.test(type));
    expect(told).toEqual(['email.clicked', 'email.clicked', 'email.opened']);
  });

  it('settle the hand-off that they speak of, as any report does', async () => {
    const sender = await newSender();
    const [to = ''] = addresses(crypto.randomUUID().slice(0, 8), 1);
    await events({ hold: true });
    await inject({ kind: 'timeout-after', service: 'ses', action: 'SendEmail', match: sender.own.id });
    const { id } = await sender.send([to]);
    await cloud().settle();
    expect((await sender.read(id)).status).toBe('sending');
    const [mail] = await cloud().sentTo(to);
    if (!mail) throw new Error(`nothing was sent to ${to}`);
    await report(mail, 'Open', visit(mail.at, 3600));
    await cloud().settle();
    const { status, message_id } = await sender.read(id);
    expect({ status, message_id }).toEqual({ status: 'sent', message_id: mail.message_id });
    expect(await engagementsOf(sender, id)).toMatchObject([{ type: 'open', user_agent: phone, bot: false }]);
    expect(eventsFor(sender, id)).toEqual(['email.opened', 'email.sent']);
  });

  it('cost a read where there are any, and other mail none', async () => {
    const { sender, id, mail, deliveredAt } = await sendUntracked();
    const queries = async () => {
      await cloud().control('DELETE', '/calls');
      await engagementsOf(sender, id);
      const { data } = await cloud().control<{ data: { principal: string; action: string }[] }>(
        'GET',
        '/calls',
      );
      const reader = /^parley-api-emails-retrieve(~|$)/;
      return data.filter(({ principal, action }) => reader.test(principal) && action === 'Query').length;
    };
    expect(await queries()).toBe(1);
    await report(mail, 'Open', visit(deliveredAt, 60));
    await cloud().settle();
    expect(await queries()).toBe(2);
  });
});
