/** Metering of DynamoDB calls: consumed capacity units by item and index entry, and evaluated items. */
import type {
  DescribeTableCommandOutput,
  KeySchemaElement,
  KeysAndAttributes,
} from '@aws-sdk/client-dynamodb';
import {
  type ConsumedUnits,
  consumedByRead,
  consumedByWrite,
  type Image,
  type TableShape,
} from './dynamodb-capacity.ts';
import type { ItemKey } from './dynamodb-keys.ts';
import { type DynamoDbOperation, operationOf } from './dynamodb-operations.ts';
import { queriedKeys } from './dynamodb-permissions.ts';
import { jsonBody } from './json-protocol.ts';
import type { AwsCall, AwsResponse } from './service.ts';

type Forward = (call: AwsCall, body: Buffer | string) => Promise<AwsResponse & { body: Buffer }>;

export interface Metering {
  /** Runs a call and adds what it consumed to the response. @param keys of the items that it writes */
  handle(call: AwsCall, keys: readonly ItemKey[]): Promise<AwsResponse>;
}

/** @param forward sends a call with another body to DynamoDB Local */
export function createMetering(forward: Forward): Metering {
  async function ask<T>(call: AwsCall, operation: DynamoDbOperation, input: unknown): Promise<T> {
    const headers = { ...call.headers, 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const response = await forward({ ...call, headers }, JSON.stringify(input));
    return JSON.parse(response.body.toString()) as T;
  }

  const shapes = new Map<string, Promise<TableShape>>();
  function shapeOf(call: AwsCall, TableName: string): Promise<TableShape> {
    const known =
      shapes.get(TableName) ?? ask<DescribedTable>(call, 'DescribeTable', { TableName }).then(tableShape);
    shapes.set(TableName, known);
    return known;
  }

  async function imagesOf(call: AwsCall, items: readonly ItemOf[]): Promise<(Image | null)[]> {
    const TransactItems = items.map(({ table: TableName, key: Key }) => ({ Get: { TableName, Key } }));
    const found = await ask<{ Responses?: { Item?: Image }[] }>(call, 'TransactGetItems', { TransactItems });
    return items.map((_, at) => found.Responses?.[at]?.Item ?? null);
  }

  async function meteredWrite(call: AwsCall, keys: readonly ItemKey[]): Promise<AwsResponse> {
    const items = keys.map(({ table, key }) => ({ table, key: key as Image }));
    const operation = operationOf(call);
    const before = await imagesOf(call, items);
    const response = await forward(call, call.body);
    const isDone = response.status === 200;
    if (!isDone && !refusals.test(response.body.toString())) return response;
    const after = isDone ? await imagesOf(call, items) : before;
    const consumed = await Promise.all(
      items.map(async ({ table, key }, at) =>
        consumedByWrite(
          {
            key,
            before: before[at] ?? null,
            after: after[at] ?? null,
            // A transaction that is cancelled has not been committed: it costs its first half.
            transacted: isDone && operation === 'TransactWriteItems',
          },
          await shapeOf(call, table),
        ),
      ),
    );
    return withUnits(response, consumed.flat());
  }

  async function meteredReads(
    call: AwsCall,
    response: AwsResponse,
    reads: readonly Read[],
  ): Promise<AwsResponse> {
    const images = await imagesOf(call, reads);
    const consumed = await Promise.all(
      reads.map(async ({ table, key, times }, at) =>
        consumedByRead(key, images[at] ?? null, times, await shapeOf(call, table)),
      ),
    );
    return { ...withUnits(response, consumed), items: reads.length };
  }

  /** Requests `ReturnConsumedCapacity`, and removes it where the client did not. */
  async function meteredQuery(call: AwsCall): Promise<AwsResponse> {
    const input = jsonBody(call);
    const requested = input.ReturnConsumedCapacity;
    const isRequested = requested === 'TOTAL' || requested === 'INDEXES';
    const asking = JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' });
    const response = await forward(call, isRequested ? call.body : asking);
    if (response.status !== 200) return response;
    const { ConsumedCapacity: consumed, ...rest }: QueryOutput = JSON.parse(response.body.toString());
    const [partition = ''] = queriedKeys(input);
    const index = typeof input.IndexName === 'string' ? input.IndexName : null;
    const units = consumed?.CapacityUnits ?? 0;
    return {
      ...withUnits(isRequested ? response : { ...response, body: JSON.stringify(rest) }, [
        { index, partition, sort: '', units },
      ]),
      ...(rest.ScannedCount !== undefined && { items: rest.ScannedCount }),
    };
  }

  return {
    async handle(call, keys) {
      if (keys.length > 0) return await meteredWrite(call, keys);
      const operation = operationOf(call);
      if (operation === 'Query' || operation === 'Scan') return await meteredQuery(call);
      const response = await forward(call, call.body);
      return response.status === 200
        ? await meteredReads(call, response, readsOf(operation, jsonBody(call)))
        : response;
    },
  };
}

/** Errors of writes that cost units (DynamoDB developer guide, "DynamoDB read and write operations", conditional writes). */
const refusals = /ConditionalCheckFailedException|TransactionCanceledException/;

interface ItemOf {
  readonly table: string;
  readonly key: Image;
}

interface Read extends ItemOf {
  readonly times: 0.5 | 1 | 2;
}

interface QueryOutput {
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number };
  readonly ScannedCount?: number;
}

function readsOf(operation: DynamoDbOperation, input: Readonly<Record<string, unknown>>): Read[] {
  const timesOf = (consistent: unknown) => (consistent === true ? 1 : 0.5);
  switch (operation) {
    case 'GetItem':
      return [
        { table: String(input.TableName), key: input.Key as Image, times: timesOf(input.ConsistentRead) },
      ];
    case 'BatchGetItem':
      return Object.entries(input.RequestItems as Record<string, KeysAndAttributes>).flatMap(
        ([table, { Keys = [], ConsistentRead }]) =>
          Keys.map((key) => ({ table, key, times: timesOf(ConsistentRead) })),
      );
    default:
      return (input.TransactItems as { Get: { TableName: string; Key: Image } }[]).map(
        ({ Get: { TableName: table, Key: key } }) => ({ table, key, times: 2 }),
      );
  }
}

function withUnits(response: AwsResponse, consumed: readonly ConsumedUnits[]): AwsResponse {
  return { ...response, capacity: consumed.reduce((sum, { units }) => sum + units, 0), consumed };
}

type DescribedTable = Pick<DescribeTableCommandOutput, 'Table'>;

function tableShape({ Table }: DescribedTable): TableShape {
  const namesOf = (schema: readonly KeySchemaElement[] = []) =>
    schema.map(({ AttributeName = '' }) => AttributeName);
  const keys = namesOf(Table?.KeySchema);
  const indexes = Table?.GlobalSecondaryIndexes ?? [];
  return {
    keys,
    indexes: indexes.map(({ IndexName: name = '', KeySchema, Projection }) => ({
      name,
      keys: namesOf(KeySchema),
      projected:
        Projection?.ProjectionType === 'ALL'
          ? null
          : [...keys, ...namesOf(KeySchema), ...(Projection?.NonKeyAttributes ?? [])],
    })),
  };
}
