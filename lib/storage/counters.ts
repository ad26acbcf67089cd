/** Counters of resources of which a workspace has a limited number. A counter changes in the transaction of the resource. */
import type { WorkspaceId } from '../core/ids.ts';
import { codec, number } from './codec.ts';
import { counterKey } from './keys.ts';
import { get } from './table.ts';
import type { Write } from './transactions.ts';

export type CountedKind = 'endpoints' | 'api-keys';

const counterCodec = codec<{ readonly count: number }>('counter', { count: number });

/**
 * The number of resources of a kind. Those of release 0.1.0 have no counter: `recount` counts them.
 *
 * @param recount counts the stored resources, consistently
 */
export async function countOf(
  workspaceId: WorkspaceId,
  kind: CountedKind,
  recount: () => Promise<number>,
): Promise<number> {
  const item = await get(counterKey(workspaceId, kind));
  return item ? counterCodec.decode(item).count : await recount();
}

/**
 * The write that counts a new resource, named `counter`; its condition fails at `max`.
 *
 * @param before the result of `countOf`, from which a counter begins that does not exist yet: every change creates it, so that
 *   this number is the true one until then
 */
export function countCreated(
  workspaceId: WorkspaceId,
  kind: CountedKind,
  before: number,
  max: number,
): Write {
  return {
    ...countChanged(workspaceId, kind, before, 1, { ':max': max }),
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
  };
}

/** The write that counts a deleted resource. @param before as for `countCreated` */
export function countDeleted(workspaceId: WorkspaceId, kind: CountedKind, before: number): Write {
  return countChanged(workspaceId, kind, before, -1);
}

function countChanged(
  workspaceId: WorkspaceId,
  kind: CountedKind,
  before: number,
  by: number,
  values: Readonly<Record<string, number>> = {},
) {
  return {
    as: 'counter',
    update: counterKey(workspaceId, kind),
    UpdateExpression: 'SET #count = if_not_exists(#count, :before) + :by',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':before': before, ':by': by, ...values },
  };
}
