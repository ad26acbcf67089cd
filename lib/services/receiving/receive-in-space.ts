/** What a message that arrives in a space goes through: mail loops, the policy of the workspace, storing, reports, opting out. */

import { now } from '../../adapters/clock.ts';
import { idTime } from '../../core/ids.ts';
import { inboundActionOf } from '../../core/receiving/inbound-policy.ts';
import type { Header } from '../../mail/message/headers.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import type { ArrivalLookup } from '../../storage/emails/arrivals.ts';
import { isRawOf } from '../../storage/receiving/raw-messages.ts';
import { optOutByMail } from '../suppressions/opt-out.ts';
import { applyRules } from './apply-rules.ts';
import type { Arrival } from './arrival.ts';
import { isReturnedOwnMail } from './find-sent.ts';
import { storeInSpace } from './store-in-space.ts';
import type { Target } from './target.ts';

/**
 * Receives a message in a space, whatever brought it. Idempotent.
 *
 * @param seen what was stored about the message when it arrived
 * @returns whether its object of the raw message belongs to a record of the space now
 */
export async function receiveInSpace(
  arrival: Arrival,
  target: Target,
  seen: ArrivalLookup,
): Promise<boolean> {
  const { origin, message } = arrival;
  const { workspaceId } = target;
  if (await isReturnedOwnMail(workspaceId, seen.emailOfId, message, target.recipients)) {
    count('InboundDroppedOwnMail', workspaceId);
    logEvent('inbound.dropped.own_mail', { ses_id: origin.id, workspace_id: workspaceId });
    return false;
  }
  const { action, verdict } = inboundActionOf(seen.inboundPolicy, origin.verdicts);
  if (action === 'drop') {
    count('InboundDroppedPolicy', workspaceId);
    logEvent('inbound.dropped.policy', {
      ses_id: origin.id,
      workspace_id: workspaceId,
      verdict: verdict ?? '',
    });
    return false;
  }
  const { recipients, isShared, keepsRaw } = await applyRules(arrival, target, seen);
  const stored =
    recipients.length === 0
      ? null
      : await storeInSpace(
          { ...arrival, origin: { ...origin, isShared } },
          { ...target, recipients },
          seen,
          action === 'mark',
        );
  const at = stored ? idTime(stored.id) : now();
  // What a blocked message says about our own mail counts still: that it bounced, or that nobody wants more of it.
  // After the commit, and also when the message is received again: a crash in between must not lose the report.
  const { returnPath, verdicts } = origin;
  if (mayBeReport(arrival)) {
    const { recordMailReport } = await import('./record-mail-report.ts');
    await recordMailReport(target, { returnPath, verdicts, message, sesId: origin.id, at });
  }
  const written = arrival.content.strippedText;
  await optOutByMail(target, { returnPath, verdicts, message, written });
  if (!stored || !origin.raw || keepsRaw) return keepsRaw;
  return stored.isNew ? !isShared : await isRawOf(workspaceId, stored.id, origin.raw);
}

/** Only a null return path makes a report count; of others, those are looked at that say to be one (RFC 6522). */
function mayBeReport({ origin, message: { headers } }: Arrival): boolean {
  const isOfReport = ({ name, value }: Header) =>
    name.toLowerCase() === 'content-type' && /^\s*multipart\/report/i.test(value);
  return origin.returnPath === '' || headers.some(isOfReport);
}
