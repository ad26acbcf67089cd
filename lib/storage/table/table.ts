/** The single table: queries and single writes. Reads by key are in `reads.ts`, transactions in `transactions.ts`. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { env } from '../../env.ts';
import { inBatches, lastOfEach } from './batches.ts';
import type { Key } from './keys.ts';
import { client } from './table-client.ts';

/** A stored item. It never leaves lib/storage: codecs turn it into records. */
export type Item = Record<string, unknown> & Key;

/**
 * Puts many items, each by itself and without a condition. Of items with the same key the last one counts. DynamoDB takes 25 a
 * call; the calls run side by side.
 *
 * @throws TableBusy where some items are throttled again and again
 */
export async function putMany(items: readonly Item[]): Promise<void> {
  await writeMany(lastOfEach(items).map((Item) => ({ PutRequest: { Item } })));
}

export interface QueryPage {
  readonly items: Item[];
  /** Number of items, also where only these are asked for (`Select: 'COUNT'`). */
  readonly count: number;
  /** Number of items that were looked at, also those that a filter has left out. */
  readonly looked: number;
  /** Start of the next page; null on the last one. */
  readonly next: Record<string, unknown> | null;
}

export type QueryInput = Omit<QueryCommandInput, 'TableName' | 'IndexName' | 'ConsistentRead'>;

/** One Query call on the table, consistent. */
export async function query(input: QueryInput): Promise<QueryPage> {
  return await send({ ...input, ConsistentRead: true });
}

/**
 * One Query call on a secondary index, which may lag behind the table ("Using Global Secondary Indexes in DynamoDB").
 * For lists only: no decision is taken from an index.
 */
export async function queryIndex(index: 'GSI1' | 'GSI2', input: QueryInput): Promise<QueryPage> {
  return await send({ ...input, IndexName: index });
}

async function send(input: Omit<QueryCommandInput, 'TableName'>): Promise<QueryPage> {
  const answer = await client().send(new QueryCommand({ TableName: env().TABLE_NAME, ...input }));
  return {
    items: (answer.Items ?? []) as Item[],
    count: answer.Count ?? 0,
    looked: answer.ScannedCount ?? 0,
    next: answer.LastEvaluatedKey ?? null,
  };
}

/** Every item of a partition that is bounded by design (a workspace's endpoints, an email's parts). */
export async function queryAll(pk: string, skPrefix = ''): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | null = null;
  do {
    const page: QueryPage = await query({
      KeyConditionExpression: skPrefix ? 'pk = :pk AND begins_with(sk, :sk)' : 'pk = :pk',
      ExpressionAttributeValues: skPrefix ? { ':pk': pk, ':sk': skPrefix } : { ':pk': pk },
      ...(start && { ExclusiveStartKey: start }),
    });
    items.push(...page.items);
    start = page.next;
  } while (start);
  return items;
}

/** Every item of the table, consistent, one page at a time. For the operator only: it reads all of the table. */
export async function* scanAll(
  input: Omit<ScanCommandInput, 'TableName' | 'IndexName' | 'ConsistentRead'>,
): AsyncGenerator<{ readonly items: readonly Item[]; readonly scanned: number }> {
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client().send(
      new ScanCommand({
        TableName: env().TABLE_NAME,
        ConsistentRead: true,
        ...input,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    yield { items: (page.Items ?? []) as Item[], scanned: page.ScannedCount ?? 0 };
    start = page.LastEvaluatedKey;
  } while (start);
}

/** Number of items of a partition. */
export async function countAll(pk: string): Promise<number> {
  let count = 0;
  let start: Record<string, unknown> | null = null;
  do {
    const page: QueryPage = await query({
      Select: 'COUNT',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ...(start && { ExclusiveStartKey: start }),
    });
    count += page.count;
    start = page.next;
  } while (start);
  return count;
}

/** Puts one item by itself. A change with queue messages goes through `commit` instead. */
export async function put(
  item: Item,
  options: Omit<PutCommandInput, 'TableName' | 'Item'> = {},
): Promise<void> {
  await client().send(new PutCommand({ TableName: env().TABLE_NAME, Item: item, ...options }));
}

/** As `put`; false where the condition failed. */
export async function putIf(
  item: Item,
  options: Omit<PutCommandInput, 'TableName' | 'Item'>,
): Promise<boolean> {
  try {
    await put(item, options);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Deletes one item by itself; a missing item is no error. */
export async function remove(key: Key): Promise<void> {
  await client().send(new DeleteCommand({ TableName: env().TABLE_NAME, Key: key }));
}

/** Deletes items, each by itself; missing items are no error. Several are batches, as `putMany` makes them. @throws TableBusy */
export async function removeAll(keys: readonly Key[]): Promise<void> {
  const all = lastOfEach(keys).map(({ pk, sk }) => ({ pk, sk }));
  const [only] = all;
  if (only && all.length === 1) await remove(only);
  else await writeMany(all.map((key) => ({ DeleteRequest: { Key: key } })));
}

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

async function writeMany(requests: readonly WriteRequest[]): Promise<void> {
  const name = env().TABLE_NAME;
  await inBatches(requests, 25, async (batch) => {
    const { UnprocessedItems } = await client().send(
      new BatchWriteCommand({ RequestItems: { [name]: [...batch] } }),
    );
    return UnprocessedItems?.[name] ?? [];
  });
}

export type UpdateInput = Omit<UpdateCommandInput, 'TableName' | 'Key'>;

/** Updates one item by itself and returns it as changed. */
export async function update(key: Key, input: UpdateInput): Promise<Item | null> {
  const answer = await client().send(
    new UpdateCommand({ TableName: env().TABLE_NAME, Key: key, ReturnValues: 'ALL_NEW', ...input }),
  );
  return (answer.Attributes as Item | undefined) ?? null;
}

/** As `update`. Where the condition failed, `isDone` is false and `item` is the item as it is, null where there is none. */
export async function updateOr(
  key: Key,
  input: UpdateInput,
): Promise<{ readonly isDone: boolean; readonly item: Item | null }> {
  try {
    return {
      isDone: true,
      item: await update(key, { ...input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { isDone: false, item: error.Item ? (unmarshall(error.Item) as Item) : null };
  }
}

/** As `update`; null where the condition failed. */
export async function updateIf(key: Key, input: UpdateInput): Promise<Item | null> {
  try {
    return await update(key, input);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}
