/** Lambda's poller of the table's stream: filters, batches in order per partition key, retries, bisecting. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { failuresOf, type Mover } from './event-sources.ts';
import { passesPattern } from './filter-patterns.ts';

/** An event source mapping of a stream, as the template describes it. */
export interface StreamSourceSpec {
  readonly functionArn: string;
  readonly streamArn: string;
  /** Attribute by which records are kept in order. */
  readonly partitionKey: string;
  readonly batchSize: number;
  /** How many batches run at a time; records of one partition key stay in order. */
  readonly parallelization: number;
  /** A record passes if one of them does; empty: all pass. */
  readonly patterns: readonly unknown[];
  /** Retries of a failing batch; -1: until the records expire. */
  readonly retriesMax: number;
  readonly bisects: boolean;
  readonly reportsFailures: boolean;
  /** Queue that hears of batches given up on. */
  readonly onFailureArn: string | null;
}

export interface StreamSource extends Mover {
  /** Says that the table was written to. */
  wake(): void;
}

/** Longest pause between two tries of a batch. */
const pauseMsMax = 1000;

/** Runs a function over the records that `read` brings; `read` answers those that are new since the last call. */
export function startStreamSource(options: {
  spec: StreamSourceSpec;
  read: () => Promise<readonly DynamoDBRecord[]>;
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  deadLetter: (queueArn: string, body: string) => void;
  now: () => number;
  onSettled: () => void;
  onError: (error: unknown) => void;
}): StreamSource {
  const { spec } = options;
  const closing = new AbortController();
  const lanes = Array.from({ length: spec.parallelization }, (): DynamoDBRecord[] => []);
  const draining = new Map<DynamoDBRecord[], Promise<void>>();
  let reading: Promise<void> | null = null;
  let wakes = 0;

  /** Reads until nothing is new; a write during the last read makes for another one. */
  async function readAll(): Promise<void> {
    for (let pause = 10; !closing.signal.aborted; ) {
      const seen = wakes;
      try {
        const records = await options.read();
        for (const record of records) if (passes(record)) laneOf(record).push(record);
        for (const lane of lanes) start(lane);
        if (records.length === 0 && seen === wakes) return;
      } catch (error) {
        if (closing.signal.aborted) return;
        options.onError(error);
        await rest(pause);
        pause = Math.min(pause * 2, pauseMsMax);
      }
    }
  }

  function passes(record: DynamoDBRecord): boolean {
    return spec.patterns.length === 0 || spec.patterns.some((pattern) => passesPattern(pattern, record));
  }

  function laneOf(record: DynamoDBRecord): DynamoDBRecord[] {
    const key = JSON.stringify(record.dynamodb?.Keys?.[spec.partitionKey] ?? null);
    const index = createHash('sha256').update(key).digest().readUInt32BE(0) % lanes.length;
    return lanes[index] ?? [];
  }

  function start(lane: DynamoDBRecord[]): void {
    if (lane.length === 0 || draining.has(lane)) return;
    const work = drain(lane).finally(() => {
      draining.delete(lane);
      options.onSettled();
    });
    draining.set(lane, work);
  }

  async function drain(lane: DynamoDBRecord[]): Promise<void> {
    while (lane.length > 0 && !closing.signal.aborted) {
      await deliver(lane.splice(0, spec.batchSize), 0);
    }
  }

  /** Brings a batch through, in whole or in halves, or gives up on it. */
  async function deliver(batch: readonly DynamoDBRecord[], triesBefore: number): Promise<void> {
    let open = batch;
    for (let tries = triesBefore; open.length > 0 && !closing.signal.aborted; tries++) {
      const failedFrom = await attempt(open);
      if (failedFrom === null) return;
      const hasProgressed = failedFrom > 0;
      open = open.slice(failedFrom);
      if (spec.retriesMax >= 0 && tries >= spec.retriesMax) return giveUp(open, tries + 1);
      if (spec.bisects && !hasProgressed && open.length > 1) {
        const half = Math.ceil(open.length / 2);
        await deliver(open.slice(0, half), tries + 1);
        return await deliver(open.slice(half), tries + 1);
      }
      await rest(Math.min(20 * 2 ** tries, pauseMsMax));
    }
  }

  /** Index of the first record that failed; null where all went through. */
  async function attempt(batch: readonly DynamoDBRecord[]): Promise<number | null> {
    try {
      const answer = await options.invoke(spec.functionArn, { Records: batch });
      if (!spec.reportsFailures) return null;
      const numbers = batch.map((record) => record.dynamodb?.SequenceNumber ?? '');
      const failed = failuresOf(answer, new Set(numbers));
      const first = numbers.findIndex((number) => failed.has(number));
      return first < 0 ? null : first;
    } catch {
      return 0;
    }
  }

  function giveUp(batch: readonly DynamoDBRecord[], invokes: number): void {
    if (!spec.onFailureArn) return;
    options.deadLetter(
      spec.onFailureArn,
      JSON.stringify({
        requestContext: {
          functionArn: spec.functionArn,
          condition: 'RetryAttemptsExhausted',
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

  async function rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: closing.signal }).catch(() => {});
  }

  const source: StreamSource = {
    wake() {
      wakes += 1;
      reading ??= readAll().finally(() => {
        reading = null;
        options.onSettled();
      });
    },
    busyWith() {
      if (draining.size > 0) return `${draining.size} batches of the table's stream`;
      return reading ? 'reading the stream of the table' : null;
    },
    async close() {
      closing.abort();
      await reading;
    },
  };
  // What a run before this one left unread.
  source.wake();
  return source;
}
