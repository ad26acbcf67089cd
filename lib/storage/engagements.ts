/** Opens and clicks of an email, numbered as they came. */
import type { Engagement } from '../core/engagement.ts';
import type { EmailId, WorkspaceId } from '../core/ids.ts';
import type { FullEmail } from './emails.ts';
import {
  engagementCountKey,
  engagementKey,
  engagementPrefix,
  engagements,
  reportedEngagementKey,
} from './keys.ts';
import { absent, get, type Item, queryAll, updateIf, type Write } from './table.ts';

/** Whoever has a message can fetch its pixel for ever: past this many hits, an email tells no more. */
export const engagementsMax = 1000;

/** The number of the next hit of an email; null where it has had all that are counted. */
export async function takeEngagementNumber(workspaceId: WorkspaceId, id: EmailId): Promise<number | null> {
  const item = await updateIf(engagementCountKey(workspaceId, id), {
    UpdateExpression: 'SET engagements = if_not_exists(engagements, :zero) + :one',
    ConditionExpression: 'attribute_not_exists(pk) OR engagements < :max',
    ExpressionAttributeValues: { ':zero': 0, ':one': 1, ':max': engagementsMax },
  });
  return (item?.engagements as number | undefined) ?? null;
}

/** The write, named `hit`, that records a hit under the number it took. */
export function addEngagement(workspaceId: WorkspaceId, id: EmailId, number: number, hit: Engagement): Write {
  return { as: 'hit', put: { ...engagementKey(workspaceId, id, number), ...hit } };
}

/**
 * The write, named `reported hit`, that goes with one that the provider reported: it fails where the same report has
 * been recorded. The number that was taken for the repetition then stands for nothing.
 *
 * @param source tells this report from every other
 */
export function addReportedEngagement(
  workspaceId: WorkspaceId,
  id: EmailId,
  number: number,
  source: string,
): Write {
  return {
    as: 'reported hit',
    put: { ...reportedEngagementKey(workspaceId, id, source), engagement: number },
    ...absent,
  };
}

/** A hit by its number, or null. */
export async function findEngagement(
  workspaceId: WorkspaceId,
  id: EmailId,
  number: number,
): Promise<Engagement | null> {
  const item = await get(engagementKey(workspaceId, id, number));
  return item ? engagement(item) : null;
}

/** All hits of an email, oldest first: a report may come later than what it tells of. Mail without any costs no read. */
export async function listEngagements(
  workspaceId: WorkspaceId,
  { head, engagementCount }: Pick<FullEmail, 'head' | 'engagementCount'>,
): Promise<Engagement[]> {
  if (engagementCount === 0) return [];
  const items = await queryAll(engagements(workspaceId, head.id), engagementPrefix);
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
