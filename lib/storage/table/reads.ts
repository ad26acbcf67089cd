/** Consistent reads by key. Those of the same time are one call (docs/decisions/0064-reads-of-a-turn-are-one-call.md). */
import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { gather } from '../../adapters/gather.ts';
import { allDone } from '../../core/work/all-done.ts';
import { env } from '../../env.ts';
import { idOf, inBatches } from './batches.ts';
import type { Key } from './keys.ts';
import type { Item } from './table.ts';
import { client } from './table-client.ts';

interface Wanted extends Key {
  found(item: Item | null): void;
  failed(error: unknown): void;
}

const askFor = gather<Wanted>((all) => void readTogether(all));

/**
 * Consistent read of one item; null where there is none. Reads that are asked for in the same turn of the event loop are one call,
 * in which a key is read once: what is read is shared.
 *
 * @throws TableBusy where the key is throttled again and again
 */
export function get({ pk, sk }: Key): Promise<Item | null> {
  return new Promise((found, failed) => askFor({ pk, sk, found, failed }));
}

/**
 * Consistent reads of many items, in the order of `keys`, null where there is none. Keys may repeat.
 *
 * @throws TableBusy where some keys are throttled again and again
 */
export async function getMany(keys: readonly Key[]): Promise<(Item | null)[]> {
  return await allDone(keys.map(get));
}

/** Keys of a call ("BatchGetItem" in the Amazon DynamoDB API Reference). */
const keysMax = 100;

/** Reads what was asked for in one turn; each hears of its own key alone. */
async function readTogether(all: readonly Wanted[]): Promise<void> {
  const waiting = Map.groupBy(all, idOf);
  const answer = (id: string, found: Item | null) => {
    for (const one of waiting.get(id) ?? []) one.found(found);
    waiting.delete(id);
  };
  const keys = [...waiting.values()].flatMap(([first]) => (first ? [{ pk: first.pk, sk: first.sk }] : []));
  const [only] = keys;
  try {
    if (only && keys.length === 1) return answer(idOf(only), await readOne(only));
    await inBatches(keys, keysMax, async (batch) => {
      const { items, rest } = await readBatch(batch);
      const open = new Set(rest.map(idOf));
      for (const id of batch.map(idOf)) if (!open.has(id)) answer(id, items.get(id) ?? null);
      return rest;
    });
  } catch (error) {
    const left = [...waiting.values()].flat();
    // Not for the key of another caller.
    if (waiting.size > 1 && isOfOneKey(error)) for (const one of left) void readTogether([one]);
    else for (const one of left) one.failed(error);
  }
}

/** Whether a key may be the reason of a failure: it is empty or too long. All other failures are of the call. */
const isOfOneKey = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationException';

async function readOne(key: Key): Promise<Item | null> {
  const { Item: item } = await client().send(
    new GetCommand({ TableName: env().TABLE_NAME, Key: key, ConsistentRead: true }),
  );
  return (item as Item | undefined) ?? null;
}

/** @returns what was found, by the ids of keys, and the keys that DynamoDB has left */
async function readBatch(keys: readonly Key[]) {
  const name = env().TABLE_NAME;
  const { Responses, UnprocessedKeys } = await client().send(
    new BatchGetCommand({ RequestItems: { [name]: { Keys: [...keys], ConsistentRead: true } } }),
  );
  const items = (Responses?.[name] ?? []) as Item[];
  return {
    items: new Map(items.map((item) => [idOf(item), item])),
    rest: (UnprocessedKeys?.[name]?.Keys ?? []) as Key[],
  };
}
