/** Webhook deliveries over time: the retry schedule, what ends it, and workers that die. */
import { afterEach, describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { addMember } from '../../lib/services/workspaces/workspaces.ts';
import { inject } from '../faults/kit.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type Behaviour, receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

interface Attempt {
  readonly attempted_at: string;
  readonly status_code: number | null;
}

interface Delivery {
  readonly state: string;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly body: unknown;
  readonly attempts: readonly Attempt[];
}

const minute = 60;
const hour = 60 * minute;

/** An endpoint that got one event and answered by `behaviour`. */
async function begin(behaviour: Behaviour, settings: object = {}) {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver(behaviour);
  const created = await client.post('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['email.sent'],
    ...settings,
  });
  expect(created.status).toBe(201);
  const path = `/webhook-endpoints/${created.body.id}`;
  await client.post('/emails', {
    from: `desk@${ours.providedDomain}`,
    to: 'success@simulator.amazonses.com',
    subject: 'Hello',
    text: 'Hello there',
  });
  await cloud().waitForQuiescence();
  return { ours, client, hook, path, delivery: () => onlyDelivery(client, path) };
}

async function onlyDelivery(client: Api, path: string): Promise<Delivery> {
  const { body } = await client.get<{ data: Delivery[] }>(`${path}/deliveries`);
  const [delivery, ...more] = body.data;
  expect(more).toEqual([]);
  if (!delivery) throw new Error('no delivery');
  return delivery;
}

/** Seconds from each attempt to the next. */
function gaps({ attempts }: Delivery): number[] {
  const times = attempts.map(({ attempted_at: at }) => Date.parse(at) / 1000);
  return times.slice(1).map((time, at) => time - (times[at] ?? 0));
}

const status = (code: number, headers: Record<string, string> = {}): Behaviour => {
  return () => ({ status: code, headers });
};

afterEach(() => cloud().control('DELETE', '/faults'));

describe('a failing delivery', () => {
  it('is retried by the schedule, and is failed after the seventh attempt, at its deadline', async () => {
    const { hook, delivery } = await begin(status(503));
    expect((await delivery()).attempts).toHaveLength(1);
    await cloud().advance(25 * hour);
    const failed = await delivery();
    expect(failed).toMatchObject({ state: 'failed', next_attempt_at: null });
    expect(failed.attempts).toHaveLength(7);
    expect(hook.requests).toHaveLength(7);

    const expected = [1 * minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour];
    for (const [at, wait] of expected.entries()) {
      // Jitter of 20 %, and a second for the resolution of timers.
      expect(gaps(failed)[at]).toBeGreaterThanOrEqual(wait * 0.8 - 1);
      expect(gaps(failed)[at]).toBeLessThanOrEqual(wait * 1.2 + 5);
    }
    const last = Date.parse(failed.attempts[6]?.attempted_at ?? '');
    const deadline = Date.parse(failed.created_at) + 24 * hour * 1000;
    expect(Math.abs(last - deadline)).toBeLessThan(5000);
  });

  it('is delivered and not retried when an attempt succeeds', async () => {
    const { hook, delivery } = await begin((_, index) => ({ status: index < 2 ? 500 : 200 }));
    await cloud().advance(25 * hour);
    expect(await delivery()).toMatchObject({
      state: 'delivered',
      next_attempt_at: null,
      attempts: [{ status_code: 500 }, { status_code: 500 }, { status_code: 200 }],
    });
    expect(hook.requests).toHaveLength(3);
    const bodies = new Set(hook.requests.map(({ body }) => body));
    const signatures = new Set(hook.requests.map(({ headers }) => headers['parley-signature']));
    expect([bodies.size, signatures.size]).toEqual([1, 3]);
  });

  it.each([
    ['10', 10],
    ['1200', 1200],
  ])('waits for Retry-After: %s instead of the schedule', async (header, seconds) => {
    const { delivery } = await begin((_, index) =>
      index === 0 ? { status: 429, headers: { 'Retry-After': header } } : {},
    );
    await cloud().advance(seconds - 5);
    expect((await delivery()).attempts).toHaveLength(1);
    await cloud().advance(10);
    const done = await delivery();
    expect(done.state).toBe('delivered');
    expect(gaps(done)[0]).toBeGreaterThanOrEqual(seconds - 1);
  });

  it('has its last attempt at the deadline when Retry-After is later', async () => {
    const { delivery } = await begin(status(503, { 'Retry-After': '999999' }));
    const { next_attempt_at: next, created_at: created } = await delivery();
    expect(Date.parse(next ?? '') - Date.parse(created)).toBe(24 * hour * 1000);
    await cloud().advance(25 * hour);
    const failed = await delivery();
    expect([failed.state, failed.attempts.length]).toEqual(['failed', 2]);
  });
});

