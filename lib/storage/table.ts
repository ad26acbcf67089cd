/** The single table: its client, and single reads and writes. Transactions are in `transactions.ts`. */

import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
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
import { clientConfig } from '../adapters/aws-clients.ts';
import { backOff } from '../adapters/back-off.ts';
import { allDone } from '../core/all-done.ts';
import { RecordContended, TableBusy } from '../core/table-busy.ts';
import { env } from '../env.ts';
import type { Key } from './keys.ts';

/** A stored item. It never leaves lib/storage: codecs turn it into records. */
export type Item = Record<string, unknown> & Key;

let shared: DynamoDBDocumentClient | undefined;

/** One client for the life of the function: its connections are reused. */
export function client(): DynamoDBDocumentClient {
  shared ??= DynamoDBDocumentClient.from(
    reportingThrottles(retryingConflicts(new DynamoDBClient(clientConfig()))),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  return shared;
}

/**
 * A write of an item that a transaction is changing, and the repetition of a transaction that is still under way ("TransactWriteItems"
 * in the Amazon DynamoDB API Reference). The SDK repeats neither.
 */
const conflicts: ReadonlySet<string> = new Set([
  'TransactionConflictException',
  'TransactionInProgressException',
]);

/** Tries of a write that conflicts: with the delays of `backOff`, about three seconds. */
export const conflictTriesMax = 8;

/** Whether nothing was written: of a transaction that is still under way, that is not known. */
const isCertain = ({ name }: Error): boolean => name === 'TransactionConflictException';

/** Calls that conflict are tried again: nothing of them was carried out. */
function retryingConflicts(base: DynamoDBClient): DynamoDBClient {
  base.middlewareStack.add(
    (next) => async (args) => {
      for (let tries = 1; ; tries++) {
        try {
          return await next(args);
        } catch (error) {
          const isConflict = error instanceof Error && conflicts.has(error.name);
          if (!isConflict) throw error;
          if (tries === conflictTriesMax) throw isCertain(error) ? new RecordContended(error) : error;
          await backOff(tries);
        }
      }
    },
    { step: 'initialize', priority: 'high', name: 'retryConflicts' },
  );
  return base;
}

/** "Error handling with DynamoDB" in the Amazon DynamoDB Developer Guide. */
const throttles: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);

/** Calls that are throttled after all attempts throw TableBusy. */
function reportingThrottles(base: DynamoDBClient): DynamoDBClient {
  base.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw error instanceof Error && throttles.has(error.name) ? new TableBusy(error) : error;
      }
    },
    { step: 'initialize', priority: 'high', name: 'reportThrottles' },
  );
  return base;
}

/** Consistent read of one item; null where there is none. */
export async function get(key: Key): Promise<Item | null> {
  const { Item: item } = await client().send(
    new GetCommand({ TableName: env().TABLE_NAME, Key: key, ConsistentRead: true }),
  );
  return (item as Item | undefined) ?? null;
}

/** Calls in flight at once for one caller: the number of connections of the client. */
const callsAtOnce = 50;

/** Calls `work` for each, a bounded number at the same time. @throws the first error */
async function forEachAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const pending = all.values();
  const next = async () => {
    for (const one of pending) await work(one);
  };
  await allDone(Array.from({ length: Math.min(callsAtOnce, all.length) }, next));
}

/** Rounds of a batch of which a part is throttled: five seconds, of the 30 that a request may take. */
const batchRoundsMax = 10;

/**
 * Calls `send` with batches, side by side, and again with what DynamoDB has left unprocessed.
 *
 * @param size of a batch
 * @param send returns what is unprocessed
 * @throws TableBusy where something is throttled again and again
 */
async function inBatches<T>(
  all: readonly T[],
  size: number,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  let open = all;
  for (let round = 0; open.length > 0; round++) {
    if (round === batchRoundsMax) throw new TableBusy();
    if (round > 0) await backOff(round);
    const sent = open;
    const batches = Array.from({ length: Math.ceil(sent.length / size) }, (_, at) =>
      sent.slice(at * size, at * size + size),
    );
    const rest: T[] = [];
    await forEachAtOnce(batches, async (batch) => {
      rest.push(...(await send(batch)));
    });
    open = rest;
  }
}

const idOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
/** The last item of each key: a batch takes a key once. */
const lastOfEach = <T extends Key>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [idOf(item), item])).values(),
];

/**
 * Consistent read of many items, in the order of `keys`, null where there is none.
 * Keys may repeat. DynamoDB takes 100 a call; the calls run side by side.
 *
 * @throws TableBusy where some keys are throttled again and again
 */
export async function getMany(keys: readonly Key[]): Promise<(Item | null)[]> {
  const name = env().TABLE_NAME;
  const found = new Map<string, Item>();
  const wanted = lastOfEach(keys).map(({ pk, sk }) => ({ pk, sk }));
  await inBatches(wanted, 100, async (batch) => {
    const Keys = [...batch];
    const answer = await client().send(
      new BatchGetCommand({ RequestItems: { [name]: { Keys, ConsistentRead: true } } }),
    );
    for (const item of answer.Responses?.[name] ?? []) found.set(idOf(item as Item), item as Item);
    return (answer.UnprocessedKeys?.[name]?.Keys ?? []) as Key[];
  });
  return keys.map((key) => found.get(idOf(key)) ?? null);
}

/**
 * Puts many items, each by itself and without a condition. Of items with the same key the last one counts. DynamoDB takes 25 a
 * call; the calls run side by side.
 *
 * @throws TableBusy where some items are throttled again and again
 */
export async function putMany(items: readonly Item[]): Promise<void> {
  const name = env().TABLE_NAME;
  await inBatches(lastOfEach(items), 25, async (batch) => {
    const request = { [name]: batch.map((item) => ({ PutRequest: { Item: item } })) };
    const answer = await client().send(new BatchWriteCommand({ RequestItems: request }));
    return (answer.UnprocessedItems?.[name] ?? []).map(({ PutRequest }) => PutRequest?.Item as Item);
  });
}

export interface QueryPage {
  readonly items: Item[];
  /** Number of items, also where only these are asked for (`Select: 'COUNT'`). */
  readonly count: number;
  /** Start of the next page; null on the last one. */
  readonly next: Record<string, unknown> | null;
}

type QueryInput = Omit<QueryCommandInput, 'TableName' | 'IndexName' | 'ConsistentRead'>;

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

/** Deletes items, each by itself; missing items are no error. */
export async function removeAll(keys: readonly Key[]): Promise<void> {
  await forEachAtOnce(keys, ({ pk, sk }) => remove({ pk, sk }));
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
