/**
 * How the messages of a change are stored with it (docs/decisions/0053-outbox-without-items.md), private to lib/storage: as a
 * string in an item that the change creates and nothing replaces, or else in an item of their own. `outbox.ts` reads them.
 */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { outboxDays } from '../../core/limits.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { outboxAttribute, outboxKey } from './keys.ts';
import type { Item } from './table.ts';

interface Carrier {
  readonly put: Item;
  /** The item is created, and nothing replaces it. */
  readonly carriesMessages: true;
}

/** The writes, with the messages that are committed with them. */
export function withMessages<W extends object>(
  workspaceId: WorkspaceId,
  writes: readonly W[],
  messages: readonly OutboxMessage[],
): (W | { readonly as: string; readonly put: Item })[] {
  if (messages.length === 0) return [...writes];
  const id = newOutboxId();
  const stored = asStored(id, messages);
  const carrier = writes.find(isCarrier);
  if (carrier) {
    const carrying = { ...carrier, put: { ...carrier.put, ...stored } };
    return writes.map((write) => (write === carrier ? carrying : write));
  }
  // TTL deletes it, which costs no write unit.
  const expiresAt = Math.ceil(now() / 1000) + outboxDays * 86_400;
  return [...writes, { as: 'outbox', put: { ...outboxKey(workspaceId, id), ...stored, expiresAt } }];
}

// A time-ordered id of no resource: only the form of an event id is used.
export const newOutboxId = (): string => newId('evt').slice('evt_'.length);

/** The attribute that carries the messages of a change. */
export const asStored = (id: string, messages: readonly OutboxMessage[]) => ({
  [outboxAttribute]: JSON.stringify({ id, messages }),
});

function isCarrier<W extends object>(write: W): write is W & Carrier {
  return 'carriesMessages' in write && write.carriesMessages === true;
}
