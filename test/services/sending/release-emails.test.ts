/** New emails that need not wait in their lanes (docs/decisions/0037-send-slots.md). */
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { newLimiter } from '../../../lib/core/sending/send-limiter.ts';
import { releaseAtOnce } from '../../../lib/services/sending/release-emails.ts';
import { releaseMailMessage } from '../../../lib/services/sending/submission-messages.ts';
import { changeSendLimiter } from '../../../lib/storage/sending/send-limiters.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { ownCalls } from '../../support/calls.ts';

afterEach(clearFaults);

/** Regions that no other test uses: one of two recipients a second, one without quota. */
async function regions() {
  const [free, full] = [`test-${newId('dom')}`, `test-${newId('dom')}`] as const;
  const limiters = [
    [free, { ...newLimiter, ratePerSecond: 2 }],
    [full, { ...newLimiter, quotaLeft: 0 }],
  ] as const;
  for (const [region, limiter] of limiters) {
    await changeSendLimiter(region, () => ({ limiter, result: null }));
  }
  return { free, full };
}

const email = (region: string) =>
  releaseMailMessage(newId('wks'), { emailId: newId('eml'), chunk: null, region, recipients: 1 });

describe('releaseAtOnce', () => {
  it('sends the emails of each region that have slots, in one call, and leaves the others', async () => {
    const { free, full } = await regions();
    const emails = [email(free), email(full), ...Array.from({ length: 4 }, () => email(free))];
    const calls = await ownCalls(async () => {
      const results = await releaseAtOnce(emails);
      const done = results.map((result) => result.status === 'fulfilled' && result.value);
      // Four slots within a second and a half.
      expect(done).toEqual([true, false, true, true, true, false]);
    });
    expect(calls.filter((action) => action.startsWith('Send'))).toEqual(['SendMessageBatch']);
  });

  it('spreads the emails of a workspace that wait at a high rate over lanes, each in one always', async () => {
    const region = `test-${newId('dom')}`;
    const limiter = { ...newLimiter, ratePerSecond: 900, quotaLeft: 0 };
    await changeSendLimiter(region, () => ({ limiter, result: null }));
    const workspaceId = newId('wks');
    const emails = Array.from({ length: 100 }, () =>
      releaseMailMessage(workspaceId, { emailId: newId('eml'), chunk: null, region, recipients: 1 }),
    );
    const lanesOf = async () =>
      (await releaseAtOnce(emails)).map((result) => result.status === 'fulfilled' && result.value);
    const lanes = await lanesOf();
    expect(await lanesOf()).toEqual(lanes);
    const groups = new Set(lanes.map((lane) => (typeof lane === 'object' ? lane.group : lane)));
    expect(groups.has(true)).toBe(false);
    expect(groups.size).toBeGreaterThan(5);
    expect(groups.size).toBeLessThanOrEqual(10);
    for (const group of groups) expect(group || '').toMatch(/^(test-.*:wks_[0-9a-f]{32}:\d+)?$/);
  });

  it('leaves the emails of a region whose rate is not known, or that of the sandbox, by one read', async () => {
    const region = `test-${newId('dom')}`;
    const release = async () => {
      const [result] = await releaseAtOnce([email(region)]);
      expect(result).toEqual({ status: 'fulfilled', value: false });
    };
    expect(await ownCalls(release)).toEqual(['GetItem']);
    await changeSendLimiter(region, () => ({ limiter: { ...newLimiter, refreshAt: 1 }, result: null }));
    expect(await ownCalls(release)).toEqual(['GetItem']);
  });

  it('rejects the emails of a region whose limiter cannot be read, and no others', async () => {
    const { free, full } = await regions();
    await inject({ kind: 'error', status: 400, code: 'ValidationException', match: full, times: 2 });
    // Both limiters are one call, which is refused; then each is read by itself.
    const results = await releaseAtOnce([email(full), email(free)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
