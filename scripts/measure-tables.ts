/** `npm run measure:tables`: start, rate, waits, processor time and memory of each table engine, as Markdown (Linux only). */
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { engineCredentials, engineRegion, startTableEngine } from '../lib/local/aws/table-engine.ts';
import { createStreamReader } from '../lib/local/stream-reader.ts';
import { quantile } from './bench/figures.ts';
import { usageOf } from './suite/processor-times.ts';

const engines = [
  { name: 'dynoxide', process: 'dynoxide' },
  { name: 'dynamodb-local', process: 'java' },
];
const TableName = 'items';
const indexes = ['gsi1', 'gsi2'];

const keyNames = ['pk', 'sk', ...indexes.flatMap((index) => [`${index}pk`, `${index}sk`])];
const keySchema = (prefix: string) => [
  { AttributeName: `${prefix}pk`, KeyType: 'HASH' as const },
  { AttributeName: `${prefix}sk`, KeyType: 'RANGE' as const },
];
const createTable = new CreateTableCommand({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: keyNames.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
  KeySchema: keySchema(''),
  GlobalSecondaryIndexes: indexes.map((IndexName) => ({
    IndexName,
    KeySchema: keySchema(IndexName),
    Projection: { ProjectionType: 'ALL' as const },
  })),
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
});

interface Row {
  readonly what: string;
  readonly result: string;
}

const measured: (readonly Row[])[] = [];
for (const engine of engines) measured.push(await measure(engine));
const [rows = []] = measured;
console.log(
  [
    `| | ${engines.map(({ name }) => name).join(' | ')} |`,
    `|---|${'---|'.repeat(engines.length)}`,
    ...rows.map(({ what }, at) => `| ${[what, ...measured.map((each) => each[at]?.result)].join(' | ')} |`),
  ].join('\n'),
);

async function measure(engine: (typeof engines)[number]): Promise<Row[]> {
  process.env.PARLEY_TABLE_ENGINE = engine.name;
  const startedAt = performance.now();
  const { url, close } = await startTableEngine();
  const startMs = performance.now() - startedAt;
  const connection = {
    endpoint: url,
    region: engineRegion,
    credentials: engineCredentials,
    requestHandler: { httpAgent: { maxSockets: 256 } },
  };
  const client = new DynamoDBClient(connection);
  const streams = new DynamoDBStreamsClient(connection);
  const { TableDescription } = await client.send(createTable);
  const usage = () => usageOf(engine.process);
  const rows: Row[] = [{ what: 'start', result: `${Math.round(startMs)} ms` }];
  for (const load of loads(client)) {
    const before = usage();
    const waits = await run(load);
    const { seconds } = usage();
    const { p50, p99, perSecond, failures } = waits;
    const cpu = ((seconds - before.seconds) * 1000) / load.count;
    rows.push({
      what: `${load.name}, ${load.callers} callers`,
      result: `${perSecond}/s, p50 ${p50} ms, p99 ${p99} ms, ${cpu.toFixed(2)} ms of CPU${failures > 0 ? `, ${failures} failed` : ''}`,
    });
  }
  const read = createStreamReader({
    client: streams,
    streamArn: TableDescription?.LatestStreamArn ?? '',
    sourceArn: 'arn:stream',
    region: engineRegion,
  });
  const readAt = performance.now();
  let records = 0;
  for (let mayHaveMore = true; mayHaveMore; ) {
    const result = await read();
    records += result.records.length;
    ({ mayHaveMore } = result);
  }
  rows.push({
    what: `read ${records} stream records`,
    result: `${Math.round(performance.now() - readAt)} ms`,
  });
  const { seconds, bytes } = usage();
  rows.push({ what: 'in all', result: `${seconds.toFixed(0)} s of CPU, ${Math.round(bytes / 2 ** 20)} MB` });
  client.destroy();
  streams.destroy();
  await close();
  return rows;
}

interface Load {
  readonly name: string;
  readonly count: number;
  readonly callers: number;
  readonly call: () => Promise<unknown>;
}

async function run({ count, callers, call }: Load) {
  const waits: number[] = [];
  const startedAt = performance.now();
  let left = count;
  let failures = 0;
  const caller = async () => {
    while (left-- > 0) {
      const at = performance.now();
      await call().catch(() => failures++);
      waits.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const perSecond = Math.round((count / (performance.now() - startedAt)) * 1000);
  return {
    perSecond,
    p50: Math.round(quantile(waits, 0.5)),
    p99: Math.round(quantile(waits, 0.99)),
    failures,
  };
}

function loads(client: DynamoDBClient): Load[] {
  let items = 0;
  const newItem = (bytes = 800) => {
    items += 1;
    const entry = indexes.map((index) => [
      [`${index}pk`, { S: `${index}#${items % 50}` }],
      [`${index}sk`, { S: String(items) }],
    ]);
    return {
      pk: { S: `p${items % 50}` },
      sk: { S: String(items) },
      body: { S: 'x'.repeat(bytes) },
      ...Object.fromEntries(entry.flat()),
    };
  };
  const put = (bytes?: number) => client.send(new PutItemCommand({ TableName, Item: newItem(bytes) }));
  const transact = (count: number, bytes?: number) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: Array.from({ length: count }, () => ({ Put: { TableName, Item: newItem(bytes) } })),
      }),
    );
  const countUp = () =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: { pk: { S: 'count' }, sk: { S: 'count' } },
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
  const query = () =>
    client.send(
      new QueryCommand({
        TableName,
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'gsi1#1' } },
        Limit: 50,
      }),
    );
  const batch = () =>
    client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [TableName]: Array.from({ length: 25 }, () => ({ PutRequest: { Item: newItem() } })),
        },
      }),
    );
  return [
    { name: 'puts', count: 3000, callers: 1, call: () => put() },
    { name: 'puts', count: 4000, callers: 32, call: () => put() },
    { name: 'transactions of 4', count: 1500, callers: 32, call: () => transact(4) },
    { name: 'queries of an index, 50 items', count: 600, callers: 32, call: query },
    { name: 'puts of 380 KB', count: 60, callers: 4, call: () => put(380_000) },
    { name: 'puts', count: 4000, callers: 200, call: () => put() },
    { name: 'transactions of 4', count: 2000, callers: 200, call: () => transact(4) },
    { name: 'updates of one item', count: 2000, callers: 200, call: countUp },
    { name: 'transactions of 25 items of 10 KB', count: 200, callers: 200, call: () => transact(25, 10_000) },
    { name: 'batches of 25 puts', count: 200, callers: 8, call: batch },
    { name: 'puts, after these', count: 1000, callers: 1, call: () => put() },
  ];
}
