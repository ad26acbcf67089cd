/** Metering of DynamoDB calls: consumed capacity units by item and index entry, and evaluated items. */
import type {
  AttributeValue,
  DescribeTableCommandOutput,
  KeySchemaElement,
  KeysAndAttributes,
} from '@aws-sdk/client-dynamodb';
import {
  type ConsumedUnits,
  consumedByRead,
  consumedByWrite,
  type Image,
  keyText,
  type TableShape,
} from './dynamodb-capacity.ts';
import { type ItemKey, type Write, writesOf } from './dynamodb-keys.ts';
import { type DynamoDbOperation, operationOf } from './dynamodb-operations.ts';
import { queriedKeys } from './dynamodb-permissions.ts';
import { type Throttle, throttledCall, throttledTransaction } from './dynamodb-throttle.ts';
import { jsonBody } from './json-protocol.ts';
import type { AwsCall, AwsResponse } from './service.ts';

type Forward = (call: AwsCall, body: Buffer | string) => Promise<AwsResponse & { body: Buffer }>;

export interface Metering {
  /** Runs a call and adds what it consumed to the response. @param keys of the items that it writes */
  handle(call: AwsCall, keys: readonly ItemKey[]): Promise<AwsResponse>;
}

/**
 * @param forward sends a call with another body to DynamoDB Local
 * @param throttle limits of throughput; null: none
 */
