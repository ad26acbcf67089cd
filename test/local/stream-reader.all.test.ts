import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, describe, expect, it } from 'vitest';
import { engineCredentials, engineRegion, startTableEngine } from '../../lib/local/aws/table-engine.ts';
import { createStreamReader, type StreamRead } from '../../lib/local/stream-reader.ts';

const engine = await startTableEngine();
const connection = { endpoint: engine.url, region: engineRegion, credentials: engineCredentials };
const tables = new DynamoDBClient(connection);
const client = new DynamoDBStreamsClient(connection);

afterAll(() => {
  tables.destroy();
  client.destroy();
  return engine.close();
});

async function newStream(name: string): Promise<() => Promise<StreamRead>> {
  const { TableDescription } = await tables.send(
    new CreateTableCommand({
      TableName: name,
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  const streamArn = TableDescription?.LatestStreamArn ?? '';
  return createStreamReader({ client, streamArn, sourceArn: 'arn:stream', region: 'us-east-1' });
}

const keysOf = (records: readonly DynamoDBRecord[]) =>
  records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? '');

/** Reads as the event source mapping does; the number of reads, and the keys of the records. */
async function readAll(read: () => Promise<StreamRead>): Promise<{ reads: number; keys: string[] }> {
  const keys: string[] = [];
  for (let reads = 1; ; reads++) {
    const { records, mayHaveMore } = await read();
    keys.push(...keysOf(records));
    if (!mayHaveMore) return { reads, keys };
  }
}

describe('createStreamReader', () => {
  it('returns a write in one read when it has ended', async () => {
    const read = await newStream('single');
    expect(await readAll(read)).toEqual({ reads: 1, keys: [] });
    for (const pk of ['a', 'b']) {
      await tables.send(new PutItemCommand({ TableName: 'single', Item: { pk: { S: pk } } }));
      expect(await readAll(read)).toEqual({ reads: 1, keys: [pk] });
    }
  });

  it('returns each of many writes when it has ended, also with other writes in progress', async () => {
    const read = await newStream('busy');
    const seen = new Set<string>();
    const writeAndRead = async (writer: number) => {
      for (let at = 0; at < 40; at++) {
        const written = [1, 2, 3].map((item) => `${writer} ${at} ${item}`);
        const TransactItems = written.map((pk) => ({ Put: { TableName: 'busy', Item: { pk: { S: pk } } } }));
        await tables.send(new TransactWriteItemsCommand({ TransactItems }));
        await reading(async () => {
          for (const key of (await readAll(read)).keys) seen.add(key);
        });
        expect(written.filter((pk) => !seen.has(pk))).toEqual([]);
      }
    };
    let last: Promise<void> = Promise.resolve();
    /** Reads one after the other, as the mapping does. */
    const reading = (work: () => Promise<void>) => {
      last = last.then(work);
      return last;
    };
    await Promise.all([1, 2, 3, 4].map(writeAndRead));
    expect(seen.size).toBe(480);
  });

  it('says that there may be more until all is read when the records are many', async () => {
    const read = await newStream('many');
    const names = Array.from({ length: 1500 }, (_, at) => `${at}`);
    for (let at = 0; at < names.length; at += 25) {
      const puts = names.slice(at, at + 25).map((pk) => ({ PutRequest: { Item: { pk: { S: pk } } } }));
      await tables.send(new BatchWriteItemCommand({ RequestItems: { many: puts } }));
    }
    const { reads, keys } = await readAll(read);
    expect([...keys].sort()).toEqual([...names].sort());
    expect(reads).toBeGreaterThan(1);
  });

  it('says that there may be more until all is read when the records are large', async () => {
    const read = await newStream('large');
    const text = 'x'.repeat(380_000);
    for (let at = 0; at < 12; at++) {
      const Item = { pk: { S: `${at % 2}` }, at: { N: `${at}` }, text: { S: text } };
      await tables.send(new PutItemCommand({ TableName: 'large', Item }));
    }
    expect((await readAll(read)).keys).toHaveLength(12);
  });
});
