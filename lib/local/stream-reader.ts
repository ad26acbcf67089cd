/** Reads new records of the table engine's stream, shard by shard. */
import { isDeepStrictEqual } from 'node:util';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  type AttributeValue,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';

export interface TableStream {
  readonly client: DynamoDBStreamsClient;
  /** ARN in the engine. */
  readonly streamArn: string;
  /** ARN in the templates and in events. */
  readonly sourceArn: string;
  readonly region: string;
}

/** The result of a read. */
export interface StreamRead {
  readonly records: readonly DynamoDBRecord[];
  /** Whether records that were written before the read may be left. */
  readonly mayHaveMore: boolean;
}

/** A result below both has all records ("GetRecords", DynamoDB API reference: up to 1,000 records and 1 MB). */
const wholeBelow = { records: 500, bytes: 500_000 };

interface Position {
  /** null: not requested yet. */
  iterator: string | null;
  /** Sequence number of the last record read. */
  last: string | null;
}

/**
 * Returns a function that reads the records since its last call, at first all records. A record is in the stream of
 * either engine when its write returns (measured): a result that is not full has all earlier writes.
 */
export function createStreamReader(stream: TableStream): () => Promise<StreamRead> {
  const { client, streamArn } = stream;
  const open = new Map<string, Position>();
  const finished = new Set<string>();

  /** Opens new shards, children after their parents. */
  async function discover(): Promise<void> {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    const shards = StreamDescription?.Shards ?? [];
    const ids = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId, ParentShardId } of shards) {
      if (!ShardId || finished.has(ShardId) || open.has(ShardId)) continue;
      if (ParentShardId && ids.has(ParentShardId) && !finished.has(ParentShardId)) continue;
      open.set(ShardId, { iterator: null, last: null });
    }
  }

  async function iteratorOf(shardId: string, position: Position): Promise<string> {
    if (position.iterator) return position.iterator;
    const { ShardIterator = '' } = await client.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shardId,
        ...(position.last
          ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position.last }
          : { ShardIteratorType: 'TRIM_HORIZON' }),
      }),
    );
    position.iterator = ShardIterator;
    return ShardIterator;
  }

  /** The records of a shard, and whether its children begin now. */
  async function readShard(
    shardId: string,
    position: Position,
  ): Promise<{ read: readonly _Record[]; hasEnded: boolean }> {
    try {
      const iterator = await iteratorOf(shardId, position);
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator }),
      );
      position.iterator = NextShardIterator ?? null;
      position.last = Records.at(-1)?.dynamodb?.SequenceNumber ?? position.last;
      if (!NextShardIterator) {
        open.delete(shardId);
        finished.add(shardId);
        await discover();
      }
      return { read: Records, hasEnded: !NextShardIterator };
    } catch (error) {
      if (!(error instanceof ExpiredIteratorException)) throw error;
      position.iterator = null;
      return await readShard(shardId, position);
    }
  }

  return async () => {
    if (open.size === 0) await discover();
    const records: _Record[] = [];
    let mayHaveMore = false;
    for (const [shardId, position] of [...open]) {
      const { read, hasEnded } = await readShard(shardId, position);
      records.push(...read);
      mayHaveMore ||= hasEnded || isFull(read);
    }
    return {
      records: records.filter(isChange).map((record) => eventRecord(record, stream)),
      mayHaveMore,
    };
  };
}

/**
 * A write that changes nothing has no record ("Change data capture for DynamoDB Streams", DynamoDB developer guide).
 * dynoxide writes one.
 */
function isChange({ dynamodb }: _Record): boolean {
  return !dynamodb?.OldImage || !isDeepStrictEqual(dynamodb.OldImage, dynamodb.NewImage);
}

function isFull(records: readonly _Record[]): boolean {
  const bytes = records.reduce((sum, { dynamodb }) => sum + (dynamodb?.SizeBytes ?? 0), 0);
  return records.length >= wholeBelow.records || bytes >= wholeBelow.bytes;
}

/** The ARN of a table's stream in the engine. */
export async function streamArnOf(tables: DynamoDBClient, table: string): Promise<string> {
  const { Table } = await tables.send(new DescribeTableCommand({ TableName: table }));
  if (!Table?.LatestStreamArn) throw new Error(`the table ${table} has no stream`);
  return Table.LatestStreamArn;
}

/** A record in Lambda's event format: times in seconds, binary in base64. */
function eventRecord(record: _Record, source: { sourceArn: string; region: string }): DynamoDBRecord {
  const { dynamodb, eventID, eventName, eventVersion } = record;
  const { ApproximateCreationDateTime, Keys, NewImage, OldImage, ...rest } = dynamodb ?? {};
  return {
    ...(eventID && { eventID }),
    ...(eventName && { eventName }),
    ...(eventVersion && { eventVersion }),
    eventSource: 'aws:dynamodb',
    eventSourceARN: source.sourceArn,
    awsRegion: source.region,
    dynamodb: {
      ...rest,
      ...(ApproximateCreationDateTime && {
        ApproximateCreationDateTime: Math.trunc(ApproximateCreationDateTime.getTime() / 1000),
      }),
      ...(Keys && { Keys: imageOf(Keys) }),
      ...(NewImage && { NewImage: imageOf(NewImage) }),
      ...(OldImage && { OldImage: imageOf(OldImage) }),
    },
  } as DynamoDBRecord;
}

function imageOf(image: Readonly<Record<string, AttributeValue>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, wireValue(value)]));
}

function wireValue(value: AttributeValue): unknown {
  if (value.B) return { B: Buffer.from(value.B).toString('base64') };
  if (value.BS) return { BS: value.BS.map((bytes) => Buffer.from(bytes).toString('base64')) };
  if (value.L) return { L: value.L.map(wireValue) };
  if (value.M) return { M: imageOf(value.M) };
  return value;
}
