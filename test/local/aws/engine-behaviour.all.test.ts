/**
 * What AWS documents and the product relies on, asked of each table engine. A case that an engine fails is named with it: it fails
 * here, too, once the engine has mended it.
 */
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingJava } from '../../../lib/local/aws/dynamodb-local.ts';
import { dynoxideProgram } from '../../../lib/local/aws/dynoxide.ts';
import {
  engineCredentials,
  engineRegion,
  startTableEngine,
  type TableEngine,
} from '../../../lib/local/aws/table-engine.ts';
import { createStreamReader } from '../../../lib/local/stream-reader.ts';

const TableName = 'items';

interface Tables {
  readonly engine: TableEngine;
  readonly client: DynamoDBClient;
  readonly documents: DynamoDBDocumentClient;
  readonly streams: DynamoDBStreamsClient;
  readonly readStream: ReturnType<typeof createStreamReader>;
}

async function startTables(name: string): Promise<Tables> {
  vi.stubEnv('PARLEY_TABLE_ENGINE', name);
  const engine = await startTableEngine();
  vi.unstubAllEnvs();
  const connection = { endpoint: engine.url, region: engineRegion, credentials: engineCredentials };
  const client = new DynamoDBClient(connection);
  const streams = new DynamoDBStreamsClient(connection);
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'g1pk', 'g1sk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'GSI1',
          KeySchema: [
            { AttributeName: 'g1pk', KeyType: 'HASH' },
            { AttributeName: 'g1sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  return {
    engine,
    client,
    documents: DynamoDBDocumentClient.from(client),
    streams,
    readStream: createStreamReader({
      client: streams,
      streamArn: TableDescription?.LatestStreamArn ?? '',
      sourceArn: 'arn:stream',
      region: engineRegion,
    }),
  };
}

type Item = Readonly<Record<string, unknown>>;

/** Operations of one case, in a partition of its own. */
function operationsIn({ documents, readStream }: Tables, pk: string) {
  return {
    pk,
    documents,
    put: (item: Item, input: object = {}) =>
      documents.send(new PutCommand({ TableName, Item: { pk, ...item }, ...input })),
    get: async (sk: string) =>
      (await documents.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }))).Item,
    update: (sk: string, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
      documents.send(new UpdateCommand({ TableName, Key: { pk, sk }, ...input })),
    query: (input: Partial<QueryCommandInput> = {}) =>
      documents.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          ...input,
        }),
      ),
    transact: (items: TransactWriteCommandInput['TransactItems'], token?: string) =>
      documents.send(
        new TransactWriteCommand({ TransactItems: items, ...(token && { ClientRequestToken: token }) }),
      ),
    putOf: (item: Item) => ({ Put: { TableName, Item: { pk, ...item } } }),
    async records() {
      const { records } = await readStream();
      return records
        .filter(({ dynamodb }) => dynamodb?.Keys?.pk?.S === pk)
        .map(({ eventName, dynamodb }) => `${eventName} ${dynamodb?.Keys?.sk?.S}`);
    },
  };
}
type Operations = ReturnType<typeof operationsIn>;

const invalid = { name: 'ValidationException' };
const kilobytes = (count: number) => 'x'.repeat(count * 1024);
const range = (count: number) => Array.from({ length: count }, (_, at) => at);

interface Case {
  readonly name: string;
  /** Engines that fail it. */
  readonly differs?: readonly string[];
  readonly run: (operations: Operations) => Promise<unknown>;
}

