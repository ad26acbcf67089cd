import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ListBackupsCommand,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDynamoDbService, type DynamoDbOptions } from '../../../lib/local/aws/dynamodb.ts';
import { createTransactionConflicts } from '../../../lib/local/aws/dynamodb-conflicts.ts';
import { createIndexLag, replicaOf } from '../../../lib/local/aws/dynamodb-index-lag.ts';
import { createThrottle } from '../../../lib/local/aws/dynamodb-throttle.ts';
import type { AwsResponse, NeededPermission } from '../../../lib/local/aws/service.ts';
import { startTableEngine } from '../../../lib/local/aws/table-engine.ts';
import { createClock } from '../../../lib/local/clock.ts';
import { localAws } from './local-aws.ts';

const { url, close } = await startTableEngine();
afterAll(close);

const TableName = 'mail';
const table = 'arn:aws:dynamodb:eu-central-1:111111111111:table/mail';

const mailTable = new CreateTableCommand({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
});

/** The service without tables. */
async function start(anomalies: Pick<DynamoDbOptions, 'conflicts' | 'indexLag' | 'throttle'> = {}) {
  const asked: NeededPermission[] = [];
  const service = createDynamoDbService({ url, ...anomalies });
  const aws = await localAws(
    () => [service],
    (_role, needed) => asked.push(needed) > 0,
  );
  const client = new DynamoDBClient(aws.as('api~1'));
  onTestFinished(async () => {
    const { TableNames = [] } = await client.send(new ListTablesCommand({}));
    for (const name of TableNames) await client.send(new DeleteTableCommand({ TableName: name }));
    client.destroy();
    await service.close();
  });
  const documents = DynamoDBDocumentClient.from(client);
  const createTable = () => client.send(mailTable);
  return { ...aws, client, documents, createTable, asked };
}

