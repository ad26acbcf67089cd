/** Suppressions as a send looks them up: by address, key and space. Apart from `suppressions.ts`, which manages them. */
import { now } from '../../adapters/clock.ts';
import { suppressionScopes } from '../../core/emails/email.ts';
import type { SuppressionId, WorkspaceId } from '../../core/ids.ts';
import {
  type Blocking,
  blocks,
  listsToCheck,
  type Suppression,
  type SuppressionTerms,
  suppressionReasons,
} from '../../core/suppressions/suppression.ts';
import { addressKey } from '../../mail/addresses/addresses.ts';
import { codec, id, nullable, number, oneOf, text } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { getMany } from '../table/reads.ts';
import { updateIf } from '../table/table.ts';

/** For stores only. */
export const suppressionCodec = codec<Suppression>('suppression', {
  id: id('sup'),
  address: text,
  key: text,
  spaceId: nullable(id('spc')),
  scope: oneOf(suppressionScopes),
  reason: oneOf(suppressionReasons),
  note: nullable(text),
  blocks: number,
  lastBlockedAt: nullable(number),
  sourceEmailId: nullable(id('eml')),
  createdAt: number,
});

/** The suppressions that block recipients of a send. One batch read. */
export async function findBlocked(
  workspaceId: WorkspaceId,
  terms: SuppressionTerms,
  addresses: readonly string[],
): Promise<Blocking[]> {
  const lists = listsToCheck(terms);
  const lookups = addresses.flatMap((address) => {
    const comparable = addressKey(address);
    return lists.map(({ spaceId, key }) => ({
      address,
      key: keys.suppressionKey(workspaceId, keys.suppressionTail(spaceId, key, comparable)),
    }));
  });
  const items = await getMany(lookups.map(({ key }) => key));
  return lookups.flatMap(({ address }, index) => {
    const item = items[index];
    const suppression = item ? suppressionCodec.decode(item) : null;
    if (!suppression || !blocks(suppression.scope, terms)) return [];
    return [{ id: suppression.id, key: suppression.key, address }];
  });
}

/** An entry that was deleted and created again has the same key and another id. For stores only. */
export const hasId = (id: SuppressionId) => ({ equal: { id } });

/** Counts a blocked send on its suppressions. A statistic: a suppression deleted meanwhile is skipped. */
export async function countBlocks(workspaceId: WorkspaceId, blocking: readonly Blocking[]): Promise<void> {
  const change = { increment: { blocks: 1 }, set: { lastBlockedAt: now() } };
  await Promise.all(
    blocking.map(({ id }) =>
      updateIf(keys.suppressionKeyOfId(workspaceId, id), expressionsOf(change, hasId(id))),
    ),
  );
}
