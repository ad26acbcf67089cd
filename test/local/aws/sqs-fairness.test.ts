import { describe, expect, it } from 'vitest';
import {
  changeLoad,
  compareTenants,
  isNoisy,
  type Load,
  noLoad,
  quietAfterMs,
} from '../../../lib/local/aws/sqs-fairness.ts';

const at = 1_000_000;
const inFlight = (count: number): Load => ({ inFlight: count, processingMs: 0, changedAt: at });
const processed = (processingMs: number): Load => ({ inFlight: 0, processingMs, changedAt: at });

describe('isNoisy', () => {
  it.each([
    ['30 messages of 299', 30, 299, true],
    ['30 messages of 300, which is 10 %', 30, 300, false],
    ['31 messages of 300', 31, 300, true],
    ['29 messages of 29', 29, 29, false],
    ['no message of none', 0, 0, false],
  ])('judges the share in flight: %s', (_, own, all, expected) => {
    expect(isNoisy(inFlight(own), inFlight(all), at)).toBe(expected);
  });

  it.each([
    ['10 %', 100, 1000, false],
    ['more than 10 %', 101, 1000, true],
    ['nothing of nothing', 0, 0, false],
  ])('judges the share of processing time: %s', (_, own, all, expected) => {
    expect(isNoisy(processed(own), processed(all), at)).toBe(expected);
  });

  it('catches few messages that are slow beside many that are fast', () => {
    const slow = changeLoad(changeLoad(noLoad, 1, at), -1, at + 10_000);
    const queue = changeLoad({ inFlight: 1, processingMs: 0, changedAt: at }, -1, at + 10_000);
    const busy = { ...queue, processingMs: queue.processingMs + 50_000 };
    expect(slow.processingMs).toBeGreaterThan(9000);
    expect(isNoisy(slow, busy, at + 10_000)).toBe(true);
    expect(isNoisy(slow, { ...busy, processingMs: 200_000 }, at + 10_000)).toBe(false);
  });

  it('counts the time of messages that are still in flight', () => {
    expect(isNoisy(inFlight(1), { ...inFlight(20), processingMs: 0 }, at + 1000)).toBe(false);
    expect(isNoisy(inFlight(1), inFlight(9), at + 1000)).toBe(true);
  });

  it('forgets processing time while others go on', () => {
    const early = changeLoad(processed(60_000), 0, at);
    const goesOn: Load = { inFlight: 2, processingMs: 60_000, changedAt: at };
    expect(isNoisy(early, goesOn, at + 60_000)).toBe(true);
    expect(isNoisy(early, goesOn, at + 4 * 60_000)).toBe(false);
  });

  it('takes a tenant with nothing in flight for five minutes for quiet', () => {
    const alone = processed(60_000);
    expect(isNoisy(alone, alone, at + quietAfterMs - 1)).toBe(true);
    expect(isNoisy(alone, { ...alone, inFlight: 1 }, at + quietAfterMs)).toBe(false);
  });
});

describe('compareTenants', () => {
  it('sorts quiet tenants by position before noisy ones by messages in flight', () => {
    const tenants = [
      { name: 'noisy, 31', isNoisy: true, inFlight: 31, position: 0 },
      { name: 'noisy, 30, later', isNoisy: true, inFlight: 30, position: 2 },
      { name: 'noisy, 30', isNoisy: true, inFlight: 30, position: 1 },
      { name: 'quiet, later', isNoisy: false, inFlight: 0, position: 9 },
      { name: 'quiet', isNoisy: false, inFlight: 29, position: 8 },
    ];
    expect(tenants.sort(compareTenants).map(({ name }) => name)).toEqual([
      'quiet',
      'quiet, later',
      'noisy, 30',
      'noisy, 30, later',
      'noisy, 31',
    ]);
  });
});
