/** The event source mapping of a DynamoDB stream: filters, batches in order per partition key, retries, bisection. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import type { BackgroundTask } from './background-task.ts';
import { failuresOf } from './batch-item-failures.ts';
import { passesPattern } from './filter-patterns.ts';
import { InvocationFailed } from './function-thread.ts';
import { throttled } from './functions.ts';

/** An event source mapping of a stream. */
export interface StreamSourceSpec {
  readonly functionArn: string;
  readonly streamArn: string;
  /** Name of the table's partition key; records of one key stay in order. */
  readonly partitionKey: string;
  readonly batchSize: number;
  /** `ParallelizationFactor`: concurrent batches. */
  readonly parallelization: number;
  /** Filter patterns, of which one must match; empty: all records pass. */
  readonly patterns: readonly unknown[];
  /** `MaximumRetryAttempts`; -1: until the records expire. */
  readonly retriesMax: number;
  /** `MaximumRecordAgeInSeconds`; -1: until the records expire. */
  readonly recordAgeSecondsMax: number;
  readonly bisects: boolean;
  readonly reportsFailures: boolean;
  /** On-failure destination: a queue. */
  readonly onFailureArn: string | null;
}

export interface StreamSource extends BackgroundTask {
  /** Call after a write to the table. */
  wake(): void;
}

/** Longest backoff between retries, in real time; AWS does not document its own. */
const pauseMsMax = 100;
/** Backoff of a throttled invocation, in real time. */
const throttledPauseMs = 1000;

/** Starts the mapping. `read` returns the records since its last call. */
export function startStreamSource(options: {
  spec: StreamSourceSpec;
  read: () => Promise<readonly DynamoDBRecord[]>;
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  deadLetter: (queueArn: string, body: string) => void;
  now: () => number;
  onProgress: () => void;
  onError: (error: unknown) => void;
}): StreamSource {
  const { spec } = options;
  const closing = new AbortController();
  const partitions = Array.from({ length: spec.parallelization }, (): DynamoDBRecord[] => []);
  const draining = new Map<DynamoDBRecord[], Promise<void>>();
  let reading: Promise<void> | null = null;
  let wakes = 0;

  /** Reads until there are no new records and no `wake` during the last read. */
  async function readAll(): Promise<void> {
    for (let pauseMs = 10; !closing.signal.aborted; ) {
      const seen = wakes;
      try {
        const records = await options.read();
        for (const record of records) if (passes(record)) partitionOf(record).push(record);
        for (const partition of partitions) start(partition);
        if (records.length === 0 && seen === wakes) return;
      } catch (error) {
        if (closing.signal.aborted) return;
        options.onError(error);
        await backOff(pauseMs);
        pauseMs = Math.min(pauseMs * 2, pauseMsMax);
      }
    }
  }

  function passes(record: DynamoDBRecord): boolean {
    return spec.patterns.length === 0 || spec.patterns.some((pattern) => passesPattern(pattern, record));
  }

  function partitionOf(record: DynamoDBRecord): DynamoDBRecord[] {
    const key = JSON.stringify(record.dynamodb?.Keys?.[spec.partitionKey] ?? null);
    const index = createHash('sha256').update(key).digest().readUInt32BE(0) % partitions.length;
    return partitions[index] ?? [];
  }

  function start(partition: DynamoDBRecord[]): void {
    if (partition.length === 0 || draining.has(partition)) return;
    const work = drain(partition).finally(() => {
      draining.delete(partition);
      options.onProgress();
    });
    draining.set(partition, work);
  }

  async function drain(partition: DynamoDBRecord[]): Promise<void> {
    while (partition.length > 0 && !closing.signal.aborted) {
      await deliver(partition.splice(0, spec.batchSize), 0);
    }
  }

  /** Processes a batch with retries and bisection; failed records go to the on-failure destination. */
  async function deliver(batch: readonly DynamoDBRecord[], triesBefore: number): Promise<void> {
    let remaining = batch;
    for (let tries = triesBefore; remaining.length > 0 && !closing.signal.aborted; tries++) {
      if (isTooOld(remaining)) return sendToFailureDestination(remaining, tries, 'RecordAgeExceeded');
      const failedFrom = await attempt(remaining);
      if (failedFrom === null) return;
      if (failedFrom === throttled) {
        // Throttled invocations are no retries.
        tries -= 1;
        await backOff(throttledPauseMs);
        continue;
      }
      const hasProgressed = failedFrom > 0;
      remaining = remaining.slice(failedFrom);
      if (spec.bisects && !hasProgressed && remaining.length > 1) {
        // Splitting a batch does not count towards the retries.
        const half = Math.ceil(remaining.length / 2);
        await deliver(remaining.slice(0, half), tries);
        return await deliver(remaining.slice(half), tries);
      }
      if (spec.retriesMax >= 0 && tries >= spec.retriesMax) {
        return sendToFailureDestination(remaining, tries + 1, 'RetryAttemptsExhausted');
      }
      await backOff(Math.min(20 * 2 ** tries, pauseMsMax));
    }
  }

  function isTooOld([oldest]: readonly DynamoDBRecord[]): boolean {
    const createdAt = oldest?.dynamodb?.ApproximateCreationDateTime;
    if (spec.recordAgeSecondsMax < 0 || createdAt === undefined) return false;
    return createdAt + spec.recordAgeSecondsMax < options.now() / 1000;
  }

  /** Index of the first failed record; null: none; `throttled`: not invoked. */
  async function attempt(batch: readonly DynamoDBRecord[]): Promise<number | typeof throttled | null> {
    try {
      const result = await options.invoke(spec.functionArn, { Records: batch });
      if (!spec.reportsFailures) return null;
      const numbers = batch.map((record) => record.dynamodb?.SequenceNumber ?? '');
      const failed = failuresOf(result, new Set(numbers));
      const first = numbers.findIndex((number) => failed.has(number));
      return first < 0 ? null : first;
    } catch (error) {
      return error instanceof InvocationFailed && error.errorType === throttled ? throttled : 0;
    }
  }

  function sendToFailureDestination(
    batch: readonly DynamoDBRecord[],
    invokes: number,
    condition: 'RecordAgeExceeded' | 'RetryAttemptsExhausted',
  ): void {
    if (!spec.onFailureArn) return;
    options.deadLetter(
      spec.onFailureArn,
      JSON.stringify({
        requestContext: {
          functionArn: spec.functionArn,
          condition,
          approximateInvokeCount: invokes,
        },
        version: '1.0',
        timestamp: new Date(options.now()).toISOString(),
        DDBStreamBatchInfo: {
          startSequenceNumber: batch[0]?.dynamodb?.SequenceNumber,
          endSequenceNumber: batch.at(-1)?.dynamodb?.SequenceNumber,
          batchSize: batch.length,
          streamArn: spec.streamArn,
        },
      }),
    );
  }

  async function backOff(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: closing.signal }).catch(() => {});
  }

  const source: StreamSource = {
    wake() {
      wakes += 1;
      reading ??= readAll().finally(() => {
        reading = null;
        options.onProgress();
      });
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
