/** Opens and clicks of tracked mail: recorded as they come, and told to endpoints. */
import { type Engagement, type Hit, isMachine } from '../domain/engagement.ts';
import { claimedWorkspace, type Link, type LinkKind, openLink } from '../domain/links.ts';
import { findProgress, type Progress } from '../storage/emails.ts';
import { addHit, takeHitNumber } from '../storage/engagements.ts';
import { owe } from '../storage/outbox.ts';
import { transact } from '../storage/table.ts';
import { findLinkSecret } from '../storage/workspaces.ts';
import { newEvent } from './event.ts';

/** What a token stands for; null where we did not sign it. */
export async function readLink(kind: LinkKind, token: string): Promise<Link | null> {
  const workspaceId = claimedWorkspace(token);
  const secret = workspaceId && (await findLinkSecret(workspaceId));
  return secret ? openLink(kind, token, secret) : null;
}

const userAgentCharactersMax = 512;

/** Records a hit with the event it is to endpoints. An email that is gone, or has had its fill of hits, is passed over. */
export async function recordHit({ kind, workspaceId, emailId, target }: Link, hit: Hit): Promise<void> {
  const progress = await findProgress(workspaceId, emailId);
  const number = progress && (await takeHitNumber(workspaceId, emailId));
  if (!progress || number === null) return;
  const engagement: Engagement = {
    type: kind === 'click' ? 'click' : 'open',
    at: hit.at,
    url: target,
    userAgent: hit.userAgent?.slice(0, userAgentCharactersMax) ?? null,
    bot: isMachine(hit, deliveriesOf(progress)),
  };
  await transact([
    addHit(workspaceId, emailId, number, engagement),
    ...owe(workspaceId, [
      {
        message: newEvent(
          workspaceId,
          engagement.type === 'click' ? 'email.clicked' : 'email.opened',
          hit.at,
          { emailId, hit: number },
        ),
      },
    ]),
  ]);
}

/** When the message was delivered, by report, else when it went out: not every way out reports deliveries. */
function deliveriesOf({ head, history }: Progress): number[] {
  const reported = history.filter(({ type }) => type === 'delivered').map(({ at }) => at);
  return reported.length > 0 || head.sentAt === null ? reported : [head.sentAt];
}
