/** Outbox items: from the table's stream for the relay, and those left in the table for the operator. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { idTime, type WorkspaceId } from '../core/ids.ts';
import { type OutboxMessage, outboxMessageSchema } from '../core/queue-messages.ts';
import { codec, type Field, list, sortKey, text } from './codec.ts';
import { type Key, outbox, outboxPrefix } from './keys.ts';
import { type Item, queryAll, remove, removeAll } from './table.ts';

const outboxMessage: Field<OutboxMessage> = {
  read: (stored) => outboxMessageSchema.parse(stored),
  write: (value) => value,
};

const outboxCodec = codec<Pick<OutboxItem, 'id' | 'messages'>>('outbox', {
  id: sortKey(text, outboxPrefix),
  messages: list(outboxMessage),
});

/** The messages of one change. */
export interface OutboxItem {
  /** Identifies the item across repetitions. */
  readonly id: string;
  readonly messages: readonly OutboxMessage[];
  /** Deletes the item once its messages are sent. */
  delete(): Promise<void>;
}

/**
 * The outbox item of a stream record.
 *
 * @param image the record's `NewImage`, in DynamoDB's JSON
 * @throws CorruptItem
 */
export function readOutboxRecord(image: object): OutboxItem {
  // Lambda's type of an attribute value and the SDK's differ in binary values, which outbox items do not have.
  const item: Item = { pk: '', sk: '', ...unmarshall(image as Record<string, AttributeValue>) };
  return decode(item);
}

/** An item that is still in the table; `read` throws where it is corrupt or of an unknown release. */
export interface StoredOutboxItem {
  /** Unix milliseconds. */
  readonly createdAt: number;
  read(): OutboxItem;
}

/** The outbox items of a workspace that are not relayed, oldest first. */
export async function listOutbox(workspaceId: WorkspaceId): Promise<StoredOutboxItem[]> {
  const items = await queryAll(outbox(workspaceId));
  return items.map((item) => ({
    createdAt: createdAtOf(item),
    read: () => decode(item),
  }));
}

/** Removes the outbox items of a workspace that are older than `beforeMs`, without sending them; their number. */
export async function removeOutbox(workspaceId: WorkspaceId, beforeMs: number): Promise<number> {
  const items = await queryAll(outbox(workspaceId));
  const old = items.filter((item) => createdAtOf(item) < beforeMs);
  await removeAll(old);
  return old.length;
}

const createdAtOf = ({ sk }: Item): number => idTime(`evt_${sk.slice(outboxPrefix.length)}`);

function decode(item: Item): OutboxItem {
  const key: Key = { pk: item.pk, sk: item.sk };
  return { ...outboxCodec.decode(item), delete: () => remove(key) };
}
