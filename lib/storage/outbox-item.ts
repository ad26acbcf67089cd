/** Writes of outbox items: the messages of a change, stored with it. How they are stored is private to lib/storage. */
import { newId } from '../adapters/ids.ts';
import type { WorkspaceId } from '../core/ids.ts';
import type { OutboxMessage } from '../core/queue-messages.ts';
import { outboxKey } from './keys.ts';
import type { Item } from './table.ts';

/** The write that stores `messages`; none where there are none. `outbox.ts` reads them. */
export function outboxWrites(
  workspaceId: WorkspaceId,
  messages: readonly OutboxMessage[],
): { readonly as: 'outbox'; readonly put: Item }[] {
  if (messages.length === 0) return [];
  // A time-ordered id of no resource: only the form of an event id is used.
  const id = newId('evt').slice('evt_'.length);
  return [{ as: 'outbox', put: { ...outboxKey(workspaceId, id), messages } }];
}
