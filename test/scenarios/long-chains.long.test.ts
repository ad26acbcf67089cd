/** As `long-chains.clock.all.test.ts`: a day of polls, a day of pacing, and 10,000 deliveries. */
import { describe, expect, it } from 'vitest';
import { longChain } from '../../bin/smoke/chain-question.ts';
import { now } from '../../lib/adapters/clock.ts';
import { sendToQueue } from '../../lib/adapters/queues.ts';
import type { EndpointId } from '../../lib/core/ids.ts';
import { newDelivery } from '../../lib/core/webhooks/delivery.ts';
import { letWait } from '../../lib/services/webhooks/announce-deliveries.ts';
import { resumeMessage } from '../../lib/services/webhooks/deliver-message.ts';
import { waitPorts } from '../../lib/services/webhooks/wait-ports.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { connectMailbox, disconnectAll, message } from '../support/emulated-mailbox.ts';
import { storedEvent } from '../support/events.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

const hour = 3600;
const dropped = () => cloud().control('GET', '/metrics/RecursiveInvocationsDropped');

async function newSender() {
  const own = await workspace();
  const client = api(own);
  const send = async (to: string) => {
    const from = `desk@${own.providedDomain}`;
    const sent = await client.post('/emails', { from, to: [to], subject: 'Hi', text: 'Hi' });
    expect(sent.status).toBe(201);
    return sent.body.id;
  };
  return { own, client, send };
}

const person = () => `p-${crypto.randomUUID()}@people.example.test`;

describe('work that continues itself for a day', { timeout: 900_000 }, () => {
  it('finds mail whose push was lost, after a day of polls', async () => {
    const { own, client } = await newSender();
    const mailbox = await connectMailbox(own, 'google');
    const polls = '/mailbox-providers/google/pushes';
    // Every ten minutes.
    await cloud().advance(24 * hour);
    await cloud().control('POST', polls, { hold: true });
    const subject = `Late ${crypto.randomUUID()}`;
    await mailbox.receive(message('ben@elsewhere.test', mailbox.address, subject));
    await cloud().control('POST', polls, { drop: true, hold: false });
    await cloud().advance(0.25 * hour);
    await cloud().waitForQuiescence();
    const { body } = await client.get(`/emails?query=${encodeURIComponent(subject)}`);
    expect(body.data).toHaveLength(1);
    expect(await dropped()).toEqual({});
    await disconnectAll(client);
  });

  it('lets held emails leave one by one, as the smoke test asks', async () => {
    const { own } = await newSender();
    const answer = longChain.ask({
      baseUrl: cloud().baseUrl.replace(/\/api\/v2$/, ''),
      key: own.key,
      workspaceId: own.id,
      domain: own.providedDomain,
      region: 'us-east-1',
      configurationSet: 'parley',
      to: person(),
      run: crypto.randomUUID().slice(0, 8),
      patienceMs: 120_000,
    });
    const isOver = answer.then(() => true);
    while (!(await Promise.race([isOver, cloud().advance(2)])));
    expect(await answer).toBe('19 of 19 emails left, one in 4 seconds');
    expect(await dropped()).toEqual({});
  });

  it('lets an email leave every ten minutes, by a rule', async () => {
    const { client, send } = await newSender();
    const limit = { scope: 'rule', amount: 6, per_seconds: hour };
    await client.post('/pacing-rules', { name: 'Six an hour', match: [], kind: 'limit', limit });
    await cloud().waitForQuiescence();
    const to = Array.from({ length: 145 }, person);
    for (const one of to) await send(one);
    await cloud().waitForQuiescence();
    await cloud().advance(24.5 * hour);
    await cloud().waitForQuiescence();
    const left = await Promise.all(to.map((address) => cloud().sentTo(address)));
    expect(left.map(({ length }) => length)).toEqual(to.map(() => 1));
    expect(await dropped()).toEqual({});
  });

  it('makes 10,000 deliveries that wait for an endpoint', async () => {
    const { own, client } = await newSender();
    const hook = await receiver();
    const endpoint = { url: hook.url, subscriptions: ['email.sent'] };
    const { body } = await client.post<{ id: EndpointId }>('/webhook-endpoints', endpoint);
    const ref = { workspaceId: own.id, endpointId: body.id };
    for (let part = 0; part < 400; part++) {
      const deliveries = Array.from({ length: 25 }, () => {
        const delivery = newDelivery(storedEvent(), body.id, now());
        return { ...delivery, body: '{}' };
      });
      await letWait(waitPorts, ref, deliveries, []);
    }
    await sendToQueue(resumeMessage(ref), '');
    // Each wait ends after half a minute.
    for (let before = -1; hook.requests.length > before; ) {
      before = hook.requests.length;
      await cloud()
        .waitForQuiescence()
        .catch(() => {});
    }
    expect(hook.requests).toHaveLength(10_000);
    expect(await dropped()).toEqual({});
  });
});
