/** Metering of DynamoDB calls: consumed capacity units and evaluated items, corrected where DynamoDB Local differs. */
import type {
  DescribeTableCommandOutput,
  KeySchemaElement,
  KeysAndAttributes,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { type Image, type IndexShape, transactedUnits } from './dynamodb-capacity.ts';
import { type DynamoDbOperation, operationOf } from './dynamodb-operations.ts';
import { jsonBody } from './json-protocol.ts';
import type { AwsCall, AwsResponse } from './service.ts';

type Forward = (call: AwsCall, body: Buffer | string) => Promise<AwsResponse & { body: Buffer }>;

/** @param forward sends a call with another body to DynamoDB Local */
export function createMetering(forward: Forward): { handle(call: AwsCall): Promise<AwsResponse> } {
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

  /** Runs a call and adds the consumed capacity units to the response. */
  async function handle(call: AwsCall): Promise<AwsResponse> {
    switch (operationOf(call)) {
      case 'TransactWriteItems':
        return await meteredTransaction(call);
      case 'BatchGetItem':
        return await meteredBatch(call);
      default: {
        const { response, output, units } = await withConsumedCapacity(call);
        if (units === null) return response;
        const items = itemsRead(operationOf(call), output);
        return { ...response, capacity: units, ...(items !== null && { items }) };
      }
    }
  }

  /** Requests `ReturnConsumedCapacity` and removes it when the client did not; `units` null: the call failed. */
  async function withConsumedCapacity(
    call: AwsCall,
  ): Promise<{ response: AwsResponse; output: unknown; units: number | null }> {
    const input = jsonBody(call);
    const requested = input.ReturnConsumedCapacity;
    const isRequested = requested === 'TOTAL' || requested === 'INDEXES';
    const response = await forward(
      call,
      isRequested ? call.body : JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    );
    if (response.status !== 200) return { response, output: null, units: null };
    const { ConsumedCapacity: consumed, ...rest }: Record<string, unknown> = JSON.parse(
      response.body.toString(),
    );
    return {
      response: isRequested ? response : { ...response, body: JSON.stringify(rest) },
      output: rest,
      units: unitsOf(consumed),
    };
  }

  async function meteredTransaction(call: AwsCall): Promise<AwsResponse> {
    const writes = (jsonBody(call).TransactItems as TransactWriteItem[]).flatMap(
      ({ Put, Update, Delete, ConditionCheck }) => Put ?? Update ?? Delete ?? ConditionCheck ?? [],
    );
    const targets = await Promise.all(
      writes.map(async (write) => {
        const TableName = write.TableName ?? '';
        const shape = await shapeOf(call, TableName);
        const of = ('Item' in write ? write.Item : 'Key' in write ? write.Key : null) ?? {};
        const Key = Object.fromEntries(shape.keys.map((name) => [name, of[name]]));
        return { TableName, Key, indexes: shape.indexes };
      }),
    );
    const images = async () => {
      const TransactItems = targets.map(({ TableName, Key }) => ({ Get: { TableName, Key } }));
      const found = await ask<{ Responses: { Item?: Image }[] }>(call, 'TransactGetItems', { TransactItems });
      return found.Responses.map(({ Item }) => Item ?? null);
    };
    const before = await images();
    const response = await forward(call, call.body);
    if (response.status !== 200) return response;
    const after = await images();
    const units = targets.map(({ indexes }, at) =>
      transactedUnits(before[at] ?? null, after[at] ?? null, indexes),
    );
    return { ...response, capacity: units.reduce((sum, one) => sum + one, 0) };
  }

  async function meteredBatch(call: AwsCall): Promise<AwsResponse> {
    const { response, output, units } = await withConsumedCapacity(call);
    if (units === null) return response;
    const wanted = Object.entries(jsonBody(call).RequestItems as Record<string, KeysAndAttributes>);
    const found = (output as { Responses?: Record<string, unknown[]> }).Responses ?? {};
    const missed = wanted.map(([table, { Keys = [], ConsistentRead }]) => {
      const count = Keys.length - (found[table]?.length ?? 0);
      return ConsistentRead ? count : count / 2;
    });
    const items = wanted.reduce((sum, [, { Keys = [] }]) => sum + Keys.length, 0);
    return { ...response, capacity: missed.reduce((sum, one) => sum + one, units), items };
  }

  return { handle };
}

interface TableShape {
  readonly keys: readonly string[];
  readonly indexes: readonly IndexShape[];
}

type DescribedTable = Pick<DescribeTableCommandOutput, 'Table'>;

function tableShape({ Table }: DescribedTable): TableShape {
  const namesOf = (schema: readonly KeySchemaElement[] = []) =>
    schema.map(({ AttributeName = '' }) => AttributeName);
  const keys = namesOf(Table?.KeySchema);
  const indexes = Table?.GlobalSecondaryIndexes ?? [];
  return {
    keys,
    indexes: indexes.map(({ KeySchema, Projection }) => ({
      keys: namesOf(KeySchema),
      projected:
        Projection?.ProjectionType === 'ALL'
          ? null
          : [...keys, ...namesOf(KeySchema), ...(Projection?.NonKeyAttributes ?? [])],
    })),
  };
}

/** Items that a single read evaluated, before filters; null: a write. */
function itemsRead(operation: DynamoDbOperation, output: unknown): number | null {
  if (operation === 'GetItem') return 1;
  if (operation !== 'Query' && operation !== 'Scan') return null;
  return (output as { ScannedCount?: number }).ScannedCount ?? null;
}

/** Capacity units of `ConsumedCapacity`, one table or several. */
function unitsOf(consumed: unknown): number {
  const parts: readonly { CapacityUnits?: number }[] = Array.isArray(consumed) ? consumed : [consumed ?? {}];
  return parts.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0);
}
