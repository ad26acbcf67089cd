import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { newLimiter, reserve } from '../../lib/core/send-limiter.ts';
import { changeSendLimiter, findSendLimiter } from '../../lib/storage/send-limiters.ts';

/** A region that no other test uses. */
const newRegion = () => `test-${newId('dom')}`;

describe('changeSendLimiter', () => {
  it('gives no slot twice when workers reserve at the same time', async () => {
    const region = newRegion();
    const reserveTwo = () =>
      changeSendLimiter(region, (before) => {
        const { slots, limiter } = reserve(before, [1, 1], now(), Number.POSITIVE_INFINITY);
        return { limiter, result: slots };
      });
    const slots = (await Promise.all(Array.from({ length: 6 }, reserveTwo))).flat();
    expect(new Set(slots).size).toBe(12);
    expect((await findSendLimiter(region)).version).toBe(6);
  });

  it('gives no slot twice when workers reserve with a limiter that they all know', async () => {
    const region = newRegion();
    const known = await findSendLimiter(region);
    const reserveTwo = () =>
      changeSendLimiter(
        region,
        (before) => {
          const { slots, limiter } = reserve(before, [1, 1], now(), Number.POSITIVE_INFINITY);
          return { limiter, result: slots };
        },
        { known },
      );
    const slots = (await Promise.all(Array.from({ length: 6 }, reserveTwo))).flat();
    expect(new Set(slots).size).toBe(12);
    expect((await findSendLimiter(region)).version).toBe(6);
  });

  it('writes nothing when the limiter stays as it is', async () => {
    const region = newRegion();
    await changeSendLimiter(region, (limiter) => ({ limiter, result: null }));
    expect(await findSendLimiter(region)).toEqual(newLimiter);
  });
});
