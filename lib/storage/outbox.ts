/** Messages of changes: from the table's stream for the relay, and from the whole table for the operator. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { idTime } from '../core/ids.ts';
import { type OutboxMessage, outboxMessageSchema } from '../core/queue-messages.ts';
import { codec, type Field, list, optional, sortKey, text } from './codec.ts';
import { heldOutboxAttribute, type Key, outboxAttribute, outboxPrefix } from './keys.ts';
import { committedSchema, heldSchema, releaseSchema } from './outbox-item.ts';
import { get, getMany } from './reads.ts';
import { type Item, scanAll } from './table.ts';

/** The messages of one change. */
export interface CommittedMessages {
  /** Identifies the change across repetitions. */
  readonly id: string;
  readonly messages: readonly OutboxMessage[];
}

/** A string of JSON. */
const json = <T>(schema: z.ZodType<T>): Field<T> => ({
  read: (stored) => schema.parse(JSON.parse(text.read(stored))),
  write: (value) => JSON.stringify(value),
});

interface Carried {
  readonly outbox?: CommittedMessages | z.infer<typeof releaseSchema>;
  readonly heldOutbox?: z.infer<typeof heldSchema>;
}

const carriedCodec = codec<Carried>('outbox', {
  [outboxAttribute]: optional(json(z.union([committedSchema, releaseSchema]))),
  [heldOutboxAttribute]: optional(json(heldSchema)),
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
 * The messages of a stream record; null where the item that holds them has been removed since.
 *
 * @param image the record's `NewImage`, in DynamoDB's JSON
 * @throws CorruptItem
 */
export async function readOutboxRecord(image: object): Promise<CommittedMessages | null> {
  // Lambda's type of an attribute value and the SDK's differ in binary values, which these items do not have.
  const item: Item = { pk: '', sk: '', ...unmarshall(image as Record<string, AttributeValue>) };
  const { outbox } = carriedCodec.decode(item);
  if (!outbox) return itemCodec010.decode(item);
  if (!('heldBy' in outbox)) return outbox;
  const holder = await get(outbox.heldBy);
  return (holder && carriedCodec.decode(holder).heldOutbox) ?? null;
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
    FilterExpression: 'attribute_exists(#outbox) OR attribute_exists(#held) OR begins_with(sk, :prefix)',
    ProjectionExpression: 'pk, sk, #outbox, #held, messages',
    ExpressionAttributeNames: {
      '#outbox': outboxAttribute,
      '#held': heldOutboxAttribute,
    },
    ExpressionAttributeValues: { ':prefix': outboxPrefix },
  });
  for await (const { items, scanned } of pages) {
    const readable = items.flatMap((item) => readOrNull(item) ?? []);
    const within = readable.flatMap(({ found }) => found).filter(({ at }) => at >= sinceMs && at < untilMs);
    const found = await withoutUnreleased(within);
    yield { scanned, found, unreadable: items.length - readable.length };
  }
}

interface StoredMessages extends CommittedMessages {
  /** The time of their change. */
  readonly at: number;
  /** The item whose creation releases them; null: they count. */
  readonly releasedBy: Key | null;
}

/** What an item carries; null where that is corrupt. What releases the messages of another item carries none. */
function readOrNull(item: Item): { readonly found: readonly StoredMessages[] } | null {
  try {
    const { outbox, heldOutbox } = carriedCodec.decode(item);
    if (heldOutbox) return { found: [timed(heldOutbox, heldOutbox.releasedBy)] };
    if (outbox && 'heldBy' in outbox) return { found: [] };
    return { found: [timed(outbox ?? itemCodec010.decode(item), null)] };
  } catch {
    return null;
  }
}

function timed({ id, messages }: CommittedMessages, releasedBy: Key | null): StoredMessages {
  return { id, messages, at: idTime(`evt_${id}`), releasedBy };
}

/** Without those of changes that were never committed. */
async function withoutUnreleased(all: readonly StoredMessages[]): Promise<StoredMessages[]> {
  const releasers = await getMany(all.flatMap(({ releasedBy }) => releasedBy ?? []));
  const held = all.filter(({ releasedBy }) => releasedBy !== null);
  const unreleased = new Set(held.filter((_, at) => releasers[at] === null));
  return all.filter((one) => !unreleased.has(one));
}
