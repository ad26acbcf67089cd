/**
 * A copy of a table in another region at the loss of its home region: items are replicated one by one, transactions are not ("Transactions" in "How
 * DynamoDB global tables work").
 */

import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Random } from '../random.ts';
import type { TableCopy } from '../restore/table-copy.ts';

export interface TornCopy {
  readonly copy: TableCopy;
  /** Items whose last change is not in the copy. */
  readonly missing: number;
  /** Items whose change within the lag is. */
  readonly replicated: number;
}

/**
 * @param before as the table was when the lag began: every change up to then is replicated
 * @param after as it was at the loss; the seed chooses which items have come so far
 */
export function tornCopy(before: TableCopy, after: TableCopy, random: Random): TornCopy {
  const [then, now] = [byKey(before), byKey(after)];
  const copy: Record<string, AttributeValue>[] = [];
  const counts = { missing: 0, replicated: 0 };
  for (const key of [...new Set([...then.keys(), ...now.keys()])].toSorted()) {
    const [old, recent] = [then.get(key), now.get(key)];
    const isChanged = !isDeepStrictEqual(old, recent);
    const isReplicated = isChanged && random.below(2) === 0;
    if (isChanged) counts[isReplicated ? 'replicated' : 'missing'] += 1;
    const item = isReplicated || !isChanged ? recent : old;
    if (item) copy.push(item);
  }
  return { copy, ...counts };
}

export const byKey = (copy: TableCopy) =>
  new Map(copy.map((item) => [JSON.stringify([item.pk?.S, item.sk?.S]), item] as const));
