/** Opens and clicks of an email, numbered as they came. */
import type { Engagement } from '../domain/engagement.ts';
import type { EmailId, WorkspaceId } from '../domain/ids.ts';
import type { FullEmail } from './emails.ts';
import { engagements, hitCountKey, hitKey, hitPrefix, reportedHitKey } from './keys.ts';
import { absent, get, type Item, queryAll, updateIf, type Write } from './table.ts';

/** Whoever has a message can fetch its pixel for ever: past this many hits, an email tells no more. */
export const hitsMax = 1000;

/** The number of the next hit of an email; null where it has had all that are counted. */
export async function takeHitNumber(workspaceId: WorkspaceId, id: EmailId): Promise<number | null> {
  const item = await updateIf(hitCountKey(workspaceId, id), {
    UpdateExpression: 'SET hits = if_not_exists(hits, :zero) + :one',
    ConditionExpression: 'attribute_not_exists(pk) OR hits < :max',
    ExpressionAttributeValues: { ':zero': 0, ':one': 1, ':max': hitsMax },
  });
  return (item?.hits as number | undefined) ?? null;
}

/** The write, named `hit`, that records a hit under the number it took. */
export function addHit(workspaceId: WorkspaceId, id: EmailId, number: number, hit: Engagement): Write {
  return { as: 'hit', put: { ...hitKey(workspaceId, id, number), ...hit } };
}

/**
 * The write, named `reported hit`, that goes with one that the provider reported: it fails where the same report has
 * been recorded. The number that was taken for the repetition then stands for nothing.
 *
 * @param source tells this report from every other
 */
export function addReportedHit(workspaceId: WorkspaceId, id: EmailId, number: number, source: string): Write {
  return {
    as: 'reported hit',
    put: { ...reportedHitKey(workspaceId, id, source), hit: number },
    ...absent,
  };
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

/** All hits of an email, oldest first: a report may come later than what it tells of. Mail without any costs no read. */
export async function listEngagements(
  workspaceId: WorkspaceId,
  { head, hits }: Pick<FullEmail, 'head' | 'hits'>,
): Promise<Engagement[]> {
  if (hits === 0) return [];
  const items = await queryAll(engagements(workspaceId, head.id), hitPrefix);
  return items.map(engagement).sort((one, other) => one.at - other.at);
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
