/** Opens and clicks of an email, numbered in the order of recording. */

import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { Engagement } from '../../core/tracking/engagement.ts';
import { codec, flag, nullable, number, oneOf, text } from '../table/codec.ts';
import { expressionsOf, withCondition } from '../table/expressions.ts';
import {
  engagementCountKey,
  engagementKey,
  engagements,
  engagementsEnd,
  reportedEngagementKey,
} from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { type Item, queryAll, updateIf } from '../table/table.ts';
import { absent, createdOnceOf, type Write } from '../table/transactions.ts';

/** Whoever holds a message can fetch its pixel for ever: above this number an email records no more. */
export const engagementsMax = 1000;

const engagementCodec = codec<Engagement>('engagement', {
  type: oneOf(['open', 'click']),
  at: number,
  url: nullable(text),
  userAgent: nullable(text),
  bot: flag,
});

export const engagementCountCodec = codec<{ readonly engagements: number }>('engagement count', {
  engagements: number,
});

/** The number of the next open or click of an email; null at `engagementsMax`. */
export async function takeEngagementNumber(workspaceId: WorkspaceId, id: EmailId): Promise<number | null> {
  const item = await updateIf(
    engagementCountKey(workspaceId, id),
    withCondition(expressionsOf({ increment: { engagements: 1 } }), {
      ConditionExpression: 'attribute_not_exists(pk) OR #engagements < :max',
      ExpressionAttributeValues: { ':max': engagementsMax },
    }),
  );
  return item && engagementCountCodec.decode(item).engagements;
}

/** The write, named `engagement`, that records an open or click under the number taken for it. */
export function addEngagement(
  workspaceId: WorkspaceId,
  id: EmailId,
  number: number,
  engagement: Engagement,
): Write {
  return {
    as: 'engagement',
    put: { ...engagementKey(workspaceId, id, number), ...engagementCodec.encode(engagement) },
    ...createdOnceOf(id),
  };
}

/**
 * The write, named `reported engagement`, beside one that the provider reported. Its condition fails where the same
 * report is recorded; the number taken for the repetition is then unused.
 *
 * @param source distinguishes the report from every other
 */
export function addReportedEngagement(
  workspaceId: WorkspaceId,
  id: EmailId,
  engagement: number,
  source: string,
): Write {
  return {
    as: 'reported engagement',
    put: { ...reportedEngagementKey(workspaceId, id, source), engagement },
    ...absent,
  };
}

/** The items of opens and clicks beside the other parts of an email: where there are any, their number is among these. */
export async function engagementsBeside(
  workspaceId: WorkspaceId,
  id: EmailId,
  parts: readonly Item[],
): Promise<Item[]> {
  const { sk } = engagementCountKey(workspaceId, id);
  return parts.some((part) => part.sk === sk) ? await queryAll(engagements(workspaceId, id)) : [];
}

/** An open or click by its number, or null. */
export async function findEngagement(
  workspaceId: WorkspaceId,
  id: EmailId,
  number: number,
): Promise<Engagement | null> {
  const item = await get(engagementKey(workspaceId, id, number));
  return item && engagementCodec.decode(item);
}

/** A page of the opens and clicks of an email, in the order of recording, the newest first. */
export async function listEngagements(
  workspaceId: WorkspaceId,
  id: EmailId,
  { limit, after }: Paging,
): Promise<Page<Engagement>> {
  const page = await listPage({
    pk: engagements(workspaceId, id),
    order: 'newest first',
    limit,
    after: after ?? engagementsEnd,
  });
  return { items: page.items.map(engagementCodec.decode), next: page.next };
}
