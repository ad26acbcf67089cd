/** Shares of the account's concurrent executions: workers together get half, so that a backlog leaves the API the rest. */
import type { WorkerContract } from '../core/worker.ts';

/** Least `MaximumConcurrency` of an SQS event source ("ScalingConfig", AWS Lambda API Reference). */
const queueMin = 2;
/** Batches of one shard that the relay processes at the same time, in an account with room. */
const relayFactor = 10;
/** Shards of the stream of a new on-demand table: it starts with 4,000 write units, 1,000 for each partition. */
const streamShards = 4;

export interface WorkerConcurrency {
  /** `MaximumConcurrency` of the event source of a queue. */
  maximumOf(wanted: number): number;
  /** `ParallelizationFactor` of the relay's event source. */
  readonly relayFactor: number;
}

/**
 * Scales the concurrency of all event sources down to half of the account's, where they want more. Below 48 concurrent
 * executions, the minimum of SQS makes it more than half.
 *
 * @param concurrentExecutions the quota of the account ("Lambda quotas", AWS Lambda Developer Guide)
 */
export function workerConcurrency(
  workers: readonly WorkerContract[],
  concurrentExecutions: number,
): WorkerConcurrency {
  const wanted = workers.reduce(
    (sum, { trigger }) => sum + (trigger.kind === 'queue' ? trigger.concurrency : 0),
    relayFactor * streamShards,
  );
  const share = Math.min(1, concurrentExecutions / 2 / wanted);
  const scaled = (count: number, min: number) => Math.max(min, Math.floor(count * share));
  return {
    maximumOf: (count) => scaled(count, queueMin),
    relayFactor: scaled(relayFactor, 1),
  };
}
