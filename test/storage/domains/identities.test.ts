import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { SenderDomain } from '../../../lib/core/domains/sender-domain.ts';
import {
  findProvidedRefusal,
  forgetProvidedRefusal,
  isProvidedReady,
  recordProvidedRefusal,
} from '../../../lib/storage/domains/identities.ts';

const hour = 3_600_000;

/** The provided domain of a region that no other test uses. */
function provided(): SenderDomain {
  return {
    domainId: newId('dom'),
    spaceId: null,
    region: `test-${newId('dom')}`,
    name: 'acme.mail.parley.test',
    provided: true,
    isVerified: true,
    isPublished: true,
    tracking: { opens: false, clicks: false },
  };
}

describe('the refusal of the provided domain', () => {
  it('holds its mail until it is forgotten', async () => {
    const sender = provided();
    expect(await isProvidedReady(sender.region)).toBe(true);
    expect(await recordProvidedRefusal(sender.region, now())).toBe(true);
    expect(await isProvidedReady(sender.region)).toBe(false);
    await forgetProvidedRefusal(sender.region);
    expect(await isProvidedReady(sender.region)).toBe(true);
  });

  it('keeps the time of the first one when SES refuses again', async () => {
    const { region } = provided();
    const first = now() - hour;
    await recordProvidedRefusal(region, first);
    expect(await recordProvidedRefusal(region, now())).toBe(true);
    expect(await findProvidedRefusal(region)).toEqual({ since: first });
  });

  it('holds no mail after 72 hours, so that SES refuses it for good', async () => {
    const sender = provided();
    await recordProvidedRefusal(sender.region, now() - 73 * hour);
    expect(await isProvidedReady(sender.region)).toBe(true);
    expect(await recordProvidedRefusal(sender.region, now())).toBe(false);
  });
});
