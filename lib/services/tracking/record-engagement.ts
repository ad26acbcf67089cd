/** Opens and clicks: recorded with their webhook events (docs/concepts/tracking.md). */
import type { EmailProgress, HistoryEntry } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { type Engagement, type EngagementSignal, isBot } from '../../core/tracking/engagement.ts';
import { findProgress } from '../../storage/emails/emails.ts';
import {
  addEngagement,
  addReportedEngagement,
  takeEngagementNumber,
} from '../../storage/emails/engagements.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { newEvent } from '../events/new-event.ts';

const userAgentCharactersMax = 512;

const eventOf = { open: 'email.opened', click: 'email.clicked' } as const;

/**
 * Records an open or click with its webhook event. Does nothing for a deleted email, or one at `engagementsMax`.
 *
 * @param source identifies the provider's report: the same report again changes nothing. null for a request to our own
 *   link, each of which counts.
 */
export async function recordEngagement(
  { workspaceId, emailId }: { readonly workspaceId: WorkspaceId; readonly emailId: EmailId },
  signal: EngagementSignal,
  source: string | null = null,
): Promise<void> {
  const progress = await findProgress(workspaceId, emailId);
  const number = progress && (await takeEngagementNumber(workspaceId, emailId));
  if (!progress || number === null) return;
  const { type, at, url, userAgent } = signal;
  const engagement: Engagement = {
    type,
    at,
    url,
    userAgent: userAgent?.slice(0, userAgentCharactersMax) ?? null,
    bot: isBot(signal, deliveryTimes(progress)),
  };
  await commitIfUnchanged(
    workspaceId,
    [
      addEngagement(workspaceId, emailId, number, engagement),
      ...(source === null ? [] : [addReportedEngagement(workspaceId, emailId, number, source)]),
    ],
    [{ message: newEvent(workspaceId, eventOf[type], at, { emailId, engagement: number }) }],
  );
}

/** Times of delivery, or of submission where no delivery is reported. */
function deliveryTimes({ history }: EmailProgress): number[] {
  const timesOf = (type: HistoryEntry['type']) =>
    history.filter((entry) => entry.type === type).map(({ at }) => at);
  const delivered = timesOf('delivered');
  return delivered.length > 0 ? delivered : timesOf('sent');
}
