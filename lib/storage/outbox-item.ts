/**
 * How the messages of a change are stored with it (docs/decisions/0053-outbox-without-items.md), private to lib/storage: as a
 * string in an item that the change creates and nothing replaces, or else in an item of their own. `outbox.ts` reads them.
 *
 * An item that is put ahead holds them until the change creates the item that releases them, which names it
 * (docs/decisions/0057-a-thread-commits-its-first-email.md).
 */
import * as z from 'zod';
import { now } from '../adapters/clock.ts';
import { newId } from '../adapters/ids.ts';
import type { WorkspaceId } from '../core/ids.ts';
import { outboxDays } from '../core/limits.ts';
import { type OutboxMessage, outboxMessageSchema } from '../core/queue-messages.ts';
import { heldOutboxAttribute, type Key, outboxAttribute, outboxKey } from './keys.ts';
import type { Item } from './table.ts';

const keySchema = z.strictObject({ pk: z.string(), sk: z.string() });
const committed = { id: z.string(), messages: z.array(outboxMessageSchema) };

/** The messages of one change. The id identifies the change across repetitions. */
export const committedSchema = z.strictObject(committed);
/** Messages in an item that is put ahead: they count once the item `releasedBy` exists. */
export const heldSchema = z.strictObject({ ...committed, releasedBy: keySchema });
/** In the item that releases messages: the item that holds them. */
export const releaseSchema = z.strictObject({ heldBy: keySchema });

interface PutOf {
  readonly put: Item;
}
interface Carrier extends PutOf {
  /** The item is created, and nothing replaces it. */
  readonly carriesMessages: true;
  readonly isAhead?: true;
}
interface Releaser extends PutOf {
  /** The item is created by the change, and by nothing else. */
  readonly releasesMessages: true;
}

/** The writes, with the messages that are committed with them. */
export function withMessages<W extends object>(
  workspaceId: WorkspaceId,
  writes: readonly W[],
  messages: readonly OutboxMessage[],
): (W | { readonly as: string; readonly put: Item })[] {
  if (messages.length === 0) return [...writes];
  // A time-ordered id of no resource: only the form of an event id is used.
  const id = newId('evt').slice('evt_'.length);
  const holder = writes.find((write) => isCarrier(write) && write.isAhead);
  const releaser = writes.find(isReleaser);
  if (holder && isCarrier(holder) && releaser) {
    const held = { id, messages, releasedBy: keyOf(releaser.put) };
    return withAttributes(writes, [
      [holder, { [heldOutboxAttribute]: JSON.stringify(held) }],
      [releaser, { [outboxAttribute]: JSON.stringify({ heldBy: keyOf(holder.put) }) }],
    ]);
  }
  const stored = { [outboxAttribute]: JSON.stringify({ id, messages }) };
  const carrier = writes.find((write) => isCarrier(write) && !write.isAhead);
  if (carrier && isCarrier(carrier)) return withAttributes(writes, [[carrier, stored]]);
  // TTL deletes it, which costs no write unit.
  const expiresAt = Math.ceil(now() / 1000) + outboxDays * 86_400;
  return [...writes, { as: 'outbox', put: { ...outboxKey(workspaceId, id), ...stored, expiresAt } }];
}

function withAttributes<W extends object>(
  writes: readonly W[],
  added: readonly (readonly [W & PutOf, object])[],
): W[] {
  return writes.map((write) => {
    const found = added.find(([of]) => of === write);
    return found ? { ...write, put: { ...found[0].put, ...found[1] } } : write;
  });
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

function isCarrier<W extends object>(write: W): write is W & Carrier {
  return 'carriesMessages' in write && write.carriesMessages === true;
}

function isReleaser<W extends object>(write: W): write is W & Releaser {
  return 'releasesMessages' in write && write.releasesMessages === true;
}
