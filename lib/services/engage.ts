/** Opens and clicks: recorded as they come, by a request of our own links or by report, and told to endpoints. */
import type { HistoryEntry } from '../domain/email.ts';
import { type Engagement, type Hit, isMachine } from '../domain/engagement.ts';
import type { EmailId, WorkspaceId } from '../domain/ids.ts';
import { claimedWorkspace, type Link, type LinkKind, openLink } from '../domain/links.ts';
import { findProgress, type Progress } from '../storage/emails.ts';
import { addHit, addReportedHit, takeHitNumber } from '../storage/engagements.ts';
import { owe } from '../storage/outbox.ts';
import { ifUnchanged } from '../storage/table.ts';
import { findLinkSecret } from '../storage/workspaces.ts';
import { newEvent } from './event.ts';

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
export async function recordHit(
  { workspaceId, emailId }: { readonly workspaceId: WorkspaceId; readonly emailId: EmailId },
  hit: Hit,
  source: string | null = null,
): Promise<void> {
  const progress = await findProgress(workspaceId, emailId);
  const number = progress && (await takeHitNumber(workspaceId, emailId));
  if (!progress || number === null) return;
  const { type, at, url, userAgent } = hit;
  const engagement: Engagement = {
    type,
    at,
    url,
    userAgent: userAgent?.slice(0, userAgentCharactersMax) ?? null,
    bot: isMachine(hit, deliveriesOf(progress)),
  };
  await ifUnchanged([
    addHit(workspaceId, emailId, number, engagement),
    ...(source === null ? [] : [addReportedHit(workspaceId, emailId, number, source)]),
    ...owe(workspaceId, [{ message: newEvent(workspaceId, eventOf[type], at, { emailId, hit: number }) }]),
  ]);
}

const eventOf = { open: 'email.opened', click: 'email.clicked' } as const;

/** When the message was delivered, by report, else when its chunks went out: not every way out reports deliveries. */
function deliveriesOf({ history }: Progress): number[] {
  const timesOf = (type: HistoryEntry['type']) =>
    history.filter((entry) => entry.type === type).map(({ at }) => at);
  const delivered = timesOf('delivered');
  return delivered.length > 0 ? delivered : timesOf('sent');
}
