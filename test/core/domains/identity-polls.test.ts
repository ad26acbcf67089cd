import { describe, expect, it } from 'vitest';
import { pollWaitMs } from '../../../lib/core/domains/identity-polls.ts';

const hour = 3_600_000;

describe('pollWaitMs', () => {
  const waits = Array.from({ length: 100 }, (_, polls) => pollWaitMs(polls)).filter((wait) => wait !== null);

  it('begins with seconds and grows to three hours', () => {
    expect(waits.slice(0, 3)).toEqual([5000, 7500, 11_250]);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBe(3 * hour);
  });

  it('ends after 72 hours, when 800 pending domains have taken less than a sixth of one call a second', () => {
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    expect(total).toBeGreaterThanOrEqual(72 * hour);
    expect(total).toBeLessThan(76 * hour);
    expect((800 * waits.length) / (total / 1000)).toBeLessThan(1 / 6);
    expect(pollWaitMs(1000)).toBe(null);
  });
});
