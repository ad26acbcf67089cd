/** What is kept of blocked mail, and for how long. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { findObject } from '../../../lib/adapters/objects.ts';
import { acceptBlockedEmail } from '../../../lib/services/inbound-rules/accept-blocked-email.ts';
import { expireBlocked } from '../../../lib/services/receiving/expire-blocked.ts';
import { findBlocked, storeBlocked } from '../../../lib/storage/receiving/blocked-emails.ts';
import { storeRaw } from '../../support/filled-space.ts';
import { storedBlocked } from '../../support/stored-blocked.ts';
import { workspace } from '../../support/workspace.ts';

const dayMs = 24 * 3_600_000;

async function blockedBefore(days: number, { isAccepted = false } = {}) {
  const { id: workspaceId } = await workspace();
  const raw = await storeRaw(`mail/${workspaceId}`);
  const made = storedBlocked(null, 'spam', raw, now() - days * dayMs);
  const blocked = { ...made, acceptedAt: isAccepted ? now() - dayMs : null };
  await storeBlocked(workspaceId, blocked, []);
  const expire = () =>
    expireBlocked({ kind: 'expire-blocked-email', v: 1, workspaceId, blockedId: blocked.id });
  const isKept = async () => (await findObject(raw)) !== null;
  return { workspaceId, id: blocked.id, expire, isKept };
}

describe('the raw message of blocked mail', () => {
  it('goes after 30 days, and so does the record', async () => {
    const { workspaceId, id, expire, isKept } = await blockedBefore(31);
    await expire();
    await expire();
    expect([await isKept(), await findBlocked(workspaceId, id)]).toEqual([false, null]);
  });

  it.each([
    ['before that', 29, {}],
    ['where it was let in', 31, { isAccepted: true }],
  ] as const)('stays %s', async (_, days, change) => {
    const { expire, isKept } = await blockedBefore(days, change);
    await expire();
    expect(await isKept()).toBe(true);
  });
});

describe('letting in', () => {
  it('is over after 30 days', async () => {
    const { workspaceId, id } = await blockedBefore(31);
    await expect(acceptBlockedEmail(workspaceId, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of the mail of another workspace is refused', async () => {
    const { id } = await blockedBefore(1);
    const other = await workspace();
    await expect(acceptBlockedEmail(other.id, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
