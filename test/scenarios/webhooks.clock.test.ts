/** Webhook deliveries over time: the retry schedule, and what ends it. */
import { describe, expect, it } from 'vitest';
import { cloud } from '../support/cloud.ts';
import { type Delivery, endpointWithEvent, status } from '../support/endpoint-with-event.ts';

const minute = 60;
const hour = 60 * minute;

/** A schedule may fire twice, and two copies of a message may post at the same moment (docs/decisions/0066-webhooks-on-fair-queues.md). */
function expectRequests(requests: readonly unknown[], attempts: number): void {
  expect([attempts, attempts + 1]).toContain(requests.length);
}

/** Seconds from each attempt to the next. */
function gaps({ attempts }: Delivery): number[] {
  const times = attempts.map(({ attempted_at: at }) => Date.parse(at) / 1000);
  return times.slice(1).map((time, at) => time - (times[at] ?? 0));
}

describe('a failing delivery', () => {
  it('is retried by the schedule, and is failed after the seventh attempt, at its deadline', async () => {
    const { hook, delivery } = await endpointWithEvent(status(503));
    expect((await delivery()).attempts).toHaveLength(1);
    await cloud().advance(25 * hour);
    const failed = await delivery();
    expect(failed).toMatchObject({ state: 'failed', next_attempt_at: null });
    expect(failed.attempts).toHaveLength(7);
    expectRequests(hook.requests, 7);

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
    const { hook, delivery } = await endpointWithEvent((_, index) => ({ status: index < 2 ? 500 : 200 }));
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
    const { delivery } = await endpointWithEvent((_, index) =>
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
    const { delivery } = await endpointWithEvent(status(503, { 'Retry-After': '999999' }));
    const { next_attempt_at: next, created_at: created } = await delivery();
    expect(Date.parse(next ?? '') - Date.parse(created)).toBe(24 * hour * 1000);
    await cloud().advance(25 * hour);
    const failed = await delivery();
    expect([failed.state, failed.attempts.length]).toEqual(['failed', 2]);
  });
});

describe('a pending delivery', () => {
  it('waits when its endpoint is disabled, and is delivered when it is enabled again', async () => {
    const { client, hook, path, delivery } = await endpointWithEvent((_, index) => ({
      status: index === 0 ? 500 : 200,
    }));
    await client.patch(path, { enabled: false });
    await cloud().advance(10 * minute);
    expect(hook.requests).toHaveLength(1);
    expect(await delivery()).toMatchObject({ state: 'pending', attempts: [{ status_code: 500 }] });
    await client.patch(path, { enabled: true });
    await cloud().advance(hour);
    expectRequests(hook.requests, 2);
    const { state, attempts } = await delivery();
    expect([state, attempts.map(({ status_code: code }) => code)]).toEqual(['delivered', [500, 200]]);
  });

  it('ends when its endpoint is deleted', async () => {
    const { client, hook, path } = await endpointWithEvent(status(500));
    expect((await client.delete(path)).status).toBe(204);
    await cloud().advance(25 * hour);
    expect(hook.requests).toHaveLength(1);
    const { data } = await cloud().control<{ data: unknown[] }>('GET', '/schedules');
    expect(JSON.stringify(data)).not.toContain(path.split('/').at(-1));
  });
});
