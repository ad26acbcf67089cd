/** Which deliveries of an endpoint are attempted when (docs/decisions/0066-webhooks-on-fair-queues.md). */

import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { sendToQueue } from '../../lib/adapters/queues.ts';
import type { DeliveryId, EmailId, EndpointId } from '../../lib/core/ids.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type Behaviour, receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

interface Delivery {
  readonly id: DeliveryId;
  readonly state: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly unknown[];
}

/** An endpoint that takes the events of an email. */
async function begin(behaviour: Behaviour, settings: object = {}) {
  const ours = await workspace();
  const client = api(ours);
  const from = `desk@${ours.providedDomain}`;
  const to = 'success@simulator.amazonses.com';
  const sent = await client.post<{ id: EmailId }>('/emails', { from, to, subject: 'Hello', text: 'Hi' });
  expect(sent.status).toBe(201);
  await cloud().waitForQuiescence();
  const hook = await receiver(behaviour);
  const { status, body } = await client.post<{ id: EndpointId }>('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['email.sent'],
    ...settings,
  });
  expect(status).toBe(201);
  const names = new Map<string | undefined, string>();
  return {
    ours,
    client,
    hook,
    endpointId: body.id,
    /** Publishes events one after the other, under names of the test. */
    async publish(...events: string[]) {
      for (const name of events) {
        const eventId = newId('evt');
        names.set(eventId, name);
        const subject = { emailId: sent.body.id };
        const event = { eventId, type: 'email.sent' as const, at: now(), subject };
        await sendToQueue({ kind: 'publish-event', v: 1, workspaceId: ours.id, ...event }, '');
        await cloud().waitForQuiescence();
      }
    },
    /** Names of the events that were posted, in the order of the requests. */
    posted: () => hook.requests.map(({ headers }) => names.get(headers['webhook-id'])),
    deliveries: async () => {
      const list = await client.get<{ data: Delivery[] }>(`/webhook-endpoints/${body.id}/deliveries`);
      return list.body.data;
    },
  };
}

const failing: Behaviour = () => ({ status: 500 });
const five = ['1', '2', '3', '4', '5'];

describe('an endpoint with five failures in a row', () => {
  it('gets one attempt at each probe, of the oldest delivery that is due, and then the others', async () => {
    const { hook, publish, posted, deliveries } = await begin(failing, { max_concurrency: 1 });
    await publish(...five, '6', '7', '8');
    expect(posted()).toEqual(five);
    const waiting = (await deliveries()).slice(0, 3);
    expect(waiting.map(({ state, attempts }) => [state, attempts.length])).toEqual(
      Array.from({ length: 3 }, () => ['pending', 0]),
    );
    // No attempt is shown before the probe, 24 to 36 seconds after the fifth failure.
    for (const { next_attempt_at: next } of waiting) {
      expect(Date.parse(next ?? '')).toBeGreaterThan(now());
      expect(Date.parse(next ?? '') - now()).toBeLessThanOrEqual(36_000);
    }
    await cloud().advance(40);
    expect(posted().slice(5)).toEqual(['6']);
    hook.answer(() => ({}));
    // 48 to 72 seconds later; the first five are due again by then, or a few seconds later. The next attempt of the sixth may be due at
    // the very time of the probe.
    await cloud().advance(150);
    const after = posted().slice(6);
    expect([...five, '6']).toContain(after[0]);
    expect(after.toSorted()).toEqual([...five, '6', '7', '8']);
    expect(new Set((await deliveries()).map(({ state }) => state))).toEqual(new Set(['delivered']));
  });

  it('gets what waits within max_concurrency when a probe has got through', async () => {
    const { hook, publish, deliveries } = await begin(failing, { max_concurrency: 3 });
    await publish(...five, ...Array.from({ length: 12 }, (_, at) => `waiting ${at}`));
    hook.answer(() => ({ afterMs: 50 }));
    await cloud().advance(600);
    expect((await deliveries()).map(({ state }) => state)).toEqual(
      Array.from({ length: 17 }, () => 'delivered'),
    );
    expect(hook.peakConcurrency()).toBe(3);
  });
});

describe('the health of an endpoint', () => {
  it('does not change when replays and tests fail', async () => {
    const { hook, endpointId, client, publish, posted, deliveries } = await begin(() => ({}));
    await publish('1');
    const [delivery] = await deliveries();
    hook.answer(failing);
    const path = `/webhook-endpoints/${endpointId}`;
    for (let times = 0; times < 6; times++) {
      await client.post(`${path}/deliveries/retry`, { delivery_ids: [delivery?.id] });
      await cloud().waitForQuiescence();
      expect((await client.post(`${path}/test`, { event_type: 'email.sent' })).body.state).toBe('failed');
    }
    expect(posted()).toHaveLength(1 + 2 * 6);
    // An endpoint with five failures would be closed.
    hook.answer(() => ({}));
    await publish('2');
    expect(posted().at(-1)).toBe('2');
  });
});
