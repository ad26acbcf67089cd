/** Opens and clicks of an email, numbered as they came. */
import type { Engagement } from '../domain/engagement.ts';
import type { EmailId, WorkspaceId } from '../domain/ids.ts';
import type { FullEmail } from './emails.ts';
import { engagements, hitCountKey, hitKey, hitPrefix } from './keys.ts';
import { get, type Item, queryAll, update, type Write } from './table.ts';

/** Whoever has a message can fetch its pixel for ever: past this many hits, an email tells no more. */
export const hitsMax = 1000;

/** The number of the next hit of an email; null where it has had all that are counted. */
export async function takeHitNumber(workspaceId: WorkspaceId, id: EmailId): Promise<number | null> {
  try {
    const item = await update(hitCountKey(workspaceId, id), {
      UpdateExpression: 'SET hits = if_not_exists(hits, :zero) + :one',
      ConditionExpression: 'attribute_not_exists(pk) OR hits < :max',
      ExpressionAttributeValues: { ':zero': 0, ':one': 1, ':max': hitsMax },
    });
    return (item?.hits as number | undefined) ?? null;
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return null;
    throw error;
  }
}

/** The write, named `hit`, that records a hit under the number it took. */
export function addHit(workspaceId: WorkspaceId, id: EmailId, number: number, hit: Engagement): Write {
  return { as: 'hit', put: { ...hitKey(workspaceId, id, number), ...hit } };
}

/** A hit by its number, or null. */
export async function findHit(
  workspaceId: WorkspaceId,
  id: EmailId,
  number: number,
): Promise<Engagement | null> {
  const item = await get(hitKey(workspaceId, id, number));
  return item ? engagement(item) : null;
}

/** All hits of an email, oldest first. Mail that is not tracked has none, and costs no read. */
export async function listEngagements(
  workspaceId: WorkspaceId,
  { head, content: { links } }: Pick<FullEmail, 'head' | 'content'>,
): Promise<Engagement[]> {
  if (!links?.opens && !links?.clicks) return [];
  const items = await queryAll(engagements(workspaceId, head.id), hitPrefix);
  return items.map(engagement);
}

function engagement(item: Item): Engagement {
  return {
    type: item.type as Engagement['type'],
    at: item.at as number,
    url: (item.url as string | null | undefined) ?? null,
    userAgent: (item.userAgent as string | null | undefined) ?? null,
    bot: item.bot as boolean,
  };
}
