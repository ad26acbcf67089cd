/** The records that an event source mapping of a stream has read, as batches in order per partition key. */
import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { payloadBytesMax } from './functions.ts';
import { type BatchConnections, type BatchSpec, deliverBatch } from './stream-batch.ts';

export interface PartitionsSpec extends BatchSpec {
  /** Name of the table's partition key; records of one key stay in order. */
  readonly partitionKey: string;
  readonly batchSize: number;
  /** `MaximumBatchingWindowInSeconds`; 0: none. */
  readonly windowSeconds: number;
  /** `ParallelizationFactor`: concurrent batches. */
  readonly parallelization: number;
}

/** How far a mapping is: the sequence number of the last record that it is done with, which outlives the process; undefined: of none. */
export interface StreamPosition {
  get(): string | undefined;
  set(sequenceNumber: string): void;
}

export interface StreamPartitions {
  /** Adds records, and delivers what are batches. Those before the position are left out. */
  add(records: readonly DynamoDBRecord[]): void;
  /** From now on, whatever there is is a batch. */
  endWindow(): void;
  /** A batch has to be full again. Call when what belongs to the window before is added. */
  beginWindow(): void;
  /** Batches that run. */
  running(): number;
}

export function createPartitions(options: {
  spec: PartitionsSpec;
  connections: BatchConnections;
  /** Of a mapping without parallelization; default: it begins with the first record at each start. */
  position?: StreamPosition | undefined;
  onProgress: () => void;
}): StreamPartitions {
  const { spec, connections, position } = options;
  const { signal } = connections;
  const partitions = Array.from({ length: spec.parallelization }, (): DynamoDBRecord[] => []);
  const draining = new Set<DynamoDBRecord[]>();
  /** Partitions whose batch need not be full. */
  const due = new Set<DynamoDBRecord[]>();
  let isEnding = false;

  function isNew({ dynamodb }: DynamoDBRecord): boolean {
    const last = position?.get();
    return last === undefined || BigInt(dynamodb?.SequenceNumber ?? 0) > BigInt(last);
  }

  const hasBatch = (partition: DynamoDBRecord[]) =>
    partition.length >= (spec.windowSeconds > 0 && !due.has(partition) ? spec.batchSize : 1);

  function start(partition: DynamoDBRecord[]): void {
    if (!hasBatch(partition) || draining.has(partition)) return;
    draining.add(partition);
    void drain(partition).finally(options.onProgress);
  }

  async function drain(partition: DynamoDBRecord[]): Promise<void> {
    try {
      while (hasBatch(partition) && !signal.aborted) {
        const batch = partition.splice(0, batchLength(partition, spec.batchSize));
        await deliverBatch(spec, connections, batch);
        const last = batch.at(-1)?.dynamodb?.SequenceNumber;
        if (last !== undefined && !signal.aborted) position?.set(last);
      }
    } finally {
      // At once with the look at the partition: what is added after it begins another drain.
      draining.delete(partition);
      if (!isEnding) due.delete(partition);
    }
  }

  return {
    add(records) {
      for (const record of records) if (isNew(record)) partitions[partitionOf(record, spec)]?.push(record);
      for (const partition of partitions) start(partition);
    },
    endWindow() {
      isEnding = true;
      for (const partition of partitions) due.add(partition);
    },
    beginWindow() {
      isEnding = false;
      // The others end with the batches that run.
      for (const partition of partitions) if (!draining.has(partition)) due.delete(partition);
    },
    running: () => draining.size,
  };
}

/**
 * How many of the first records are a batch: up to the payload limit of Lambda ("Using AWS Lambda with Amazon DynamoDB").
 * One record that is larger is a batch, too.
 */
function batchLength(records: readonly DynamoDBRecord[], batchSize: number): number {
  let bytes = Buffer.byteLength(JSON.stringify({ Records: [] }));
  const end = records.slice(0, batchSize).findIndex((record) => {
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1;
    return bytes > payloadBytesMax;
  });
  return end < 0 ? batchSize : Math.max(1, end);
}

/** The partition of a record, by the hash of its key. */
function partitionOf(
  record: DynamoDBRecord,
  { partitionKey, parallelization }: Pick<PartitionsSpec, 'partitionKey' | 'parallelization'>,
): number {
  const key = JSON.stringify(record.dynamodb?.Keys?.[partitionKey] ?? null);
  return createHash('sha256').update(key).digest().readUInt32BE(0) % parallelization;
}
