import { afterEach, describe, expect, it } from 'vitest';
import { timestamp } from '../../lib/adapters/clock.ts';
import { cloud } from '../support/cloud.ts';
import { addresses, clearFaults, heard, inject, newSender, put, type Sender, waitingQueues } from './kit.ts';

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
  return { status, events: told.sort(), heard: heard(sender, id) };
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
    expect(heard(sender, id)).toEqual([...to.map(() => 'email.delivered'), 'email.sent']);
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
      JSON.stringify({ eventType: 'Subscription', mail: mail(unknown) }),
      'Successfully validated SNS topic for Amazon SES event publishing.',
    ])
      await put('provider-events', body);
    await cloud().settle();
    expect(await waitingQueues()).toEqual(before);
  });
});
