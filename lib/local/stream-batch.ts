/** A batch of a stream's records: its invocations with retries and bisection, and what becomes of records that fail. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { failuresOf } from './batch-item-failures.ts';
import { InvocationFailed } from './function-thread.ts';
import { throttled } from './functions.ts';

/** What an event source mapping says about its batches. */
export interface BatchSpec {
  readonly functionArn: string;
  readonly streamArn: string;
  /** `MaximumRetryAttempts`; -1: until the records expire. */
  readonly retriesMax: number;
  /** `MaximumRecordAgeInSeconds`; -1: until the records expire. */
  readonly recordAgeSecondsMax: number;
  readonly bisects: boolean;
  readonly reportsFailures: boolean;
  /** On-failure destination: a queue. */
  readonly onFailureArn: string | null;
}

export interface BatchConnections {
  invoke(functionArn: string, event: { readonly Records: readonly DynamoDBRecord[] }): Promise<unknown>;
  deadLetter(queueArn: string, body: string): void;
  /** Unix milliseconds. */
  now(): number;
  /** Ends waiting and retries. */
  readonly signal: AbortSignal;
}

type Batch = readonly DynamoDBRecord[];

/** Longest backoff between retries, in real time; AWS does not document its own. */
export const pauseMsMax = 100;
/** Backoff of a throttled invocation, in real time. */
const throttledPauseMs = 1000;

/** Processes a batch with retries and bisection; failed records go to the on-failure destination. */
export async function deliverBatch(
  spec: BatchSpec,
  connections: BatchConnections,
  batch: Batch,
  triesBefore = 0,
): Promise<void> {
  const { signal } = connections;
  const giveUp = (records: Batch, invokes: number, condition: FailureCondition) => {
    if (!spec.onFailureArn) return;
    const record = failureRecord(
      spec,
      records,
      { condition, approximateInvokeCount: invokes },
      connections.now(),
    );
    connections.deadLetter(spec.onFailureArn, JSON.stringify(record));
  };

  let remaining = batch;
  for (let tries = triesBefore; remaining.length > 0 && !signal.aborted; tries++) {
    if (isTooOld(remaining, spec, connections.now())) return giveUp(remaining, tries, 'RecordAgeExceeded');
    const failedFrom = await attempt(spec, connections, remaining);
    if (failedFrom === null) return;
    if (failedFrom === throttled) {
      // Throttled invocations are no retries.
      tries -= 1;
      await backOff(throttledPauseMs, signal);
      continue;
    }
    const hasProgressed = failedFrom > 0;
    remaining = remaining.slice(failedFrom);
    if (spec.bisects && !hasProgressed && remaining.length > 1) {
      // Splitting a batch does not count towards the retries.
      const half = Math.ceil(remaining.length / 2);
      await deliverBatch(spec, connections, remaining.slice(0, half), tries);
      return await deliverBatch(spec, connections, remaining.slice(half), tries);
    }
    if (spec.retriesMax >= 0 && tries >= spec.retriesMax) {
      return giveUp(remaining, tries + 1, 'RetryAttemptsExhausted');
    }
    await backOff(Math.min(20 * 2 ** tries, pauseMsMax), signal);
  }
}

function isTooOld([oldest]: Batch, { recordAgeSecondsMax }: BatchSpec, nowMs: number): boolean {
  const createdAt = oldest?.dynamodb?.ApproximateCreationDateTime;
  if (recordAgeSecondsMax < 0 || createdAt === undefined) return false;
  return createdAt + recordAgeSecondsMax < nowMs / 1000;
}

/** Index of the first failed record; null: none; `throttled`: not invoked. */
async function attempt(
  { functionArn, reportsFailures }: BatchSpec,
  { invoke }: BatchConnections,
  batch: Batch,
): Promise<number | typeof throttled | null> {
  try {
    const result = await invoke(functionArn, { Records: batch });
    if (!reportsFailures) return null;
    const numbers = batch.map((record) => record.dynamodb?.SequenceNumber ?? '');
    const failed = failuresOf(result, new Set(numbers));
    const first = numbers.findIndex((number) => failed.has(number));
    return first < 0 ? null : first;
  } catch (error) {
    return error instanceof InvocationFailed && error.errorType === throttled ? throttled : 0;
  }
}

type FailureCondition = 'RecordAgeExceeded' | 'RetryAttemptsExhausted';

/** The message of the on-failure destination (Lambda developer guide, "Retain discarded records for a DynamoDB event source in Lambda"). */
function failureRecord(
  { functionArn, streamArn }: BatchSpec,
  batch: Batch,
  failure: { readonly condition: FailureCondition; readonly approximateInvokeCount: number },
  nowMs: number,
) {
  return {
    requestContext: { functionArn, ...failure },
    version: '1.0',
    timestamp: new Date(nowMs).toISOString(),
    DDBStreamBatchInfo: {
      startSequenceNumber: batch[0]?.dynamodb?.SequenceNumber,
      endSequenceNumber: batch.at(-1)?.dynamodb?.SequenceNumber,
      batchSize: batch.length,
      streamArn,
    },
  };
}

/** Waits in real time, or until the signal. */
export async function backOff(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
