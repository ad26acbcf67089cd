/** Slots of a region whose limits of the account are due (docs/decisions/0037-send-slots.md). */
import { afterEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newLimiter } from '../../../lib/core/sending/send-limiter.ts';
import { currentSlot, reserveNow, reserveSlots } from '../../../lib/services/sending/send-slots.ts';
import { changeSendLimiter, findSendLimiter } from '../../../lib/storage/sending/send-limiters.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { ownCalls } from '../../support/calls.ts';

afterEach(clearFaults);

/** No other test of this project sends there. */
const region = 'eu-central-1';

/** The rate that is known before the limits are read, with room for all slots of a test within the horizon. */
const knownRate = 10;

/** Stores a limiter whose limits are due `refreshInMs` from now. */
async function stored(refreshInMs: number): Promise<void> {
  await changeSendLimiter(region, ({ version }) => ({
    limiter: { ...newLimiter, ratePerSecond: knownRate, refreshAt: now() + refreshInMs, version },
    result: null,
  }));
}

/** How long emails without a slot wait. */
const waitMs = () => 5000;

const minuteMs = 60_000;

/** Milliseconds until the limits are due again, as whole minutes. */
const minutesToRefresh = (refreshAt: number) => Math.round((refreshAt - now()) / minuteMs);

describe('reserveSlots', () => {
  it('is one read and one write when the limits are not due', async () => {
    await stored(minuteMs);
    expect(await ownCalls(() => reserveSlots(region, [1], waitMs))).toEqual(['GetItem', 'PutItem']);
  });

  it('claims the limits that are due, and writes them with the slots', async () => {
    await stored(0);
    expect(await ownCalls(() => reserveSlots(region, [1], waitMs))).toEqual([
      'GetAccount',
      'GetItem',
      'PutItem',
      'PutItem',
    ]);
    const { ratePerSecond, refreshAt, nextFree } = await findSendLimiter(region);
    expect(ratePerSecond).toBeGreaterThan(knownRate);
    expect(minutesToRefresh(refreshAt)).toBe(5);
    expect(nextFree).toBeGreaterThan(now() - minuteMs);
  });

  it('reads the limits once and gives no slot twice when workers find them due at the same time', async () => {
    await stored(0);
    const given: number[] = [];
    const reserve = async () => {
      const { slots } = await reserveSlots(region, [1, 1], waitMs);
      given.push(...slots.map(({ at }) => at));
    };
    const calls = await ownCalls(async () => {
      await Promise.all(Array.from({ length: 5 }, reserve));
    });
    expect(calls.filter((action) => action === 'GetAccount')).toHaveLength(1);
    expect([given.length, new Set(given).size]).toEqual([10, 10]);
  });

  it('gives slots of the limits that are known when SES does not tell them, and asks again in a minute', async () => {
    await stored(0);
    await inject({ kind: 'error', status: 400, code: 'BadRequestException', action: 'GetAccount' });
    const { slots } = await reserveSlots(region, [1], waitMs);
    expect(slots).toHaveLength(1);
    const { ratePerSecond, refreshAt } = await findSendLimiter(region);
    expect([ratePerSecond, minutesToRefresh(refreshAt)]).toEqual([knownRate, 1]);
  });

  it('leaves the limits to the next worker when it ends after it has claimed them', async () => {
    await stored(0);
    // The second write: limits and slots.
    const fault = { kind: 'error', status: 400, code: 'ValidationException', action: 'PutItem' } as const;
    await inject({ ...fault, match: `LIMITER#${region}`, skip: 1 });
    await expect(reserveSlots(region, [1], waitMs)).rejects.toThrow();
    await clearFaults();
    const { ratePerSecond, refreshAt, nextFree } = await findSendLimiter(region);
    expect([ratePerSecond, minutesToRefresh(refreshAt), nextFree]).toEqual([knownRate, 1, 0]);
  });
});

describe('reserveNow', () => {
  /** A limiter of ten recipients a second. */
  const free = async () => {
    await stored(minuteMs);
    await changeSendLimiter(region, (limiter) => ({
      limiter: { ...limiter, ratePerSecond: 10 },
      result: null,
    }));
  };

  it('gives slots to new emails by one read and one write', async () => {
    await free();
    const calls = await ownCalls(async () => {
      expect(await reserveNow(region, [1, 1])).toHaveLength(2);
    });
    expect(calls).toEqual(['GetItem', 'PutItem']);
  });

  it('gives none by one read while emails wait in lanes, and again a minute after their wait', async () => {
    await free();
    // More than have slots within the horizon.
    await reserveSlots(region, Array(200).fill(1), waitMs);
    const { waitingUntil } = await findSendLimiter(region);
    expect(waitingUntil - now()).toBeGreaterThan(minuteMs);
    const calls = await ownCalls(async () => {
      expect(await reserveNow(region, [1])).toEqual([]);
    });
    expect(calls).toEqual(['GetItem']);
    await changeSendLimiter(region, (limiter) => ({
      limiter: { ...limiter, nextFree: 0, waitingUntil: now() },
      result: null,
    }));
    expect(await reserveNow(region, [1])).toHaveLength(1);
  });

  it('gives none where other workers change the limiter at every try, and notes it', async () => {
    await free();
    const fault = { kind: 'error', status: 400, code: 'ConditionalCheckFailedException' } as const;
    await inject({ ...fault, action: 'PutItem', match: `LIMITER#${region}`, times: 3 });
    expect(await reserveNow(region, [1])).toEqual([]);
    await clearFaults();
    const { waitingUntil, nextFree, ratePerSecond } = await findSendLimiter(region);
    expect(waitingUntil).toBeGreaterThan(now());
    expect([nextFree, ratePerSecond]).toEqual([0, 10]);
  });
});

describe('currentSlot', () => {
  it('is one read when the limits are not due', async () => {
    await stored(minuteMs);
    expect(await ownCalls(() => currentSlot(region, now(), 1))).toEqual(['GetItem']);
  });

  it('gives a late email another slot in the write of the limits that are due', async () => {
    await stored(0);
    const late = now() - 5 * minuteMs;
    let slot = null;
    const calls = await ownCalls(async () => {
      slot = await currentSlot(region, late, 1);
    });
    expect(calls).toEqual(['GetAccount', 'GetItem', 'PutItem', 'PutItem']);
    expect(slot).toMatchObject({ at: expect.toSatisfy((at: number) => at > late) });
  });
});
