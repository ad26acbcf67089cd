/** An SQS queue with the event source of its worker, on virtual time. */
import type { VirtualClock } from './virtual-clock.ts';

/** "Configuring scaling behavior for SQS event source mappings", AWS Lambda Developer Guide. */
const scaling = { initial: 5, perMinute: 300 };

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
  /** Share of the messages that are delivered twice. */
  repeated: number;
  /** Processes a message; where it rejects, the message is delivered again. */
  work: (message: T, id: string) => Promise<void>;
}): QueueModel<T> {
  const { clock, random, batchSize, receiveMs } = options;
  const waiting: { message: T; id: string }[] = [];
  const peak = { depth: 0, invocations: 0 };
  let inFlight = 0;
  let invocations = 0;
  let ids = 0;
  let busySince: number | null = null;

  function concurrency(): number {
    if (invocations < scaling.initial) busySince = null;
    else busySince ??= clock.now();
    const added = busySince === null ? 0 : ((clock.now() - busySince) / 60_000) * scaling.perMinute;
    return Math.min(options.concurrency, scaling.initial + Math.floor(added));
  }

  function enqueue(message: T, id: string, delayMs: number): void {
    clock.at(clock.now() + delayMs, () => {
      waiting.push({ message, id });
      peak.depth = Math.max(peak.depth, waiting.length + inFlight);
      clock.at(clock.now(), poll);
    });
  }

  function poll(): void {
    while (waiting.length > 0 && invocations < concurrency()) {
      const batch = waiting.splice(0, batchSize);
      invocations += 1;
      inFlight += batch.length;
      peak.invocations = Math.max(peak.invocations, invocations);
      void invoke(batch);
    }
    // More concurrency is added with time.
    if (waiting.length > 0) clock.at(clock.now() + 200, poll);
  }

  async function invoke(batch: readonly { message: T; id: string }[]): Promise<void> {
    const results = await Promise.allSettled(batch.map(({ message, id }) => options.work(message, id)));
    invocations -= 1;
    inFlight -= batch.length;
    for (const [at, { status }] of results.entries()) {
      const one = batch[at];
      if (one && status === 'rejected') enqueue(one.message, one.id, 10_000 + 10_000 * random());
    }
    poll();
  }

  return {
    peak,
    depth: () => waiting.length + inFlight,
    send(message) {
      const id = `message-${ids++}`;
      enqueue(message, id, receiveMs);
      if (random() < options.repeated) enqueue(message, id, receiveMs + 5000 * random());
    },
  };
}
