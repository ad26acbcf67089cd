/** Webhook dispatch on virtual time, in short: `npm run simulate:webhooks` runs an hour. */
import { describe, expect, it } from 'vitest';
import { busy, dead, failing, healthy } from '../../../scripts/webhooks/scenarios.ts';
import { simulate } from '../../../scripts/webhooks/simulate.ts';

describe('healthy endpoints', () => {
  it('get their deliveries when others are dead, and nothing is lost', async () => {
    const times = { durationMs: 100_000, restMs: 60_000, seed: 3 };
    const load = healthy({ endpoints: 10, eventsPerSecond: 10 });
    const beside = await simulate({
      ...times,
      groups: [load, dead({ endpoints: 20, eventsPerSecond: 100 })],
    });
    const [quick, slow] = beside.groups;
    expect(quick).toMatchObject({ events: 9990, delivered: 9990, lost: 0 });
    expect(quick?.p50).toBeLessThan(150);
    expect(quick?.p99).toBeLessThan(1000);
    expect(slow).toMatchObject({ delivered: 0, failed: 0, lost: 0 });
    expect(slow?.peakConcurrency).toBeLessThanOrEqual(5);
    expect(slow?.events).toBe(slow?.pending);
    expect(slow?.events).toBeGreaterThan(75_000);
    // Five attempts each until the endpoint is known to be dead, then one for each probe.
    expect(slow?.attempts).toBeLessThan(20 * 8);
    // The probes that run.
    expect(beside.depth).toBeLessThan(20);
  });
});

describe('an endpoint that fails for a while', () => {
  it('gets every delivery when it answers again, within max_concurrency', async () => {
    const group = failing({ endpoints: 3, eventsPerSecond: 20 }, 20_000, 80_000);
    const { groups, depth } = await simulate({
      groups: [group],
      durationMs: 120_000,
      restMs: 420_000,
      seed: 5,
    });
    expect(groups).toMatchObject([{ events: 7197, delivered: 7197, lost: 0, peakConcurrency: 16 }]);
    expect(depth).toBe(0);
  });
});

describe('one endpoint with max_concurrency 128', () => {
  it('gets 1,000 events a second', async () => {
    const group = busy({ endpoints: 1, eventsPerSecond: 1000 }, 20, 80);
    const { groups } = await simulate({ groups: [group], durationMs: 20_000, restMs: 30_000, seed: 9 });
    expect(groups).toMatchObject([{ delivered: groups[0]?.events, lost: 0 }]);
    expect(groups[0]?.events).toBeGreaterThan(19_990);
    expect(groups[0]?.peakConcurrency).toBeLessThanOrEqual(128);
    expect(groups[0]?.worst).toBeLessThan(10_000);
  });
});

describe('deliveries of an endpoint that never answers', () => {
  it('are failed at the first probe after their deadline, without an attempt of their own', async () => {
    const hourMs = 3_600_000;
    const group = { ...dead({ endpoints: 1, eventsPerSecond: 0.05 }), fromMs: 0 };
    const { groups } = await simulate({ groups: [group], durationMs: 26 * hourMs, restMs: 0, seed: 7 });
    const [result] = groups;
    expect(result?.lost).toBe(0);
    expect(result?.failed).toBeGreaterThan(0.05 * 3600 * 2 - 20);
    expect(result?.pending).toBeGreaterThan(0.05 * 3600 * 24 - 20);
    expect(result?.expiredLateMs).toBeLessThan(60_000 + 1.2 * 300_000 + 20_000);
  });
});
