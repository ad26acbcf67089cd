/** The outbox: work owed by a change, written in the transaction of that change. */
import { newId } from '../adapters/ids.ts';
import type { WorkspaceId } from '../domain/ids.ts';
import type { Owed } from '../domain/messages.ts';
import { outboxKey } from './keys.ts';
import { type Item, remove, type Write } from './table.ts';

/**
 * The write that owes `owed`; empty where nothing is owed, so that it can be spread into a transaction.
 * The relay sends the messages and then deletes the item: what is still there is still owed.
 */
export function owe(workspace: WorkspaceId, owed: readonly Owed[]): Write[] {
  if (owed.length === 0) return [];
  // A time-ordered id of no resource: `evt` only lends its form.
  const id = newId('evt').slice(4);
  return [{ as: 'outbox', put: { ...outboxKey(workspace, id), owed } }];
}

export interface OutboxItem {
  readonly key: { readonly pk: string; readonly sk: string };
  readonly id: string;
  readonly owed: readonly Owed[];
}

/** An outbox item as the stream brings it. */
export function outboxItem(item: Item): OutboxItem {
  return {
    key: { pk: item.pk, sk: item.sk },
    id: item.sk.slice(4),
    owed: item.owed as Owed[],
  };
}

/** Deletes an outbox item whose messages are on their way. */
export async function forgetOwed(key: OutboxItem['key']): Promise<void> {
  await remove(key);
}
