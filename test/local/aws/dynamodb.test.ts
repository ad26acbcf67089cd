import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ListBackupsCommand,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDynamoDbService } from '../../../lib/local/aws/dynamodb.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../../lib/local/aws/dynamodb-local.ts';
import type { NeededPermission } from '../../../lib/local/aws/service.ts';
import { localAws } from './local-aws.ts';

let java: DynamoDbLocal;
beforeAll(async () => {
  java = await startDynamoDbLocal();
}, 30_000);
afterAll(() => java.close());

let namespaces = 0;
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

async function start(namespace = `test${++namespaces}`) {
  const asked: NeededPermission[] = [];
  const service = createDynamoDbService({ url: java.url, namespace });
  const aws = await localAws(
    () => [service],
    (_role, needed) => asked.push(needed) > 0,
  );
  const client = new DynamoDBClient(aws.as('api~1'));
  onTestFinished(async () => {
    client.destroy();
    await service.close();
  });
  const documents = DynamoDBDocumentClient.from(client);
  const createTable = () => client.send(mailTable);
  return { ...aws, client, documents, createTable, asked };
}

async function withTable() {
  const local = await start();
  await local.createTable();
  local.asked.length = 0;
  return local;
}

describe('DynamoDB', () => {
  it('shares items between the roles of a namespace and isolates namespaces', async () => {
    const { documents, as } = await withTable();
    await documents.send(new PutCommand({ TableName, Item: { pk: 'W#1', sk: 'A', n: 1 } }));
    const other = DynamoDBDocumentClient.from(new DynamoDBClient(as('worker~2')));
    const { Item } = await other.send(new GetCommand({ TableName, Key: { pk: 'W#1', sk: 'A' } }));
    expect(Item).toEqual({ pk: 'W#1', sk: 'A', n: 1 });
    const elsewhere = await start();
    await expect(elsewhere.client.send(new DescribeTableCommand({ TableName }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
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
        KeyConditionExpression: 'sk = :sk AND #pk = :pk',
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

  it('records capacity units and evaluated items while metering, without changing responses', async () => {
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
    expect(gateway.recorder.calls().map(({ action, capacity, items }) => [action, capacity, items])).toEqual([
      ['PutItem', 3, undefined],
      ['GetItem', 0.5, 1],
      ['TransactWriteItems', 12, undefined],
      ['BatchGetItem', 2, 2],
      // Filtered items count as evaluated.
      ['Query', 1.5, 3],
      ['PutItem', undefined, undefined],
    ]);
  });

  it('rejects unsupported operations', async () => {
    const { client } = await start();
    await expect(client.send(new ListBackupsCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

describe('DynamoDB Local', () => {
  it('keeps its data between runs when it has a directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-dynamodb-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const tablesAfter = async (work: (client: DynamoDBClient) => Promise<unknown>) => {
      const process = await startDynamoDbLocal({ directory });
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
      const client = new DynamoDBClient({ endpoint: process.url, region: 'eu-central-1', credentials });
      await work(client);
      const { TableNames } = await client.send(new ListTablesCommand({}));
      client.destroy();
      await process.close();
      return TableNames;
    };
    await tablesAfter((client) => client.send(mailTable));
    expect(await tablesAfter(async () => {})).toEqual([TableName]);
  }, 30_000);

  it('fails to start when another process uses the port', async () => {
    const port = Number(new URL(java.url).port);
    await expect(startDynamoDbLocal({ port })).rejects.toThrow(`port ${port} is taken`);
  });
});
