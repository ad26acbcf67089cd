/** Messages of changes: from the table's stream for the relay, and from the whole table for the operator. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { idTime } from '../core/ids.ts';
import { type OutboxMessage, outboxMessageSchema } from '../core/queue-messages.ts';
import { codec, type Field, list, optional, sortKey, text } from './codec.ts';
import { outboxAttribute, outboxPrefix } from './keys.ts';
import { type Item, scanAll } from './table.ts';

/** The messages of one change. */
export interface CommittedMessages {
  /** Identifies the change across repetitions. */
  readonly id: string;
  readonly messages: readonly OutboxMessage[];
}

const committedSchema = z.strictObject({ id: z.string(), messages: z.array(outboxMessageSchema) });

const committedField: Field<CommittedMessages> = {
  read: (stored) => committedSchema.parse(JSON.parse(text.read(stored))),
  write: (value) => JSON.stringify(value),
};

const carrierCodec = codec<{ readonly outbox?: CommittedMessages }>('outbox', {
  [outboxAttribute]: optional(committedField),
});

const messageField: Field<OutboxMessage> = {
  read: (stored) => outboxMessageSchema.parse(stored),
  write: (value) => value,
};

/** The item of 0.1.0, which the relay deleted. */
const itemCodec010 = codec<CommittedMessages>('outbox', {
  id: sortKey(text, outboxPrefix),
  messages: list(messageField),
});

/**
 * The messages of a stream record.
 *
 * @param image the record's `NewImage`, in DynamoDB's JSON
 * @throws CorruptItem
 */
export function readOutboxRecord(image: object): CommittedMessages {
  // Lambda's type of an attribute value and the SDK's differ in binary values, which these items do not have.
  const item: Item = { pk: '', sk: '', ...unmarshall(image as Record<string, AttributeValue>) };
  return decode(item);
}

/** The messages of changes within a time. Unix milliseconds, `untilMs` excluded. */
export interface OutboxRange {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** A part of the table that was read. */
export interface ScannedPart {
  /** Items of the table that were read for it, with and without messages. */
  readonly scanned: number;
  readonly found: readonly CommittedMessages[];
  /** Items whose messages are corrupt or of an unknown release, of whatever time. */
  readonly unreadable: number;
}

/** Reads the whole table for the messages of changes within a time, in no order. */
export async function* scanOutbox({ sinceMs, untilMs }: OutboxRange): AsyncGenerator<ScannedPart> {
  const pages = scanAll({
    FilterExpression: 'attribute_exists(#outbox) OR begins_with(sk, :prefix)',
    ProjectionExpression: 'pk, sk, #outbox, messages',
    ExpressionAttributeNames: { '#outbox': outboxAttribute },
    ExpressionAttributeValues: { ':prefix': outboxPrefix },
  });
  for await (const { items, scanned } of pages) {
    const readable = items.flatMap((item) => readOrNull(item) ?? []);
    const found = readable.filter(({ at }) => at >= sinceMs && at < untilMs);
    yield { scanned, found, unreadable: items.length - readable.length };
  }
}

/** The messages with the time of their change. */
function readOrNull(item: Item): (CommittedMessages & { readonly at: number }) | null {
  try {
    const committed = decode(item);
    return { ...committed, at: idTime(`evt_${committed.id}`) };
  } catch {
    return null;
  }
}

function decode(item: Item): CommittedMessages {
  return carrierCodec.decode(item).outbox ?? itemCodec010.decode(item);
}
