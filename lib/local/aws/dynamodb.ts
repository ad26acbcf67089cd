/** DynamoDB as the gateway offers it: DynamoDB Local behind, permissions read from the call, capacity noted. */
import type {
  DescribeTableCommandOutput,
  KeySchemaElement,
  KeysAndAttributes,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { Pool } from 'undici';
import { type Image, type IndexShape, transactedUnits } from './dynamodb-capacity.ts';
import { permissionsOf } from './dynamodb-permissions.ts';
import { jsonBody, jsonRefusal, targetOperation } from './json-protocol.ts';
import { type AwsCall, type AwsResponse, type AwsService, localAccount } from './service.ts';

export interface DynamoDbService extends AwsService {
  /** Ends the kept connections. */
  close(): Promise<void>;
}

export interface DynamoDbOptions {
  /** Of DynamoDB Local. */
  readonly url: string;
  /** Letters and digits: the access key id whose database is used, whoever calls. */
  readonly namespace: string;
  readonly account?: string;
}

/** Calls that can say what they consumed. */
const dataOperations = [
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
] as const;
const operations = [
  ...dataOperations,
  'CreateTable',
  'UpdateTable',
  'DescribeTable',
  'DeleteTable',
  'ListTables',
  'UpdateTimeToLive',
  'DescribeTimeToLive',
  'ListStreams',
  'DescribeStream',
  'GetShardIterator',
  'GetRecords',
] as const;
export type DynamoDbOperation = (typeof operations)[number];

const connections = 64;

export function createDynamoDbService({
  url,
  namespace,
  account = localAccount,
}: DynamoDbOptions): DynamoDbService {
  if (!/^[A-Za-z0-9]+$/.test(namespace)) throw new Error(`not a namespace for DynamoDB Local: ${namespace}`);
  const pool = new Pool(url, { connections });

  /** DynamoDB Local does not verify signatures, so it is enough to say another name. */
  function asNamespace(authorization: string): string {
    return authorization.replace(/Credential=[^/]+/, `Credential=${namespace}`);
  }

  async function forward(call: AwsCall, body: Buffer | string): Promise<AwsResponse & { body: Buffer }> {
    const answer = await pool.request({
      method: 'POST',
      path: '/',
      headers: {
        'content-type': call.headers['content-type'] ?? 'application/x-amz-json-1.0',
        'x-amz-target': call.headers['x-amz-target'] ?? '',
        'x-amz-date': call.headers['x-amz-date'] ?? '',
        authorization: asNamespace(call.headers.authorization ?? ''),
      },
      body,
    });
    return {
      status: answer.statusCode,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(await answer.body.arrayBuffer()),
    };
  }

  /** A call of our own beside one of a client's. */
  async function ask<T>(call: AwsCall, operation: DynamoDbOperation, input: unknown): Promise<T> {
    const headers = { ...call.headers, 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const answer = await forward({ ...call, headers }, JSON.stringify(input));
    return JSON.parse(answer.body.toString()) as T;
  }

  const shapes = new Map<string, Promise<TableShape>>();
  function shapeOf(call: AwsCall, TableName: string): Promise<TableShape> {
    const known =
      shapes.get(TableName) ?? ask<DescribedTable>(call, 'DescribeTable', { TableName }).then(tableShape);
    shapes.set(TableName, known);
    return known;
  }

  /** Carries the call out, and says what it consumed. */
  async function metered(call: AwsCall): Promise<AwsResponse> {
    switch (operationOf(call)) {
      case 'TransactWriteItems':
        return await meteredTransaction(call);
      case 'BatchGetItem':
        return await meteredBatch(call);
      default: {
        const { answer, output, units } = await asking(call);
        if (units === null) return answer;
        const items = itemsRead(operationOf(call), output);
        return { ...answer, capacity: units, ...(items !== null && { items }) };
      }
    }
  }

  /** Asks what the call consumed, and hides the figure from a client that did not ask; null for a refusal. */
  async function asking(
    call: AwsCall,
  ): Promise<{ answer: AwsResponse; output: unknown; units: number | null }> {
    const input = jsonBody(call);
    const asked = input.ReturnConsumedCapacity;
    const isAsked = asked === 'TOTAL' || asked === 'INDEXES';
    const answer = await forward(
      call,
      isAsked ? call.body : JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    );
    if (answer.status !== 200) return { answer, output: null, units: null };
    const { ConsumedCapacity: consumed, ...rest }: Record<string, unknown> = JSON.parse(
      answer.body.toString(),
    );
    return {
      answer: isAsked ? answer : { ...answer, body: JSON.stringify(rest) },
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
    const answer = await forward(call, call.body);
    if (answer.status !== 200) return answer;
    const after = await images();
    const units = targets.map(({ indexes }, at) =>
      transactedUnits(before[at] ?? null, after[at] ?? null, indexes),
    );
    return { ...answer, capacity: units.reduce((sum, one) => sum + one, 0) };
  }

  async function meteredBatch(call: AwsCall): Promise<AwsResponse> {
    const { answer, output, units } = await asking(call);
    if (units === null) return answer;
    const wanted = Object.entries(jsonBody(call).RequestItems as Record<string, KeysAndAttributes>);
    const found = (output as { Responses?: Record<string, unknown[]> }).Responses ?? {};
    const missed = wanted.map(([table, { Keys = [], ConsistentRead }]) => {
      const count = Keys.length - (found[table]?.length ?? 0);
      return ConsistentRead ? count : count / 2;
    });
    const items = wanted.reduce((sum, [, { Keys = [] }]) => sum + Keys.length, 0);
    return { ...answer, capacity: missed.reduce((sum, one) => sum + one, units), items };
  }

  return {
    name: 'dynamodb',
    action: operationOf,
    permissions: (call) => permissionsOf(operationOf(call), jsonBody(call), call.region, account),
    handle: (call) =>
      call.metered && isDataCall(operationOf(call)) ? metered(call) : forward(call, call.body),
    refuse: (refusal) => jsonRefusal(refusal, '1.0'),
    close: () => pool.close(),
  };
}

function operationOf(call: AwsCall): DynamoDbOperation {
  return targetOperation(call, 'dynamodb', operations);
}

function isDataCall(operation: DynamoDbOperation): boolean {
  return dataOperations.some((each) => each === operation);
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

/** How many items a single read looked at, whatever a filter left of them; null for a write. */
function itemsRead(operation: DynamoDbOperation, output: unknown): number | null {
  if (operation === 'GetItem') return 1;
  if (operation !== 'Query' && operation !== 'Scan') return null;
  return (output as { ScannedCount?: number }).ScannedCount ?? null;
}

/** Capacity units of one table or of several. */
function unitsOf(consumed: unknown): number {
  const parts: readonly { CapacityUnits?: number }[] = Array.isArray(consumed) ? consumed : [consumed ?? {}];
  return parts.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0);
}
