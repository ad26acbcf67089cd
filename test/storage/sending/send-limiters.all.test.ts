import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { newLimiter, reserve, type SendLimiter, shiftMsMax } from '../../../lib/core/sending/send-limiter.ts';
import {
  changeSendLimiter,
  findSendLimiter,
  type LimiterChange,
} from '../../../lib/storage/sending/send-limiters.ts';

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

  describe('of a region that has slots in the future', () => {
    /** Takes two slots as lanes do. */
    const takeTwo = (before: SendLimiter, horizonMs = 60_000): LimiterChange<readonly number[]> => {
      const { slots, limiter } = reserve(before, [1, 1], now(), horizonMs);
      const latest = shiftMsMax(before, slots, now(), horizonMs);
      const resultAt = (shiftMs: number) => slots.map((at) => at + shiftMs);
      return {
        limiter: slots.length === 2 ? limiter : before,
        result: slots,
        ...(latest !== null && { taken: { shiftMsMax: latest, yields: false, resultAt } }),
      };
    };
    const stored = async (change: Partial<SendLimiter> = {}) => {
      const region = newRegion();
      await changeSendLimiter(region, ({ version }) => ({
        limiter: { ...newLimiter, ratePerSecond: 100, nextFree: now() + 1000, ...change, version },
        result: null,
      }));
      return { region, known: await findSendLimiter(region) };
    };

    it('gives slots to all workers at the first try, none twice, when all know the same limiter', async () => {
      const { region, known } = await stored({ quotaLeft: 40 });
      const taking = Array.from({ length: 20 }, () =>
        changeSendLimiter(region, (before) => takeTwo(before), { known, tries: 1 }),
      );
      const slots = (await Promise.all(taking)).flat().sort((a, b) => a - b);
      const expected = Array.from({ length: 40 }, (_, at) => known.nextFree + at * 10);
      expect(slots.map((at) => Math.round(at - known.nextFree))).toEqual(
        expected.map((at) => Math.round(at - known.nextFree)),
      );
      const after = await findSendLimiter(region);
      expect(after).toMatchObject({ quotaLeft: 0, version: known.version + 20 });
      expect(after.nextFree - known.nextFree).toBeCloseTo(400, 1);
    });

    it('gives no more slots than the quota and the horizon have when workers know the same limiter', async () => {
      const { region, known } = await stored({ quotaLeft: 7 });
      const taking = Array.from({ length: 6 }, () =>
        changeSendLimiter(region, (before) => takeTwo(before), { known }),
      );
      await Promise.all(taking);
      expect((await findSendLimiter(region)).quotaLeft).toBe(1);
      const near = await stored();
      const horizonMs = () => near.known.nextFree + 35 - now();
      const within = Array.from({ length: 6 }, () =>
        changeSendLimiter(near.region, (before) => takeTwo(before, horizonMs()), { known: near.known }),
      );
      await Promise.all(within);
      expect((await findSendLimiter(near.region)).nextFree - near.known.nextFree).toBeCloseTo(40, 1);
    });

    it.each([
      ['was held', { offset: 500 }],
      ['has another rate', { ratePerSecond: 50 }],
    ])('gives slots of the limiter as it is when the region %s meanwhile', async (_, change) => {
      const { region, known } = await stored();
      await changeSendLimiter(region, (before) => ({ limiter: { ...before, ...change }, result: null }));
      const slots = await changeSendLimiter(region, (before) => takeTwo(before), { known });
      const after = await findSendLimiter(region);
      expect(after).toMatchObject(change);
      expect((slots[1] ?? 0) - (slots[0] ?? 0)).toBeCloseTo(1000 / after.ratePerSecond, 1);
    });

    it('yields to emails that wait meanwhile when it is asked to', async () => {
      const { region, known } = await stored();
      await changeSendLimiter(region, (before) => ({
        limiter: { ...before, waitingUntil: now() + 60_000 },
        result: null,
      }));
      let asked = 0;
      const slots = await changeSendLimiter<readonly number[]>(
        region,
        (before) => {
          asked += 1;
          if (before.waitingUntil > now()) return { limiter: before, result: [] };
          const { taken, ...rest } = takeTwo(before);
          return { ...rest, ...(taken && { taken: { ...taken, yields: true } }) };
        },
        { known },
      );
      expect([slots, asked]).toEqual([[], 2]);
    });
  });

  it('writes nothing when the limiter stays as it is', async () => {
    const region = newRegion();
    await changeSendLimiter(region, (limiter) => ({ limiter, result: null }));
    expect(await findSendLimiter(region)).toEqual(newLimiter);
  });
});
