import { describe, expect, it } from 'vitest';
import { retryDelaySeconds } from '../../../lib/core/work/retry-backoff.ts';

describe('retryDelaySeconds', () => {
  it('doubles with each receive and stays at 15 minutes at most', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((receives) => retryDelaySeconds(receives, 0.999_999));
    expect(longest).toEqual([10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
  });

  it('is at least half of that', () => {
    expect([1, 2, 10].map((receives) => retryDelaySeconds(receives, 0))).toEqual([5, 10, 450]);
  });

  it('takes a missing count for the first receive', () => {
    expect(retryDelaySeconds(0, 0)).toBe(5);
  });
});
