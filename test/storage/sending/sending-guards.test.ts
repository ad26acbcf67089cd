import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import {
  countedHours,
  hourOf,
  type SendingGuard,
  unusedGuard,
} from '../../../lib/core/sending/sending-guard.ts';
import {
  countReports,
  findSendingGuard,
  resume,
  returnRecipients,
  spendRecipients,
  suspend,
} from '../../../lib/storage/sending/sending-guards.ts';

const caps = { perHour: 50, perDay: 100 };

describe('spendRecipients', () => {
  it('spends no more than the cap when many emails are accepted at the same time', async () => {
    const workspaceId = newId('wks');
    const at = now();
    const accept = async (): Promise<boolean> => {
      let known: SendingGuard = unusedGuard;
      for (let tries = 0; tries < 5; tries++) {
        const { isDone, guard } = await spendRecipients(workspaceId, known, {
          caps,
          recipients: 2,
          nowMs: at,
        });
        if (isDone) return true;
        known = guard;
      }
      return false;
    };
    const accepted = await Promise.all(Array.from({ length: 60 }, accept));
    expect(accepted.filter(Boolean)).toHaveLength(25);
    const [count] = (await findSendingGuard(workspaceId)).counts;
    expect(count).toEqual({ hour: hourOf(at), sent: 50, bounced: 0, complained: 0 });
  });

  it('spends nothing while the workspace is suspended', async () => {
    const workspaceId = newId('wks');
    expect(await suspend(workspaceId, { reason: 'operator', at: now() }, [])).toBe(true);
    expect(await suspend(workspaceId, { reason: 'bounces', at: now() }, [])).toBe(false);
    const { isDone, guard } = await spendRecipients(workspaceId, unusedGuard, {
      caps,
      recipients: 1,
      nowMs: now(),
    });
    expect([isDone, guard.suspension?.reason]).toEqual([false, 'operator']);
  });

  it('drops the counts of hours that no longer matter', async () => {
    const workspaceId = newId('wks');
    const at = now();
    const past = at - (countedHours + 1) * 3_600_000;
    await spendRecipients(workspaceId, unusedGuard, { caps, recipients: 1, nowMs: past });
    await countReports(workspaceId, 'bounced', 1, past);
    const known = await findSendingGuard(workspaceId);
    await spendRecipients(workspaceId, known, { caps, recipients: 3, nowMs: at });
    expect((await findSendingGuard(workspaceId)).counts).toEqual([
      { hour: hourOf(at), sent: 3, bounced: 0, complained: 0 },
    ]);
  });
});

describe('returnRecipients', () => {
  it('gives back what was spent', async () => {
    const workspaceId = newId('wks');
    const at = now();
    await spendRecipients(workspaceId, unusedGuard, { caps, recipients: 50, nowMs: at });
    await returnRecipients(workspaceId, caps, 50, at);
    const known = await findSendingGuard(workspaceId);
    expect((await spendRecipients(workspaceId, known, { caps, recipients: 50, nowMs: at })).isDone).toBe(
      true,
    );
  });
});

describe('resume', () => {
  it('ends a suspension and forgets the reports, not the recipients', async () => {
    const workspaceId = newId('wks');
    const at = now();
    await spendRecipients(workspaceId, unusedGuard, { caps, recipients: 10, nowMs: at });
    await countReports(workspaceId, 'complained', 4, at);
    await suspend(workspaceId, { reason: 'complaints', at }, []);
    expect(await resume(workspaceId)).toBe(true);
    expect(await resume(workspaceId)).toBe(false);
    const { suspension, counts } = await findSendingGuard(workspaceId);
    expect([suspension, counts]).toEqual([null, [{ hour: hourOf(at), sent: 10, bounced: 0, complained: 0 }]]);
  });
});