export function createMetering(forward: Forward, throttle: Throttle | null = null): Metering {
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
    const refused = throttle ? await refusedWrite(call, throttle, items, before) : null;
    if (refused) return refused;
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
    throttle?.take('Write', consumed.flat());
    return withUnits(response, consumed.flat());
  }

  async function meteredReads(call: AwsCall): Promise<AwsResponse> {
    const operation = operationOf(call);
    const input = jsonBody(call);
    const reads = await Promise.all(
      readsOf(operation, input).map(async (read) => {
        const { keys } = await shapeOf(call, read.table);
        const place = { index: null, partition: partitionOf(read.key, keys) };
        return { ...read, keys, refusal: throttle?.refusalOf('Read', [place]) ?? null };
      }),
    );
    const throttled = reads.flatMap(({ refusal }) => refusal ?? []);
    const [first] = throttled;
    const passed = reads.filter(({ refusal }) => refusal === null);
    // Of a batch, single keys are throttled; it fails when all of them are ("BatchGetItem" in the Amazon DynamoDB API Reference).
    const isPartial = operation === 'BatchGetItem' && passed.length > 0;
    if (first && !isPartial) return { ...throttledCall(first), throttled };
    const batch = first ? splitBatch(input, passed) : null;
    const answered = await forward(call, batch ? JSON.stringify(batch.input) : call.body);
    if (answered.status !== 200) return answered;
    const response = batch
      ? {
          ...answered,
          body: JSON.stringify({ ...JSON.parse(answered.body.toString()), UnprocessedKeys: batch.rest }),
          throttled,
        }
      : answered;
    const images = await imagesOf(call, passed);
    const consumed = passed.map(({ key, times, keys }, at) =>
      consumedByRead(key, images[at] ?? null, times, { keys }),
    );
    throttle?.take('Read', consumed);
    return { ...withUnits(response, consumed), items: passed.length };
  }

  /** The response to a write without units: of an item, or of an index entry that is or becomes its own. */
  async function refusedWrite(
    call: AwsCall,
    limits: Throttle,
    items: readonly ItemOf[],
    before: readonly (Image | null)[],
  ): Promise<AwsResponse | null> {
    const writes = writesOf(operationOf(call), jsonBody(call));
    const refusals = await Promise.all(
      items.map(async ({ table, key }, at) => {
        const shape = await shapeOf(call, table);
        return limits.refusalOf('Write', [
          { index: null, partition: partitionOf(key, shape.keys) },
          ...shape.indexes.flatMap(({ name, keys }) =>
            [before[at]?.[keys[0] ?? ''], assigned(writes[at] ?? {}, keys[0] ?? '')].flatMap((value) =>
              value ? [{ index: name, partition: keyText(value) }] : [],
            ),
          ),
        ]);
      }),
    );
    const throttled = refusals.filter((one) => one !== null);
    const [first] = throttled;
    if (!first) return null;
    const isTransaction = operationOf(call) === 'TransactWriteItems';
    return { ...(isTransaction ? throttledTransaction(refusals) : throttledCall(first)), throttled };
  }

  /** Requests `ReturnConsumedCapacity`, and removes it where the client did not. */
  async function meteredQuery(call: AwsCall): Promise<AwsResponse> {
    const input = jsonBody(call);
    const [partition = ''] = queriedKeys(input);
    const index = typeof input.IndexName === 'string' ? input.IndexName : null;
    const refusal = throttle?.refusalOf('Read', [{ index, partition }]);
    if (refusal) return { ...throttledCall(refusal), throttled: [refusal] };
    const requested = input.ReturnConsumedCapacity;
    const isRequested = requested === 'TOTAL' || requested === 'INDEXES';
    const asking = JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' });
    const response = await forward(call, isRequested ? call.body : asking);
    if (response.status !== 200) return response;
    const { ConsumedCapacity: consumed, ...rest }: QueryOutput = JSON.parse(response.body.toString());
    const taken = [{ index, partition, sort: '', units: consumed?.CapacityUnits ?? 0 }];
    throttle?.take('Read', taken);
    return {
      ...withUnits(isRequested ? response : { ...response, body: JSON.stringify(rest) }, taken),
      ...(rest.ScannedCount !== undefined && { items: rest.ScannedCount }),
    };
  }

  return {
    async handle(call, keys) {
      if (keys.length > 0) return await meteredWrite(call, keys);
      const operation = operationOf(call);
      const isQuery = operation === 'Query' || operation === 'Scan';
      return await (isQuery ? meteredQuery(call) : meteredReads(call));
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

/** The keys of a batch that pass, and the others. */
function splitBatch(input: Readonly<Record<string, unknown>>, passed: readonly ItemOf[]) {
  const passing = new Set(passed.map(({ table, key }) => JSON.stringify([table, key])));
  const wanted = Object.entries(input.RequestItems as Record<string, KeysAndAttributes>);
  const pick = (passes: boolean) =>
    Object.fromEntries(
      wanted
        .map(([table, { Keys = [], ...rest }]) => {
          const chosen = Keys.filter((key) => passing.has(JSON.stringify([table, key])) === passes);
          return [table, { ...rest, Keys: chosen }] as const;
        })
        .filter(([, { Keys }]) => Keys.length > 0),
    );
  return { input: { ...input, RequestItems: pick(true) }, rest: pick(false) };
}

function partitionOf(key: Image, [name = '']: readonly string[]): string {
  return keyText(key[name]);
}

/** What a write assigns to an attribute: of its item, or by `SET name = :value`. */
function assigned(
  { Item, UpdateExpression = '', ...names }: Write,
  attribute: string,
): AttributeValue | undefined {
  if (Item) return Item[attribute] as AttributeValue | undefined;
  const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = names;
  const assignments = [...UpdateExpression.matchAll(/(#?[\w.-]+)\s*=\s*(:[\w.-]+)/g)];
  const found = assignments.find(([, name = '']) => (ExpressionAttributeNames[name] ?? name) === attribute);
  return ExpressionAttributeValues[found?.[2] ?? ''];
}

function withUnits(response: AwsResponse, consumed: readonly ConsumedUnits[]): AwsResponse {
  return { ...response, capacity: consumed.reduce((sum, { units }) => sum + units, 0), consumed };
}

/** Attribute of Time to Live (`lib/stacks/data.ts`). */
const expiryAttribute = 'expiresAt';

type DescribedTable = Pick<DescribeTableCommandOutput, 'Table'>;

function tableShape({ Table }: DescribedTable): TableShape {
  const namesOf = (schema: readonly KeySchemaElement[] = []) =>
    schema.map(({ AttributeName = '' }) => AttributeName);
  const keys = namesOf(Table?.KeySchema);
  const indexes = Table?.GlobalSecondaryIndexes ?? [];
  return {
    keys,
    expiry: expiryAttribute,
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
