/** Retries of deliveries on request. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { DeliveryId } from '../../../lib/core/ids.ts';
import { verifySignature } from '../../../lib/core/webhooks/signature.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { type Behaviour, receiver } from '../../support/receiver.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

interface Delivery {
  readonly id: DeliveryId;
  readonly state: string;
  readonly event_id: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly object[];
}

const send = (ours: TestWorkspace) =>
  api(ours).post('/emails', {
    from: `desk@${ours.providedDomain}`,
    to: 'success@simulator.amazonses.com',
    subject: 'Hello',
    text: 'Hello there',
  });

/** An endpoint with one delivery. */
async function begin(behaviour?: Behaviour) {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver(behaviour);
  const { body } = await client.post<{ id: string }>('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['email.sent'],
  });
  const path = `/webhook-endpoints/${body.id}`;
  await send(ours);
  await cloud().waitForQuiescence();
  const deliveries = async () => (await client.get<{ data: Delivery[] }>(`${path}/deliveries`)).body.data;
  const [delivery] = await deliveries();
  if (!delivery) throw new Error('no delivery');
  const retry = (ids: readonly unknown[]) =>
    client.post<{ code?: string; data: Delivery[] }>(`${path}/deliveries/retry`, { delivery_ids: ids });
  return { ours, client, hook, path, delivery, deliveries, retry };
}

describe('POST /webhook-endpoints/{id}/deliveries/retry', () => {
  it('delivers an event again with the same id, signed with the current secret', async () => {
    const { client, hook, path, delivery, deliveries, retry } = await begin();
    expect(delivery.state).toBe('delivered');
    const rotated = await client.post<{ secret: string }>(`${path}/rotate-secret`, { grace_seconds: 0 });
    const { status, body } = await retry([delivery.id, delivery.id]);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { ...delivery, state: 'pending', next_attempt_at: expect.stringMatching(/Z$/) },
    ]);
    await cloud().waitForQuiescence();

    const [first, second, ...more] = hook.requests;
    expect(more).toEqual([]);
    expect(second?.body).toBe(first?.body);
    const header = second?.headers['parley-signature'] ?? '';
    const signed = { header, body: second?.body ?? '', nowSeconds: Math.floor(now() / 1000) };
    expect(verifySignature({ ...signed, secret: rotated.body.secret })).toBe(true);
    expect(await deliveries()).toEqual([
      { ...delivery, attempts: [...delivery.attempts, expect.objectContaining({ status_code: 200 })] },
    ]);
  });

  it('delivers at once what waits for a retry', async () => {
    let code = 503;
    const { hook, delivery, deliveries, retry } = await begin(() => ({ status: code }));
    expect([delivery.state, delivery.attempts]).toMatchObject(['pending', [{ status_code: 503 }]]);
    code = 200;
    expect((await retry([delivery.id])).body.data).toMatchObject([{ id: delivery.id, state: 'pending' }]);
    await cloud().waitForQuiescence();
    expect(hook.requests).toHaveLength(2);
    expect(await deliveries()).toMatchObject([
      { state: 'delivered', next_attempt_at: null, attempts: [{ status_code: 503 }, { status_code: 200 }] },
    ]);
  });

  it('sends a test event again', async () => {
    const { client, hook, path, retry } = await begin();
    const payload = { a: 1 };
    const test = await client.post<{ delivery_id: DeliveryId }>(`${path}/test`, {
      event_type: 'domain.lost',
      payload,
    });
    await retry([test.body.delivery_id]);
    await cloud().waitForQuiescence();
    expect(hook.requests.map(({ body }) => JSON.parse(body).data).slice(1)).toEqual([payload, payload]);
  });

  it('leaves out deliveries that are unknown or of another endpoint, and what is no delivery id', async () => {
    const { ours, hook, delivery, retry } = await begin();
    const other = await begin();
    const unknown = [newId('dlv'), other.delivery.id, newId('evt'), 'x', ''];
    expect((await retry([...unknown, delivery.id])).body.data.map(({ id }) => id)).toEqual([delivery.id]);
    expect((await retry(unknown)).body.data).toEqual([]);
    await cloud().waitForQuiescence();
    expect([hook.requests.length, other.hook.requests.length]).toEqual([2, 1]);
    const path = `/webhook-endpoints/${newId('whk')}/deliveries/retry`;
    expect((await api(ours).post(path, { delivery_ids: [delivery.id] })).status).toBe(404);
  });

  it.each([
    [[], 422, 'invalid_request'],
    [Array.from({ length: 101 }, () => newId('dlv')), 422, 'invalid_request'],
    [[1], 422, 'invalid_request'],
  ])('refuses delivery_ids that are none, too many or no strings', async (ids, status, code) => {
    const { retry } = await begin();
    const answer = await retry(ids);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});
