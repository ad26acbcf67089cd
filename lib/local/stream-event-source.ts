/** The event source mapping of a DynamoDB stream: filters, and batches in order per partition key. */
import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import type { BackgroundTask } from './background-task.ts';
import { passesPattern } from './filter-patterns.ts';
import { type BatchConnections, type BatchSpec, backOff, deliverBatch, pauseMsMax } from './stream-batch.ts';
import type { StreamRead } from './stream-reader.ts';

/** An event source mapping of a stream. */
export interface StreamSourceSpec extends BatchSpec {
  /** Name of the table's partition key; records of one key stay in order. */
  readonly partitionKey: string;
  readonly batchSize: number;
  /** `ParallelizationFactor`: concurrent batches. */
  readonly parallelization: number;
  /** Filter patterns, of which one must match; empty: all records pass. */
  readonly patterns: readonly unknown[];
}

/**
 * Pauses after a read, by what it brought: a stream of a busy table is read ten times a second. Lambda polls a shard four times
 * ("Using AWS Lambda with Amazon DynamoDB").
 */
const readPauseMs = { aRecord: 5, max: 100 };

export interface StreamSource extends BackgroundTask {
  /** Call after a write to the table. */
  wake(): void;
}

/** Starts the mapping. */
export function startStreamSource(
  options: {
    spec: StreamSourceSpec;
    /** The records since its last call. */
    read: () => Promise<StreamRead>;
    /** Whether the function may read the stream now; default: it may. A wake after it may again goes on. */
    mayRead?: () => boolean;
    onProgress: () => void;
    onError: (error: unknown) => void;
  } & Omit<BatchConnections, 'signal'>,
): StreamSource {
  const { spec, invoke, deadLetter, now, mayRead = () => true } = options;
  const closing = new AbortController();
  const connections: BatchConnections = { invoke, deadLetter, now, signal: closing.signal };
  const partitions = Array.from({ length: spec.parallelization }, (): DynamoDBRecord[] => []);
  const draining = new Set<DynamoDBRecord[]>();
  let reading: Promise<void> | null = null;
  let wakes = 0;

  /** Reads until all records are read and there was no `wake` during the last read. */
  async function readAll(): Promise<void> {
    for (let pauseMs = 10; !closing.signal.aborted; ) {
      const seen = wakes;
      try {
        const { records, mayHaveMore } = await options.read();
        for (const record of records) {
          if (passes(record, spec)) partitions[partitionOf(record, spec)]?.push(record);
        }
        for (const partition of partitions) start(partition);
        if ((!mayHaveMore && seen === wakes) || !mayRead()) {
          // At once with the look at `wakes`: a wake after it begins another read.
          reading = null;
          return;
        }
        await backOff(Math.min(records.length * readPauseMs.aRecord, readPauseMs.max), closing.signal);
      } catch (error) {
        if (closing.signal.aborted) return;
        options.onError(error);
        await backOff(pauseMs, closing.signal);
        pauseMs = Math.min(pauseMs * 2, pauseMsMax);
      }
    }
  }

  function start(partition: DynamoDBRecord[]): void {
    if (partition.length === 0 || draining.has(partition)) return;
    draining.add(partition);
    void drain(partition).finally(options.onProgress);
  }

  async function drain(partition: DynamoDBRecord[]): Promise<void> {
    try {
      while (partition.length > 0 && !closing.signal.aborted) {
        await deliverBatch(spec, connections, partition.splice(0, spec.batchSize));
      }
    } finally {
      // At once with the look at the partition: what is added after it begins another drain.
      draining.delete(partition);
    }
  }

  const source: StreamSource = {
    wake() {
      wakes += 1;
      if (mayRead()) reading ??= readAll().finally(options.onProgress);
    },
    pendingWork() {
      if (draining.size > 0) return `${draining.size} batches of the table's stream`;
      return reading ? 'reading the stream of the table' : null;
    },
    async close() {
      closing.abort();
      await reading;
    },
  };
  // Records that an earlier run did not read.
  source.wake();
  return source;
}

function passes(record: DynamoDBRecord, { patterns }: StreamSourceSpec): boolean {
  return patterns.length === 0 || patterns.some((pattern) => passesPattern(pattern, record));
}

/** The partition of a record, by the hash of its key. */
function partitionOf(
  record: DynamoDBRecord,
  { partitionKey, parallelization }: Pick<StreamSourceSpec, 'partitionKey' | 'parallelization'>,
): number {
  const key = JSON.stringify(record.dynamodb?.Keys?.[partitionKey] ?? null);
  return createHash('sha256').update(key).digest().readUInt32BE(0) % parallelization;
}
