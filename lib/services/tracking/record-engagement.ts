/** Opens and clicks: recorded as they come, by a request of our own links or by report, and told to endpoints. */
import type { HistoryEntry } from '../../core/email.ts';
import { type Engagement, type EngagementSignal, isBot } from '../../core/engagement.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { claimedWorkspace, type Link, type LinkKind, openLink } from '../../core/links.ts';
import { type EmailProgress, findProgress } from '../../storage/emails.ts';
import { addEngagement, addReportedEngagement, takeEngagementNumber } from '../../storage/engagements.ts';
import { enqueue } from '../../storage/outbox.ts';
import { ifUnchanged } from '../../storage/table.ts';
import { findLinkSecret } from '../../storage/workspaces.ts';
import { newEvent } from '../webhooks/new-event.ts';

/** What a token stands for; null where we did not sign it. */
export async function readLink(kind: LinkKind, token: string): Promise<Link | null> {
  const workspaceId = claimedWorkspace(token);
  const secret = workspaceId && (await findLinkSecret(workspaceId));
  return secret ? openLink(kind, token, secret) : null;
}

const userAgentCharactersMax = 512;

/**
 * Records a hit with the event it is to endpoints. An email that is gone, or has had its fill of hits, is passed over.
 *
 * @param source tells the report that the hit is known by from every other, and the same one again changes nothing;
 * null for a request of ours, each of which is a hit
 */
export async function recordEngagement(
  { workspaceId, emailId }: { readonly workspaceId: WorkspaceId; readonly emailId: EmailId },
  hit: EngagementSignal,
  source: string | null = null,
): Promise<void> {
  const progress = await findProgress(workspaceId, emailId);
  const number = progress && (await takeEngagementNumber(workspaceId, emailId));
  if (!progress || number === null) return;
  const { type, at, url, userAgent } = hit;
  const engagement: Engagement = {
    type,
    at,
    url,
    userAgent: userAgent?.slice(0, userAgentCharactersMax) ?? null,
    bot: isBot(hit, deliveriesOf(progress)),
  };
  await ifUnchanged([
    addEngagement(workspaceId, emailId, number, engagement),
    ...(source === null ? [] : [addReportedEngagement(workspaceId, emailId, number, source)]),
    ...enqueue(workspaceId, [
      { message: newEvent(workspaceId, eventOf[type], at, { emailId, hit: number }) },
    ]),
  ]);
}

const eventOf = { open: 'email.opened', click: 'email.clicked' } as const;

/** When the message was delivered, by report, else when its chunks went out: not every way out reports deliveries. */
function deliveriesOf({ history }: EmailProgress): number[] {
  const timesOf = (type: HistoryEntry['type']) =>
    history.filter((entry) => entry.type === type).map(({ at }) => at);
  const delivered = timesOf('delivered');
  return delivered.length > 0 ? delivered : timesOf('sent');
}
