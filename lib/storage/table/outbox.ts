/** Messages of changes: from the table's stream for the relay, and from the whole table for the operator. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { idTime } from '../../core/ids.ts';
import { type OutboxMessage, outboxMessageSchema } from '../../core/queue-messages.ts';
import { codec, type Field, text } from './codec.ts';
import { outboxAttribute } from './keys.ts';
import { type Item, scanAll } from './table.ts';

/** Messages that are stored together. The id identifies the change across repetitions. */
const committedSchema = z.strictObject({ id: z.string(), messages: z.array(outboxMessageSchema) });
export type CommittedMessages = z.output<typeof committedSchema>;

/** A string of JSON. */
const json = <T>(schema: z.ZodType<T>): Field<T> => ({
  read: (stored) => schema.parse(JSON.parse(text.read(stored))),
  write: (value) => JSON.stringify(value),
});

const carriedCodec = codec<{ readonly outbox: CommittedMessages }>('outbox', {
  [outboxAttribute]: json(committedSchema),
});

/**
 * The messages of a stream record.
 *
 * @param image the record's `NewImage`, in DynamoDB's JSON
 * @throws CorruptItem
 */
export function readOutboxRecord(image: object): CommittedMessages {
  // Of an item that may hold the content of an email. Lambda's type of an attribute value and the SDK's differ in binary values.
  const { pk, sk, [outboxAttribute]: carried } = image as Record<string, AttributeValue>;
  const read = { ...(pk && { pk }), ...(sk && { sk }), ...(carried && { [outboxAttribute]: carried }) };
  return messagesIn({ pk: '', sk: '', ...unmarshall(read) });
}

/** The messages that an item carries, as far as this release can read them. */
export function readableMessagesIn(item: Item): readonly OutboxMessage[] {
  return (item[outboxAttribute] === undefined ? null : readOrNull(item))?.messages ?? [];
}

/** The messages that an item carries. @throws CorruptItem */
export function messagesIn(item: Item): CommittedMessages {
  return carriedCodec.decode(item).outbox;
}

/**
 * The messages of changes within a time, and of earlier ones where a message was due since. Unix milliseconds, `untilMs` excluded.
 */
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
    FilterExpression: 'attribute_exists(#outbox)',
    ProjectionExpression: 'pk, sk, #outbox',
    ExpressionAttributeNames: { '#outbox': outboxAttribute },
  });
  for await (const { items, scanned } of pages) {
    const readable = items.flatMap((item) => readOrNull(item) ?? []);
    const found = readable.filter(({ id, messages }) => {
      const at = idTime(`evt_${id}`);
      return at < untilMs && (at >= sinceMs || messages.some(({ dueAt = 0 }) => dueAt >= sinceMs));
    });
    yield { scanned, found, unreadable: items.length - readable.length };
  }
}

/** What an item carries; null where that is corrupt. */
function readOrNull(item: Item): CommittedMessages | null {
  try {
    return messagesIn(item);
  } catch {
    return null;
  }
}
