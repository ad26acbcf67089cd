/** The single table: its client, and transactions whose writes have names. */
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { clientConfig } from '../adapters/aws-clients.ts';
import { pause } from '../adapters/clock.ts';
import { random } from '../adapters/random.ts';
import { env } from '../env.ts';
import type { Key } from './keys.ts';

/** An item as it lies in the table. Stores turn it into domain types; it never leaves them. */
export type Item = Record<string, unknown> & Key;

let shared: DynamoDBDocumentClient | undefined;

/** One client for the life of the function, so that its connections are kept. */
export function client(): DynamoDBDocumentClient {
  shared ??= DynamoDBDocumentClient.from(new DynamoDBClient(clientConfig()), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return shared;
}

/** Consistent read of one item; null where there is none. */
export async function get(key: Key): Promise<Item | null> {
  const { Item: item } = await client().send(
    new GetCommand({ TableName: env().TABLE_NAME, Key: key, ConsistentRead: true }),
  );
  return (item as Item | undefined) ?? null;
}

/**
 * Consistent read of many items, in the order of `keys`, null where there is none.
 * Keys may repeat. DynamoDB takes 100 a call; the calls run side by side.
 */
export async function getMany(keys: readonly Key[]): Promise<(Item | null)[]> {
  const name = env().TABLE_NAME;
  const found = new Map<string, Item>();
  const id = (key: Key) => `${key.pk}\n${key.sk}`;
  let open = [...new Map(keys.map((key) => [id(key), { pk: key.pk, sk: key.sk }])).values()];
  for (let round = 0; open.length > 0; round++) {
    if (round > 0) await backOff(round);
    const rest: Key[] = [];
    const batches = Array.from({ length: Math.ceil(open.length / 100) }, (_, at) =>
      open.slice(at * 100, at * 100 + 100),
    );
    const answers = await Promise.all(
      batches.map((Keys) =>
        client().send(new BatchGetCommand({ RequestItems: { [name]: { Keys, ConsistentRead: true } } })),
      ),
    );
    for (const answer of answers) {
      for (const item of answer.Responses?.[name] ?? []) found.set(id(item as Item), item as Item);
      rest.push(...((answer.UnprocessedKeys?.[name]?.Keys ?? []) as Key[]));
    }
    open = rest;
  }
  return keys.map((key) => found.get(id(key)) ?? null);
}

export interface Page {
  readonly items: Item[];
  /** Where to go on; null at the end. */
  readonly next: Record<string, unknown> | null;
}

/** One Query call. */
export async function query(input: Omit<QueryCommandInput, 'TableName'>): Promise<Page> {
  const answer = await client().send(new QueryCommand({ TableName: env().TABLE_NAME, ...input }));
  return { items: (answer.Items ?? []) as Item[], next: answer.LastEvaluatedKey ?? null };
}

/** Every item of a partition that is bounded by design (a workspace's endpoints, an email's parts). */
export async function queryAll(pk: string, skPrefix = ''): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | null = null;
  do {
    const page: Page = await query({
      KeyConditionExpression: skPrefix ? 'pk = :pk AND begins_with(sk, :sk)' : 'pk = :pk',
      ExpressionAttributeValues: skPrefix ? { ':pk': pk, ':sk': skPrefix } : { ':pk': pk },
      ConsistentRead: true,
      ...(start && { ExclusiveStartKey: start }),
    });
    items.push(...page.items);
    start = page.next;
  } while (start);
  return items;
}

export type Conditions = Pick<
  UpdateCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** One write of a transaction. `as` names it, so that a failed condition comes back as that name. */
export type Write = { readonly as: string } & (
  | ({ readonly put: Item } & Conditions)
  | ({ readonly update: Key; readonly UpdateExpression: string } & Conditions)
  | ({ readonly delete: Key } & Conditions)
  | ({ readonly check: Key } & Conditions)
);

/** A condition of a write did not hold: nothing of the transaction was written. */
export class ConditionFailed extends Error {
  /** The `as` of the first write whose condition failed. */
  readonly write: string;
  /** The item that stood in the way, where there was one. */
  readonly item: Item | null;

