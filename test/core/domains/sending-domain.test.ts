/** Verification, loss and rechecks of domains (docs/concepts/domains.md). */
import { describe, expect, it } from 'vitest';
import { afterCheck, nextCheckAfter } from '../../../lib/core/domains/sending-domain.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('nextCheckAfter', () => {
  it.each([
    ['hourly while pending for three days', { verifiedAt: null, createdAt: 0 }, 3 * day - 1, hour],
    ['daily from then on', { verifiedAt: null, createdAt: 0 }, 3 * day, day],
    ['daily once verified', { verifiedAt: 5, createdAt: 0 }, 10, day],
  ])('is %s', (_, domain, at, wait) => {
    expect(nextCheckAfter(domain, at)).toBe(at + wait);
  });
});

describe('afterCheck', () => {
  const verified = { verifiedAt: 7, missing: null };

  it('verifies a domain when its DKIM record is found, with one event', () => {
    const found = afterCheck({ verifiedAt: null, missing: null }, 'verified', 100);
    expect(found).toEqual({ verifiedAt: 100, missing: null, event: 'domain.verified' });
    expect(afterCheck(found, 'verified', 200)).toEqual({ verifiedAt: 100, missing: null, event: null });
  });

  it('loses a domain only after three checks in a row over 72 hours', () => {
    const first = afterCheck(verified, 'missing', 0);
    const second = afterCheck(first, 'missing', 71 * hour);
    const early = afterCheck(second, 'missing', 71.9 * hour);
    expect(early).toMatchObject({ verifiedAt: 7, event: null });
    const last = afterCheck(early, 'missing', 72 * hour);
    expect(last).toEqual({ verifiedAt: null, missing: null, event: 'domain.lost' });
    const twice = afterCheck(first, 'missing', 80 * hour);
    expect(twice).toMatchObject({ verifiedAt: 7, missing: { checks: 2 }, event: null });
  });

  it('starts counting again when the record is found in between', () => {
    const first = afterCheck(verified, 'missing', 0);
    expect(afterCheck(first, 'verified', day)).toEqual({ verifiedAt: 7, missing: null, event: null });
  });

  it('changes nothing when DNS does not answer', () => {
    const missed = { verifiedAt: 7, missing: { since: 0, checks: 2 } };
    expect(afterCheck(missed, 'unknown', 100 * hour)).toEqual({ ...missed, event: null });
  });
});
