/** The outbox: work owed by a change, written in the transaction of that change. */
import { newId } from '../adapters/ids.ts';
import type { WorkspaceId } from '../core/ids.ts';
import type { OutboxMessage } from '../core/queue-messages.ts';
import { outboxKey } from './keys.ts';
import { type Item, remove, type Write } from './table.ts';

/**
 * The write that owes `owed`; empty where nothing is owed, so that it can be spread into a transaction.
 * The relay sends the messages and then deletes the item: what is still there is still owed.
 */
export function enqueue(workspace: WorkspaceId, messages: readonly OutboxMessage[]): Write[] {
  if (messages.length === 0) return [];
  // A time-ordered id of no resource: `evt` only lends its form.
  const id = newId('evt').slice(4);
  return [{ as: 'outbox', put: { ...outboxKey(workspace, id), messages } }];
}

export interface OutboxItem {
  readonly key: { readonly pk: string; readonly sk: string };
  readonly id: string;
  readonly messages: readonly OutboxMessage[];
}

/** An outbox item as the stream brings it. */
export function outboxItem(item: Item): OutboxItem {
  return {
    key: { pk: item.pk, sk: item.sk },
    id: item.sk.slice(4),
    messages: item.messages as OutboxMessage[],
  };
}

/** Deletes an outbox item whose messages are on their way. */
export async function deleteOutboxItem(key: OutboxItem['key']): Promise<void> {
  await remove(key);
}