const indexed = 'indexed';
const indexedTable = new CreateTableCommand({
  ...mailTable.input,
  TableName: indexed,
  AttributeDefinitions: [
    ...(mailTable.input.AttributeDefinitions ?? []),
    { AttributeName: 'g1pk', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'GSI1',
      KeySchema: [{ AttributeName: 'g1pk', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
});

async function withTable() {
  const local = await start();
  await local.createTable();
  local.asked.length = 0;
  return local;
}

describe('DynamoDB', () => {
  it('shares items between roles', async () => {
    const { documents, as } = await withTable();
    await documents.send(new PutCommand({ TableName, Item: { pk: 'W#1', sk: 'A', n: 1 } }));
    const other = DynamoDBDocumentClient.from(new DynamoDBClient(as('worker~2')));
    const { Item } = await other.send(new GetCommand({ TableName, Key: { pk: 'W#1', sk: 'A' } }));
    expect(Item).toEqual({ pk: 'W#1', sk: 'A', n: 1 });
  });

  it('returns the cancellation reasons of a transaction', async () => {
    const { documents } = await withTable();
    const put = {
      TableName,
      Item: { pk: 'W#1', sk: 'A' },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
    await documents.send(new PutCommand({ TableName, Item: { pk: 'W#1', sk: 'A' } }));
    await expect(
      documents.send(new TransactWriteCommand({ TransactItems: [{ Put: put }] })),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: { pk: { S: 'W#1' }, sk: { S: 'A' } } }],
    });
  });

  it('requires the permission of each call on its table with its leading keys', async () => {
    const { documents, asked } = await withTable();
    const key = (pk: string) => ({ pk, sk: 'A' });
    await documents.send(new PutCommand({ TableName, Item: key('W#1') }));
    await documents.send(
      new UpdateCommand({
        TableName,
        Key: key('KEYHASH#1'),
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': 1 },
      }),
    );
    await documents.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: '#pk = :pk AND sk = :sk',
        ExpressionAttributeNames: { '#pk': 'pk' },
        ExpressionAttributeValues: { ':pk': 'W#2', ':sk': 'A' },
      }),
    );
    await documents.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [key('W#1'), key('W#2')] } } }),
    );
    const leading = (...keys: string[]) => ({ 'dynamodb:LeadingKeys': keys });
    expect(asked).toEqual([
      { action: 'dynamodb:PutItem', resource: table, context: leading('W#1') },
      { action: 'dynamodb:UpdateItem', resource: table, context: leading('KEYHASH#1') },
      { action: 'dynamodb:Query', resource: table, context: leading('W#2') },
      { action: 'dynamodb:BatchGetItem', resource: table, context: leading('W#1', 'W#2') },
    ]);
  });

  it('requires the permissions of each item of a transaction', async () => {
    const { documents, asked } = await withTable();
    await documents.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName, Item: { pk: 'W#1', sk: 'A' } } },
          { Put: { TableName, Item: { pk: 'W#1#OUT', sk: 'A' } } },
          { Delete: { TableName, Key: { pk: 'W#2', sk: 'A' } } },
          {
            ConditionCheck: {
              TableName,
              Key: { pk: 'W#3', sk: 'A' },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
      }),
    );
    expect(asked.map(({ action, context }) => [action, context?.['dynamodb:LeadingKeys']])).toEqual([
      ['dynamodb:PutItem', ['W#1', 'W#1#OUT']],
      ['dynamodb:DeleteItem', ['W#2']],
      ['dynamodb:ConditionCheckItem', ['W#3']],
    ]);
  });

  it('records capacity units, evaluated items and written keys while metering, without changing responses', async () => {
    const { documents, gateway } = await withTable();
    gateway.recorder.clear();
    gateway.recorder.metering = true;
    const Item = { pk: 'W#1', sk: 'A', text: 'a'.repeat(3000) };
    expect(await documents.send(new PutCommand({ TableName, Item }))).not.toHaveProperty('ConsumedCapacity');
    const asking = new GetCommand({
      TableName,
      Key: { pk: 'W#1', sk: 'A' },
      ReturnConsumedCapacity: 'TOTAL',
    });
    expect(await documents.send(asking)).toMatchObject({ ConsumedCapacity: { CapacityUnits: 0.5 }, Item });
    const puts = ['B', 'C'].map((sk) => ({ Put: { TableName, Item: { ...Item, sk } } }));
    await documents.send(new TransactWriteCommand({ TransactItems: puts }));
    const Keys = ['A', 'nothing'].map((sk) => ({ pk: 'W#1', sk }));
    await documents.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
    );
    await documents.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: 'attribute_not_exists(#text)',
        ExpressionAttributeNames: { '#text': 'text' },
        ExpressionAttributeValues: { ':pk': 'W#1' },
      }),
    );
    gateway.recorder.metering = false;
    await documents.send(new PutCommand({ TableName, Item }));
    const recorded = gateway.recorder.calls();
    expect(recorded.map(({ action, capacity, items, keys }) => [action, capacity, items, keys])).toEqual([
      ['PutItem', 3, undefined, ['W#1 A']],
      ['GetItem', 0.5, 1, undefined],
      ['TransactWriteItems', 12, undefined, ['W#1 B', 'W#1 C']],
      ['BatchGetItem', 2, 2, undefined],
      // Filtered items count as evaluated.
      ['Query', 1.5, 3, undefined],
      ['PutItem', undefined, undefined, undefined],
    ]);
  });

  it('names the table and index partitions of each unit while metering', async () => {
    const { client, documents, gateway } = await withTable();
    await client.send(indexedTable);
    gateway.recorder.clear();
    gateway.recorder.metering = true;
    const item = (sk: string, g1pk: string) => ({ pk: 'W#1', sk, g1pk });
    const conditional = { TableName: indexed, ConditionExpression: 'attribute_not_exists(pk)' };
    await documents.send(new PutCommand({ TableName: indexed, Item: item('A', 'P#1') }));
    await documents.send(
      new UpdateCommand({
        TableName: indexed,
        Key: { pk: 'W#1', sk: 'A' },
        UpdateExpression: 'SET g1pk = :p',
        ExpressionAttributeValues: { ':p': 'P#2' },
      }),
    );
    await expect(
      documents.send(new PutCommand({ ...conditional, Item: item('A', 'P#3') })),
    ).rejects.toThrow();
    await documents.send(
      new TransactWriteCommand({ TransactItems: [{ Put: { ...conditional, Item: item('B', 'P#2') } }] }),
    );
    await documents.send(
      new QueryCommand({
        TableName: indexed,
        IndexName: 'GSI1',
        KeyConditionExpression: 'g1pk = :p',
        ExpressionAttributeValues: { ':p': 'P#2' },
      }),
    );
    const units = gateway.recorder
      .calls()
      .map(({ consumed = [] }) => consumed.map((one) => [one.index, one.partition, one.units]));
    const own = (amount: number) => [null, 'W#1', amount];
    expect(units).toEqual([
      [own(1), ['GSI1', 'P#1', 1]],
      [own(1), ['GSI1', 'P#1', 1], ['GSI1', 'P#2', 1]],
      [own(1)],
      [own(2), ['GSI1', 'P#2', 1]],
      [['GSI1', 'P#2', 0.5]],
    ]);
  });

  it('records the least units of a query or scan that finds nothing', async () => {
    const { client, documents, gateway } = await withTable();
    await client.send(indexedTable);
    gateway.recorder.clear();
    gateway.recorder.metering = true;
    const query = (name: string, options: Partial<QueryCommandInput>) =>
      documents.send(
        new QueryCommand({
          TableName: indexed,
          KeyConditionExpression: `${name} = :nothing`,
          ExpressionAttributeValues: { ':nothing': 'nothing' },
          ...options,
        }),
      );
    await query('pk', {});
    await query('pk', { ConsistentRead: true });
    await query('pk', { ConsistentRead: true, Select: 'COUNT' });
    await query('g1pk', { IndexName: 'GSI1' });
    await documents.send(new ScanCommand({ TableName: indexed }));
    await documents.send(new ScanCommand({ TableName: indexed, ConsistentRead: true }));
    const recorded = gateway.recorder.calls();
    expect(recorded.map(({ action, capacity, items }) => [action, capacity, items])).toEqual([
      ['Query', 0.5, 0],
      ['Query', 1, 0],
      ['Query', 1, 0],
      ['Query', 0.5, 0],
      ['Scan', 0.5, 0],
      ['Scan', 1, 0],
    ]);
  });

  it('rejects unsupported operations', async () => {
    const { client } = await start();
    await expect(client.send(new ListBackupsCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

describe('DynamoDB with limits of throughput', () => {
  const limits = { partitionWrites: 2, partitionReads: 2, tableWrites: 100, tableReads: 100 };
  /** The clock stands still: what is used up stays so. */
  async function limited() {
    const local = await start({ throttle: createThrottle(limits, () => 0) });
    const once = DynamoDBDocumentClient.from(new DynamoDBClient({ ...local.as('api~1'), maxAttempts: 1 }));
    await local.client.send(indexedTable);
    const put = (Item: Record<string, string>) => once.send(new PutCommand({ TableName: indexed, Item }));
    return { ...local, once, put };
  }

  it('throttles a full partition, and no other', async () => {
    const { put, gateway } = await limited();
    await put({ pk: 'W#1', sk: 'A' });
    await put({ pk: 'W#1', sk: 'B' });
    await expect(put({ pk: 'W#1', sk: 'C' })).rejects.toMatchObject({ name: 'ThrottlingException' });
    await put({ pk: 'W#2', sk: 'A' });
    expect(gateway.recorder.calls().flatMap(({ throttled = [] }) => throttled)).toEqual([
      { index: null, partition: 'W#1', reason: 'TableWriteKeyRangeThroughputExceeded' },
    ]);
  });

  it('throttles the writes that change a full index, also those of its old entries', async () => {
    const { put, once } = await limited();
    await put({ pk: 'W#1', sk: 'A', g1pk: 'P' });
    await put({ pk: 'W#2', sk: 'A', g1pk: 'P' });
    const throttled = { name: 'ThrottlingException' };
    await expect(put({ pk: 'W#3', sk: 'A', g1pk: 'P' })).rejects.toMatchObject(throttled);
    const update = (expression: string, pk: string) =>
      once.send(
        new UpdateCommand({
          TableName: indexed,
          Key: { pk, sk: 'A' },
          UpdateExpression: expression,
          ExpressionAttributeValues: { ':p': 'P' },
        }),
      );
    await expect(update('SET g1pk = :p', 'W#4')).rejects.toMatchObject(throttled);
    await expect(update('SET other = :p', 'W#2')).rejects.toMatchObject(throttled);
    await put({ pk: 'W#5', sk: 'A', g1pk: 'Q' });
  });

  it('cancels a transaction with an item that is throttled', async () => {
    const { put, once } = await limited();
    await put({ pk: 'W#1', sk: 'A' });
    await put({ pk: 'W#1', sk: 'B' });
    const puts = ['W#2', 'W#1'].map((pk) => ({ Put: { TableName: indexed, Item: { pk, sk: 'C' } } }));
    await expect(once.send(new TransactWriteCommand({ TransactItems: puts }))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
    });
  });

  it('leaves the throttled keys of a batch unprocessed, and fails when all are', async () => {
    const { once } = await limited();
    const batch = (...keys: string[]) =>
      once.send(
        new BatchGetCommand({
          RequestItems: {
            [indexed]: { Keys: keys.map((pk) => ({ pk, sk: 'A' })), ConsistentRead: true },
          },
        }),
      );
    for (let read = 0; read < 2; read++) await batch('W#1');
    const { UnprocessedKeys } = await batch('W#1', 'W#2');
    expect(UnprocessedKeys?.[indexed]?.Keys).toEqual([{ pk: 'W#1', sk: 'A' }]);
    await expect(batch('W#1')).rejects.toMatchObject({ name: 'ThrottlingException' });
    const query = new QueryCommand({
      TableName: indexed,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'W#1' },
    });
    await expect(once.send(query)).rejects.toMatchObject({ name: 'ThrottlingException' });
  });

  it('leaves the throttled items of a batch unprocessed, and fails when all are', async () => {
    const { put, once } = await limited();
    const putBatch = (...keys: string[]) =>
      once.send(
        new BatchWriteCommand({
          RequestItems: {
            [indexed]: keys.map((pk) => ({ PutRequest: { Item: { pk, sk: 'C', g1pk: `of ${pk}` } } })),
          },
        }),
      );
    await put({ pk: 'W#1', sk: 'A' });
    await put({ pk: 'W#1', sk: 'B' });
    const { UnprocessedItems } = await putBatch('W#1', 'W#2');
    expect(UnprocessedItems?.[indexed]?.map(({ PutRequest }) => PutRequest?.Item?.pk)).toEqual(['W#1']);
    const stored = await once.send(new ScanCommand({ TableName: indexed, ProjectionExpression: 'pk, sk' }));
    expect(stored.Items?.map(({ pk, sk }) => `${pk} ${sk}`).toSorted()).toEqual(['W#1 A', 'W#1 B', 'W#2 C']);
    await expect(putBatch('W#1')).rejects.toMatchObject({ name: 'ThrottlingException' });
  });
});

describe('DynamoDB with lagging indexes', () => {
  const indexed = (name: string) =>
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'g1pk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      KeySchema: mailTable.input.KeySchema,
      GlobalSecondaryIndexes: [
        {
          IndexName: 'GSI1',
          KeySchema: [{ AttributeName: 'g1pk', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });

  it('reads indexes as they were until the lag has passed, and tables at once', async () => {
    const clock = createClock();
    onTestFinished(clock.close);
    const progress = { calls: 0 };
    const indexLag = createIndexLag({
      clock,
      lagMsMax: 2_000_000,
      random: () => 0.5,
      onProgress: () => (progress.calls += 1),
    });
    const { client, documents } = await start({ indexLag });
    await client.send(indexed(TableName));
    await client.send(indexed(replicaOf(TableName)));
    const key = { pk: 'a', sk: '1' };
    const byIndex = async () =>
      (
        await documents.send(
          new QueryCommand({
            TableName,
            IndexName: 'GSI1',
            KeyConditionExpression: 'g1pk = :one',
            ExpressionAttributeValues: { ':one': 'x' },
          }),
        )
      ).Items;
    const caughtUp = () => vi.waitFor(() => expect(indexLag.pendingWork()).toBeNull());
    await documents.send(new PutCommand({ TableName, Item: { ...key, g1pk: 'x', n: 1 } }));
    expect(await byIndex()).toEqual([]);
    expect((await documents.send(new GetCommand({ TableName, Key: key }))).Item).toMatchObject({ n: 1 });
    expect(indexLag.pendingWork()).toBe('1 index updates');
    await clock.advance(1_000_000);
    await caughtUp();
    expect(await byIndex()).toMatchObject([{ n: 1 }]);
    await documents.send(new TransactWriteCommand({ TransactItems: [{ Delete: { TableName, Key: key } }] }));
    expect(await byIndex()).toMatchObject([{ n: 1 }]);
    await clock.advance(1_000_000);
    await caughtUp();
    expect([await byIndex(), progress.calls]).toEqual([[], 2]);
  });
});

describe('DynamoDB with transaction conflicts', () => {
  const put = (sk: string) => ({ Put: { TableName, Item: { pk: 'a', sk } } });

  it('cancels a fraction of the transactions', async () => {
    const chances = [0.1, 0.9];
    const { client, documents } = await start({
      conflicts: createTransactionConflicts(0.5, () => chances.shift() ?? 1),
    });
    await client.send(mailTable);
    const write = () => documents.send(new TransactWriteCommand({ TransactItems: [put('1'), put('2')] }));
    await expect(write()).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    });
    await expect(write()).resolves.toBeDefined();
  });

  it('rejects writes to items of a transaction in progress', async () => {
    const conflicts = createTransactionConflicts(0.5, () => 1);
    const key = { table: TableName, key: {}, id: 'mail 1' };
    let finish = (): void => {};
    const first = conflicts.guard(
      'TransactWriteItems',
      [key],
      () => new Promise<AwsResponse>((resolve) => (finish = () => resolve({ status: 200 }))),
    );
    const done = async (): Promise<AwsResponse> => ({ status: 200 });
    const second = await conflicts.guard('TransactWriteItems', [{ ...key, id: 'mail 2' }, key], done);
    const single = await conflicts.guard('PutItem', [key], done);
    expect([second, single].map(({ status, body }) => [status, JSON.parse(String(body))])).toMatchObject([
      [400, { CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }] }],
      [400, { __type: expect.stringContaining('TransactionConflictException') }],
    ]);
    finish();
    await first;
    expect(await conflicts.guard('PutItem', [key], done)).toEqual({ status: 200 });
  });

  it('reports a transaction in progress when it is repeated with its token, and no conflict', async () => {
    const conflicts = createTransactionConflicts(0.5, () => 1);
    const key = { table: TableName, key: {}, id: 'mail 1' };
    let finish = (): void => {};
    const hangs = () => new Promise<AwsResponse>((resolve) => (finish = () => resolve({ status: 200 })));
    const first = conflicts.guard('TransactWriteItems', [key], hangs, 'token');
    const repeat = () =>
      conflicts.guard(
        'TransactWriteItems',
        [key],
        async (): Promise<AwsResponse> => ({ status: 200 }),
        'token',
      );
    const { status, body } = await repeat();
    expect([status, JSON.parse(String(body))]).toMatchObject([
      400,
      { __type: expect.stringContaining('TransactionInProgressException') },
    ]);
    finish();
    await first;
    expect(await repeat()).toEqual({ status: 200 });
  });
});