const cases: readonly Case[] = [
  {
    name: 'takes the conditions on the keys in either order',
    differs: ['dynoxide'],
    run: async ({ pk, put, query }) => {
      await put({ sk: 'A' });
      const { Count } = await query({
        KeyConditionExpression: 'sk = :sk AND pk = :pk',
        ExpressionAttributeValues: { ':pk': pk, ':sk': 'A' },
      });
      expect(Count).toBe(1);
    },
  },
  {
    // "Change data capture for DynamoDB Streams", DynamoDB developer guide.
    // dynoxide writes one, which the reader of the stream leaves out.
    name: 'has no stream record when a write changes nothing',
    run: async ({ put, update, records }) => {
      await put({ sk: 'A', n: 1 });
      await put({ sk: 'A', n: 1 });
      await update('A', { UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': 1 } });
      expect(await records()).toEqual(['INSERT A']);
    },
  },
  {
    name: 'writes the stream records of a transaction that changes each of its items',
    run: async ({ transact, putOf, records }) => {
      await transact(['A', 'B', 'C'].map((sk) => putOf({ sk })));
      expect((await records()).toSorted()).toEqual(['INSERT A', 'INSERT B', 'INSERT C']);
    },
  },
  {
    name: 'carries a transaction with one token out once',
    run: async ({ pk, get, transact }) => {
      const add = {
        Update: {
          TableName,
          Key: { pk, sk: 'A' },
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': 1 },
        },
      };
      await transact([add], 'token-of-this-case');
      await transact([add], 'token-of-this-case');
      expect(await get('A')).toMatchObject({ n: 1 });
    },
  },
  {
    name: 'rejects a token when the transaction is another',
    run: async ({ transact, putOf }) => {
      await transact([putOf({ sk: 'A' })], 'token-of-two');
      await expect(transact([putOf({ sk: 'B' })], 'token-of-two')).rejects.toMatchObject({
        name: 'IdempotentParameterMismatchException',
      });
    },
  },
  {
    name: 'rejects a transaction with two writes of an item',
    run: async ({ transact, putOf }) => {
      await expect(transact([putOf({ sk: 'A' }), putOf({ sk: 'A', n: 2 })])).rejects.toMatchObject(invalid);
    },
  },
  {
    name: 'takes a transaction of 100 writes, and rejects 101',
    run: async ({ transact, putOf }) => {
      await transact(range(100).map((at) => putOf({ sk: `a${at}` })));
      await expect(transact(range(101).map((at) => putOf({ sk: `b${at}` })))).rejects.toMatchObject(invalid);
    },
  },
  {
    name: 'rejects a transaction over 4 MB',
    run: async ({ transact, putOf, query }) => {
      const writes = range(12).map((at) => putOf({ sk: `a${at}`, body: kilobytes(390) }));
      await expect(transact(writes)).rejects.toThrow();
      expect((await query({ Select: 'COUNT' })).Count).toBe(0);
    },
  },
  {
    name: 'says which write cancelled a transaction, and carries out none',
    run: async ({ put, get, transact, putOf }) => {
      await put({ sk: 'A' });
      const conditional = {
        Put: { ...putOf({ sk: 'A', n: 2 }).Put, ConditionExpression: 'attribute_not_exists(pk)' },
      };
      await expect(transact([putOf({ sk: 'B' }), conditional])).rejects.toMatchObject({
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
      });
      expect(await get('B')).toBeUndefined();
    },
  },
  {
    name: 'returns the item of a failed condition',
    run: async ({ put }) => {
      await put({ sk: 'A', n: 1 });
      const again = put(
        { sk: 'A', n: 2 },
        { ConditionExpression: 'attribute_not_exists(pk)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
      );
      await expect(again).rejects.toMatchObject({
        name: 'ConditionalCheckFailedException',
        Item: { n: { N: '1' } },
      });
    },
  },
  {
    name: 'rejects an item over 400 KB, also when an update makes it so',
    run: async ({ put, update }) => {
      await expect(put({ sk: 'A', body: kilobytes(401) })).rejects.toMatchObject(invalid);
      await put({ sk: 'B', body: kilobytes(399) });
      await expect(
        update('B', { UpdateExpression: 'SET more = :m', ExpressionAttributeValues: { ':m': kilobytes(2) } }),
      ).rejects.toMatchObject(invalid);
    },
  },
  {
    name: 'ends a page of a query at 1 MB',
    run: async ({ put, query }) => {
      for (const at of range(4)) await put({ sk: `a${at}`, body: kilobytes(390) });
      const { Count, LastEvaluatedKey } = await query();
      expect(Count).toBeLessThan(4);
      expect(LastEvaluatedKey?.sk).toBe(`a${Number(Count) - 1}`);
    },
  },
  {
    name: 'continues a query backwards in an index among equal sort keys',
    run: async ({ pk, put, query }) => {
      for (const at of range(5)) await put({ sk: `a${at}`, g1pk: pk, g1sk: 'same' });
      const seen: unknown[] = [];
      let ExclusiveStartKey: Item | undefined;
      do {
        const page = await query({
          IndexName: 'GSI1',
          KeyConditionExpression: 'g1pk = :pk',
          ScanIndexForward: false,
          Limit: 2,
          ...(ExclusiveStartKey && { ExclusiveStartKey }),
        });
        seen.push(...(page.Items ?? []).map(({ sk }) => sk));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
      expect(seen.toSorted()).toEqual(range(5).map((at) => `a${at}`));
    },
  },
  {
    name: 'sorts sort keys by their bytes of UTF-8',
    run: async ({ put, query }) => {
      const keys = ['Z', 'a', 'é', '\uff5e', '\u{1f600}'];
      for (const sk of keys.toReversed()) await put({ sk });
      expect((await query()).Items?.map(({ sk }) => sk)).toEqual(keys);
    },
  },
  {
    name: 'rejects keys that are empty or too long',
    run: async ({ put }) => {
      await expect(put({ sk: '' })).rejects.toMatchObject(invalid);
      await expect(put({ sk: 'x'.repeat(1025) })).rejects.toMatchObject(invalid);
      await expect(put({ sk: 'A', pk: 'x'.repeat(2049) })).rejects.toMatchObject(invalid);
      await put({ sk: 'x'.repeat(1024) });
    },
  },
  {
    name: 'rejects a key of an index that is empty',
    run: ({ put }) => expect(put({ sk: 'A', g1pk: 'B', g1sk: '' })).rejects.toMatchObject(invalid),
  },
  {
    name: 'rejects a key of an index that is too long',
    differs: ['dynoxide'],
    run: ({ put }) =>
      expect(put({ sk: 'A', g1pk: 'B', g1sk: 'x'.repeat(1025) })).rejects.toMatchObject(invalid),
  },
  {
    name: 'rejects a key of an index of another type',
    run: ({ put }) => expect(put({ sk: 'A', g1pk: 'B', g1sk: 7 })).rejects.toMatchObject(invalid),
  },
  {
    name: 'rejects a strongly consistent read of an index',
    run: async ({ query }) => {
      const read = query({ IndexName: 'GSI1', KeyConditionExpression: 'g1pk = :pk', ConsistentRead: true });
      await expect(read).rejects.toMatchObject(invalid);
    },
  },
  {
    name: 'rejects reserved words, unused values and overlapping paths in expressions',
    run: async ({ update }) => {
      const rejected: Parameters<typeof update>[1][] = [
        { UpdateExpression: 'SET status = :a', ExpressionAttributeValues: { ':a': 1 } },
        { UpdateExpression: 'SET n = :a', ExpressionAttributeValues: { ':a': 1, ':b': 2 } },
        { UpdateExpression: 'SET m.a = :a, m = :a', ExpressionAttributeValues: { ':a': 1 } },
        { UpdateExpression: 'SET sk = :a', ExpressionAttributeValues: { ':a': 'B' } },
        { UpdateExpression: 'SET m.a = :a', ExpressionAttributeValues: { ':a': 1 } },
      ];
      for (const input of rejected) await expect(update('A', input)).rejects.toMatchObject(invalid);
    },
  },
  {
    name: 'changes numbers, sets, lists and maps in one update, from the values before it',
    run: async ({ put, get, update }) => {
      await put({ sk: 'A', n: 1, list: [1], map: { a: 1, b: 2 }, tags: new Set(['x', 'y']) });
      await update('A', {
        UpdateExpression:
          'SET #l = list_append(#l, :l), #m.c = #n, extra = if_not_exists(extra, :one) REMOVE #m.a ADD #n :one DELETE tags :x',
        ExpressionAttributeNames: { '#l': 'list', '#m': 'map', '#n': 'n' },
        ExpressionAttributeValues: { ':l': [2], ':one': 1, ':x': new Set(['x']) },
      });
      expect(await get('A')).toMatchObject({
        n: 2,
        list: [1, 2],
        map: { b: 2, c: 1 },
        extra: 1,
        tags: new Set(['y']),
      });
    },
  },
  {
    name: 'filters after the limit',
    run: async ({ pk, put, query }) => {
      for (const at of range(4)) await put({ sk: `a${at}`, n: at });
      const { Items, ScannedCount, LastEvaluatedKey } = await query({
        Limit: 2,
        FilterExpression: 'n >= :n',
        ExpressionAttributeValues: { ':pk': pk, ':n': 1 },
      });
      expect([Items?.length, ScannedCount, LastEvaluatedKey?.sk]).toEqual([1, 2, 'a1']);
    },
  },
  {
    name: 'rejects a batch of writes with 26 items or with one twice',
    run: async ({ pk, documents }) => {
      const write = (keys: readonly string[]) =>
        documents.send(
          new BatchWriteCommand({
            RequestItems: { [TableName]: keys.map((sk) => ({ PutRequest: { Item: { pk, sk } } })) },
          }),
        );
      await expect(write(range(26).map(String))).rejects.toMatchObject(invalid);
      await expect(write(['A', 'A'])).rejects.toMatchObject(invalid);
    },
  },
  {
    name: 'rejects a batch of reads with 101 keys or with one twice',
    run: async ({ pk, documents }) => {
      const read = (keys: readonly string[]) =>
        documents.send(
          new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys.map((sk) => ({ pk, sk })) } } }),
        );
      await expect(read(range(101).map(String))).rejects.toMatchObject(invalid);
      await expect(read(['A', 'A'])).rejects.toMatchObject(invalid);
    },
  },
  {
    name: 'leaves keys of a batch of reads unprocessed above 16 MB',
    run: async ({ pk, put, documents }) => {
      for (const at of range(50)) await put({ sk: `a${at}`, body: kilobytes(390) });
      const { Responses, UnprocessedKeys } = await documents.send(
        new BatchGetCommand({
          RequestItems: { [TableName]: { Keys: range(50).map((at) => ({ pk, sk: `a${at}` })) } },
        }),
      );
      const read = Responses?.[TableName]?.length ?? 0;
      expect(read).toBeLessThan(50);
      expect(read + (UnprocessedKeys?.[TableName]?.Keys?.length ?? 0)).toBe(50);
    },
  },
  {
    name: 'keeps numbers of 38 digits and rejects 39',
    run: async ({ pk, documents }) => {
      const put = (value: string) =>
        documents.send(new PutCommand({ TableName, Item: { pk, sk: 'A', n: BigInt(value) } }));
      await put('9'.repeat(38));
      await expect(put('9'.repeat(39))).rejects.toMatchObject(invalid);
    },
  },
  {
    name: 'loses no update of 200 at once',
    run: async ({ pk, get, update, transact }) => {
      const add = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } };
      await Promise.all(
        range(200).map((at) =>
          at % 2 === 0
            ? update('A', add)
            : transact([{ Update: { TableName, Key: { pk, sk: 'A' }, ...add } }]),
        ),
      );
      expect(await get('A')).toMatchObject({ n: 200 });
    },
  },
];

const engines = [
  { engine: 'dynoxide', isAbsent: dynoxideProgram() === null },
  { engine: 'dynamodb-local', isAbsent: missingJava() !== null },
];

describe.each(engines)('$engine', ({ engine, isAbsent }) => {
  let tables: Tables;
  beforeAll(async () => {
    if (!isAbsent) tables = await startTables(engine);
  });
  afterAll(async () => {
    if (isAbsent) return;
    tables.client.destroy();
    tables.streams.destroy();
    await tables.engine.close();
  });

  for (const { name, differs = [], run } of cases) {
    it.skipIf(isAbsent)(name, { fails: differs.includes(engine) }, () => run(operationsIn(tables, name)));
  }
});