  constructor(write: string, item: Item | null, cause?: unknown) {
    super(`condition of "${write}" failed`, { cause });
    this.name = 'ConditionFailed';
    this.write = write;
    this.item = item;
  }
}

const conflictTriesMax = 8;

/**
 * Writes all or nothing (TransactWriteItems: at most 100 writes, one per item).
 * Two transactions that touch one item at the same time: the later one is tried again here.
 *
 * @throws ConditionFailed with the name of the write whose condition did not hold
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  const items = writes.map(transactItem);
  for (let round = 1; ; round++) {
    try {
      await client().send(new TransactWriteCommand({ TransactItems: items }));
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
      if (failed >= 0) {
        const old = reasons[failed]?.Item;
        // The document client translates answers, but not what errors carry.
        const item = old ? (unmarshall(old) as Item) : null;
        throw new ConditionFailed(writes[failed]?.as ?? '?', item, error);
      }
      const passing = reasons.every((reason) => passingReasons.has(reason.Code ?? 'None'));
      if (!passing || round === conflictTriesMax) throw error;
      await backOff(round);
    }
  }
}

/** As `transact`, for writers that lose gracefully: false where a condition did not hold. */
export async function ifUnchanged(writes: readonly Write[]): Promise<boolean> {
  try {
    await transact(writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Cancellations that say "not now" rather than "not so". */
const passingReasons = new Set([
  'None',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function transactItem(write: Write) {
  const TableName = env().TABLE_NAME;
  const conditions = {
    ...(write.ConditionExpression && { ConditionExpression: write.ConditionExpression }),
    ...(write.ExpressionAttributeNames && { ExpressionAttributeNames: write.ExpressionAttributeNames }),
    ...(write.ExpressionAttributeValues && { ExpressionAttributeValues: write.ExpressionAttributeValues }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  if ('put' in write) return { Put: { TableName, Item: write.put, ...conditions } };
  if ('delete' in write) return { Delete: { TableName, Key: write.delete, ...conditions } };
  if ('check' in write) {
    return {
      ConditionCheck: {
        TableName,
        Key: write.check,
        ...conditions,
        ConditionExpression: write.ConditionExpression ?? 'attribute_exists(pk)',
      },
    };
  }
  return {
    Update: { TableName, Key: write.update, UpdateExpression: write.UpdateExpression, ...conditions },
  };
}

/** Full jitter, so that writers that met once do not meet again. */
function backOff(round: number): Promise<void> {
  return pause(random() * Math.min(1000, 20 * 2 ** round));
}

/** Puts one item by itself. Where work is owed, use `transact` with an outbox write instead. */
export async function put(
  item: Item,
  options: Omit<PutCommandInput, 'TableName' | 'Item'> = {},
): Promise<void> {
  await client().send(new PutCommand({ TableName: env().TABLE_NAME, Item: item, ...options }));
}

/** Deletes one item by itself; one that is gone already is no error. */
export async function remove(key: Key): Promise<void> {
  await client().send(new DeleteCommand({ TableName: env().TABLE_NAME, Key: key }));
}

/** Updates one item by itself and returns it as it is then. */
export async function update(
  key: Key,
  input: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
): Promise<Item | null> {
  const answer = await client().send(
    new UpdateCommand({ TableName: env().TABLE_NAME, Key: key, ReturnValues: 'ALL_NEW', ...input }),
  );
  return (answer.Attributes as Item | undefined) ?? null;
}

/** As `update`, for writers that lose gracefully: null where the condition did not hold. */
export async function updateIf(
  key: Key,
  input: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
): Promise<Item | null> {
  try {
    return await update(key, input);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}

/** Condition for creating: there is no such item yet. */
export const absent = { ConditionExpression: 'attribute_not_exists(pk)' } as const;
/** Condition for changing: the item exists. */
export const present = { ConditionExpression: 'attribute_exists(pk)' } as const;
