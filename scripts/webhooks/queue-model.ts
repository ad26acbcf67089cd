/** A fair SQS queue with the event source of its worker, on virtual time. */
import { createFairOrder } from '../../lib/local/index.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Invocations at the same time ("Configuring scaling behavior for SQS event source mappings", AWS Lambda Developer Guide). */
const scaling = { initial: 5, perMinute: 300 };
/** Between two looks at a queue whose messages wait for an invocation. */
const pollMs = 50;

export interface QueueModel<T> {
  send(message: T): void;
  /** Messages that wait or are being processed. */
  depth(): number;
  readonly peak: { depth: number; invocations: number };
}

export function queueModel<T>(options: {
  clock: VirtualClock;
  random: () => number;
  batchSize: number;
  concurrency: number;
  /** From the arrival of a message to the start of its invocation. */
  receiveMs: number;
  groupOf: (message: T) => string;
  /** Processes messages. @returns those that are delivered again */
  work: (batch: readonly T[]) => Promise<readonly T[]>;
}): QueueModel<T> {
  const { clock, random, receiveMs, groupOf } = options;
  const waiting = createFairOrder<{ readonly message: T }>(clock, ({ message }) => groupOf(message));
  const peak = { depth: 0, invocations: 0 };
  let inFlight = 0;
  let invocations = 0;
  let isPollSet = false;
  /** Invocations that the event source makes at the same time, and since when. */
  let allowed = { count: scaling.initial, at: clock.now() };

  /** Grows while messages wait, and shrinks while less than half of it is used. */
  function scale(): void {
    const added = ((clock.now() - allowed.at) / 60_000) * scaling.perMinute;
    const grown = waiting.size > 0 ? added : invocations < allowed.count / 2 ? -added : 0;
    const count = Math.min(options.concurrency, Math.max(scaling.initial, allowed.count + grown));
    allowed = { count, at: clock.now() };
  }

  function enqueue(message: T, delayMs: number): void {
    clock.at(clock.now() + delayMs, () => {
      scale();
      waiting.add({ message });
      peak.depth = Math.max(peak.depth, waiting.size + inFlight);
      poll();
    });
  }

  function receive(): readonly { readonly message: T }[] {
    const batch: { readonly message: T }[] = [];
    for (const one of waiting) {
      waiting.delete(one);
      batch.push(one);
      waiting.noteFlight(one, 1);
      if (batch.length === options.batchSize) break;
    }
    return batch;
  }

  function poll(): void {
    while (waiting.size > 0 && invocations < Math.floor(allowed.count)) {
      const batch = receive();
      invocations += 1;
      inFlight += batch.length;
      peak.invocations = Math.max(peak.invocations, invocations);
      void invoke(batch);
    }
    if (waiting.size === 0 || isPollSet) return;
    // More concurrency is added with time.
    isPollSet = true;
    clock.at(clock.now() + pollMs, () => {
      isPollSet = false;
      scale();
      poll();
    });
  }

  async function invoke(batch: readonly { readonly message: T }[]): Promise<void> {
    const failed = await options.work(batch.map(({ message }) => message));
    invocations -= 1;
    inFlight -= batch.length;
    for (const one of batch) waiting.noteFlight(one, -1);
    for (const message of failed) enqueue(message, 10_000 + 10_000 * random());
    scale();
    poll();
  }

  return {
    peak,
    depth: () => waiting.size + inFlight,
    send(message) {
      enqueue(message, receiveMs);
    },
  };
}
