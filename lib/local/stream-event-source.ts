/** The event source mapping of a DynamoDB stream: reads, filters and batching windows. */
import type { DynamoDBRecord } from 'aws-lambda';
import type { LocalClock } from './aws/service.ts';
import type { BackgroundTask } from './background-task.ts';
import { passesPattern } from './filter-patterns.ts';
import { type BatchConnections, backOff, pauseMsMax } from './stream-batch.ts';
import { createPartitions, type PartitionsSpec, type StreamPosition } from './stream-partitions.ts';
import type { StreamRead } from './stream-reader.ts';

/** An event source mapping of a stream. */
export interface StreamSourceSpec extends PartitionsSpec {
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
    position?: StreamPosition | undefined;
    clock: Pick<LocalClock, 'at' | 'now'>;
    /** Whether the function may read the stream now; default: it may. A wake after it may again goes on. */
    mayRead?: () => boolean;
    onProgress: () => void;
    onError: (error: unknown) => void;
  } & Omit<BatchConnections, 'now' | 'signal'>,
): StreamSource {
  const { spec, clock, invoke, deadLetter, position, onProgress, mayRead = () => true } = options;
  const { signal, abort } = closing();
  const connections: BatchConnections = { invoke, deadLetter, now: clock.now, signal };
  const partitions = createPartitions({ spec, connections, position, onProgress });
  let reading: Promise<void> | null = null;
  let wakes = 0;
  let wakesRead = 0;
  /** null: no window is open. */
  let cancelWindow: (() => void) | null = null;

  /** Reads until all records are read and there was no `wake` during the last read. */
  async function readAll(): Promise<void> {
    for (let pauseMs = 10; !signal.aborted; ) {
      const seen = wakes;
      try {
        const { records, mayHaveMore } = await options.read();
        wakesRead = seen;
        partitions.add(records.filter((record) => passes(record, spec)));
        if ((!mayHaveMore && seen === wakes) || !mayRead()) {
          // At once with the look at `wakes`: a wake after it begins another read.
          reading = null;
          partitions.beginWindow();
          return;
        }
        await backOff(Math.min(records.length * readPauseMs.aRecord, readPauseMs.max), signal);
      } catch (error) {
        if (signal.aborted) return;
        options.onError(error);
        await backOff(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, pauseMsMax);
      }
    }
  }

  function read(): void {
    reading ??= readAll().finally(onProgress);
  }

  /**
   * From the first write. Lambda begins the next window when an invocation ends ("How Lambda processes records from stream and
   * queue-based event sources"), so that nothing comes later there.
   */
  function openWindow(): void {
    cancelWindow ??= clock.at(clock.now() + spec.windowSeconds * 1000, () => {
      cancelWindow = null;
      partitions.endWindow();
      read();
    });
  }

  const source: StreamSource = {
    wake() {
      wakes += 1;
      if (!mayRead()) return;
      if (spec.windowSeconds > 0) openWindow();
      // What waits for its window need not be read before, unless it may be a batch.
      if (spec.windowSeconds === 0 || wakes - wakesRead >= spec.batchSize) read();
    },
    pendingWork() {
      const batches = partitions.running();
      if (batches > 0) return `${batches} batches of the table's stream`;
      return reading ? 'reading the stream of the table' : null;
    },
    async close() {
      abort();
      cancelWindow?.();
      await reading;
    },
  };
  // Records that an earlier run did not read.
  source.wake();
  return source;
}

function closing() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function passes(record: DynamoDBRecord, { patterns }: StreamSourceSpec): boolean {
  return patterns.length === 0 || patterns.some((pattern) => passesPattern(pattern, record));
}
