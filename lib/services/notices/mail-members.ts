/** Mails a notice to members of a workspace, from the deployment's `supportEmail`, once each. */
import { now, pause } from '../../adapters/clock.ts';
import { submitToSes } from '../../adapters/ses.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { type Notice, noticeMail } from '../../core/notices/notice.ts';
import { env } from '../../env.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { composeMessage } from '../../mail/writing/compose.ts';
import { logEvent } from '../../observability/log.ts';
import { claimNotice, releaseNotice } from '../../storage/workspaces/notices.ts';
import { reserveWithin } from '../sending/send-slots.ts';

/** How long a worker waits for a slot of the sending rate. */
const slotWaitMs = 20_000;
const claimKeptMs = 90 * 24 * 3_600_000;

/**
 * Mails a notice. Idempotent: every mail is claimed before it is submitted. Without the setting `supportEmail` no mail is
 * sent.
 *
 * @param report called once, with the number of recipients
 * @throws Error where SES accepts nothing now: to be repeated
 */
export async function mailMembers(
  workspaceId: WorkspaceId,
  notice: Notice,
  members: readonly string[],
  report: (recipients: number) => void,
): Promise<void> {
  const recipients = env().SUPPORT_EMAIL ? members : [];
  if (await claim(workspaceId, notice, '')) report(recipients.length);
  for (const to of recipients) {
    if (await claim(workspaceId, notice, to)) await mail(workspaceId, notice, to);
  }
}

async function claim(workspaceId: WorkspaceId, { id }: Notice, to: string): Promise<boolean> {
  return await claimNotice(workspaceId, id, to, now() + claimKeptMs);
}

async function mail(workspaceId: WorkspaceId, notice: Notice, to: string): Promise<void> {
  const { DEFAULT_REGION: region, SUPPORT_EMAIL: from, BRAND: name } = env();
  const slot = await reserveWithin(region, 1, slotWaitMs);
  if (!slot) return await giveBack(workspaceId, notice, to, 'no slot of the sending rate');
  await pause(Math.max(0, slot.time - now()));
  const raw = await composeMessage(
    noticeMail(notice, { name, address: from, host: hostOf(from) }, to, now()),
  );
  const outcome = await submitToSes({ region, tenant: null, from, recipients: [to], raw, tags: {} });
  if (outcome.kind === 'delayed') await giveBack(workspaceId, notice, to, outcome.reason);
  if (outcome.kind !== 'refused') return;
  const { cause, reason } = outcome;
  logEvent('notice.refused', { workspace_id: workspaceId, notice: notice.id, cause, reason });
}

/** The mail was certainly not sent: the message is repeated. */
async function giveBack(
  workspaceId: WorkspaceId,
  { id }: Notice,
  to: string,
  reason: string,
): Promise<never> {
  await releaseNotice(workspaceId, id, to);
  throw new Error(`a notice was not sent: ${reason}`);
}