describe('an endpoint that nothing gets through to', () => {
  interface Sent {
    readonly recipients: readonly string[];
    readonly from: string;
  }
  const mailsTo = async (name: string): Promise<Sent[]> => {
    const { data } = await cloud().control<{ data: Sent[] }>('GET', '/sent');
    return data.filter(({ recipients }) => recipients.some((to) => to.startsWith(`${name}@`)));
  };

  it('is reported to owners and admins once in an outage, and again in the next one', async () => {
    let code = 500;
    const { ours, client, delivery } = await begin(() => ({ status: code }));
    const members = [
      ['owner', 'owner', true],
      ['admin', 'admin', true],
      ['quiet', 'admin', false],
      ['member', 'member', true],
    ] as const;
    const addressOf = (name: string) => `${name}-${ours.slug}@people.example.test`;
    for (const [name, role, outageMail] of members) {
      await addMember(ours.id, { email: addressOf(name), role, outageMail });
    }
    const send = () =>
      client.post('/emails', {
        from: `desk@${ours.providedDomain}`,
        to: 'success@simulator.amazonses.com',
        subject: 'Hello',
        text: 'Hello there',
      });
    const counts = async () =>
      await Promise.all(members.map(async ([name]) => (await mailsTo(`${name}-${ours.slug}`)).length));
    await cloud().advance(20 * hour);
    expect(await counts()).toEqual([0, 0, 0, 0]);
    await cloud().advance(5 * hour);
    expect((await delivery()).state).toBe('failed');
    expect(await counts()).toEqual([1, 1, 0, 0]);
    await send();
    await cloud().advance(25 * hour);
    expect(await counts()).toEqual([1, 1, 0, 0]);

    code = 200;
    await send();
    await cloud().waitForQuiescence();
    code = 500;
    await send();
    await cloud().advance(25 * hour);
    expect(await counts()).toEqual([2, 2, 0, 0]);
  });
});

describe('a pending delivery', () => {
  it('waits when its endpoint is disabled, and is delivered when it is enabled again', async () => {
    const { client, hook, path, delivery } = await begin((_, index) => ({ status: index === 0 ? 500 : 200 }));
    await client.patch(path, { enabled: false });
    await cloud().advance(10 * minute);
    expect(hook.requests).toHaveLength(1);
    expect(await delivery()).toMatchObject({ state: 'pending', attempts: [{ status_code: 500 }] });
    await client.patch(path, { enabled: true });
    await cloud().advance(hour);
    // A schedule may fire twice, and two copies of a message may post at the same moment (docs/decisions/0066-webhooks-on-fair-queues.md).
    expect([2, 3]).toContain(hook.requests.length);
    const { state, attempts } = await delivery();
    expect([state, attempts.map(({ status_code: code }) => code)]).toEqual(['delivered', [500, 200]]);
  });

  it('is failed at its deadline when its endpoint stays disabled', async () => {
    const { client, hook, path, delivery } = await begin(status(500));
    await client.patch(path, { enabled: false });
    await cloud().advance(25 * hour);
    expect(hook.requests).toHaveLength(1);
    expect(await delivery()).toMatchObject({ state: 'failed', attempts: [{ status_code: 500 }] });
  });

  it('ends when its endpoint is deleted', async () => {
    const { client, hook, path } = await begin(status(500));
    expect((await client.delete(path)).status).toBe(204);
    await cloud().advance(25 * hour);
    expect(hook.requests).toHaveLength(1);
    const { data } = await cloud().control<{ data: unknown[] }>('GET', '/schedules');
    expect(data).toEqual([]);
  });

  it('is delivered when max_concurrency changes its concurrency slot', async () => {
    const { client, hook, path, delivery } = await begin(
      (_, index) => ({ status: index === 0 ? 500 : 200 }),
      {
        max_concurrency: 128,
      },
    );
    await client.patch(path, { max_concurrency: 1 });
    await cloud().advance(2 * minute);
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: [{}, { status_code: 200 }] });
    expect(hook.requests).toHaveLength(2);
  });
});

describe('a killed worker', () => {
  // The worker puts the delivery with its first attempt.
  const record = { worker: 'deliver-webhook', service: 'dynamodb', action: 'PutItem' } as const;

  it('repeats the attempt when it dies between the response and its record', async () => {
    await inject({ ...record, kind: 'kill-before' });
    const { hook, client, path, delivery } = await begin(status(200));
    expect(hook.requests).toHaveLength(1);
    expect((await client.get(`${path}/deliveries`)).body.data).toEqual([]);
    await cloud().advance(10 * minute);
    expect(hook.requests).toHaveLength(2);
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: [{ status_code: 200 }] });
  });

  it('changes nothing when it dies after the record', async () => {
    await inject({ ...record, kind: 'kill-after' });
    const { hook, delivery } = await begin(status(200));
    await cloud().advance(25 * hour);
    expect(hook.requests).toHaveLength(1);
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: [{ status_code: 200 }] });
  });

  it.each([
    // The copies of the message: two that are processed at the same moment both post (docs/decisions/0066-webhooks-on-fair-queues.md).
    ['stored the event', 'PutItem', '#EVENTS', 1],
    ['handed its delivery over', 'SendMessage', 'deliver-webhook', 2],
  ])('creates each delivery once when it dies after it has %s', async (_, action, match, copies) => {
    await inject({ worker: 'relay', action, match, kind: 'kill-after' });
    const { hook, delivery } = await begin(status(200));
    await cloud().advance(hour);
    expect(new Set(hook.requests.map(({ body }) => body)).size).toBe(1);
    expect(hook.requests.length).toBeLessThanOrEqual(copies);
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: [{ status_code: 200 }] });
  });
});

describe('a failure of KMS', () => {
  it('delays the delivery without using an attempt', async () => {
    await cloud().control('POST', '/faults', {
      service: 'kms',
      action: 'Decrypt',
      kind: 'error',
      code: 'KMSInternalException',
      status: 500,
      times: 6,
    });
    const before = now();
    const { hook, delivery } = await begin(status(200));
    await cloud().advance(20 * minute);
    expect(hook.requests).toHaveLength(1);
    const done = await delivery();
    expect(done).toMatchObject({ state: 'delivered', attempts: [{ status_code: 200 }] });
    expect(Date.parse(done.created_at)).toBeGreaterThanOrEqual(before);
  });
});
