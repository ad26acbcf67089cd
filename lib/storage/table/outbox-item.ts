/**
 * How the messages of a change are stored with it (docs/decisions/0053-outbox-without-items.md), private to lib/storage: as a
 * string in an item that the change creates and nothing replaces, or else in an item of their own. Those of an email's events
 * are stored with the email (docs/decisions/0093-events-of-an-email.md). `outbox.ts` reads them.
 */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { outboxDays } from '../../core/limits.ts';
import type { OutboxMessage, QueueMessage } from '../../core/queue-messages.ts';
import { outboxAttribute, outboxKey, outboxOfEmailKey } from './keys.ts';
import type { Item } from './table.ts';

interface Carrier {
  readonly put: Item;
  /** The item is created, and nothing replaces it. */
  readonly carriesMessages: true;
  /** The email that it belongs to. */
  readonly emailId?: EmailId;
}

/** The writes, with the messages that are committed with them. */
export function withMessages<W extends object>(
  workspaceId: WorkspaceId,
  writes: readonly W[],
  messages: readonly OutboxMessage[],
): (W | { readonly as: string; readonly put: Item })[] {
  const carriers = writes.filter(isCarrier);
  const placeOf = ({ message }: OutboxMessage): (W & Carrier) | EmailId | null => {
    const email = emailOfEvent(message);
    return (email ? carriers.find(({ emailId }) => emailId === email) : carriers[0]) ?? email;
  };
  const places = Map.groupBy(messages, placeOf);
  const carrying = writes.map((write) => {
    const carried = isCarrier(write) && places.get(write);
    return carried ? { ...write, put: { ...write.put, ...asStored(newOutboxId(), carried) } } : write;
  });
  const own = [...places].flatMap(([place, placed]) =>
    typeof place === 'object' && place ? [] : [{ as: 'outbox', put: itemOf(workspaceId, place, placed) }],
  );
  return [...carrying, ...own];
}

/** The email of an event; null: the message is of something else. */
const emailOfEvent = (message: QueueMessage): EmailId | null =>
  message.kind === 'publish-event' && 'emailId' in message.subject ? message.subject.emailId : null;

/** @param email among whose parts it is; null: TTL deletes it, which costs no write unit */
function itemOf(workspaceId: WorkspaceId, email: EmailId | null, messages: readonly OutboxMessage[]): Item {
  const id = newOutboxId();
  const stored = asStored(id, messages);
  if (email) return { ...outboxOfEmailKey(workspaceId, email, id), ...stored };
  const expiresAt = Math.ceil(now() / 1000) + outboxDays * 86_400;
  return { ...outboxKey(workspaceId, id), ...stored, expiresAt };
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
