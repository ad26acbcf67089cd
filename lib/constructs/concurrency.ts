/**
 * Shares of the account's concurrent executions. Workers together get half, so that a backlog leaves the API the other half:
 * Lambda has no reserved concurrency for a group of functions, and keeps 100 executions of an account unreserved
 * ("Configuring reserved concurrency for a function"). Requests get most of that half, refusals the rest of it.
 */
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

/** What a new account has ("Lambda quotas"). Half of it would refuse bursts that it can serve. */
const accountMin = 10;
/** Requests of an execution environment a second ("Understanding concurrency and requests per second"). */
const requestsPerSecond = 10;
/** Quotas of an account ("Quotas for configuring and running an HTTP API", Amazon API Gateway Developer Guide). */
const gatewayMax = { burst: 5000, requestsPerSecond: 10_000 };

/** What the API does with its half. */
export interface ApiShare {
  /** Requests in flight at which functions answer 429 with `Retry-After`. */
  readonly requestCeiling: number;
  /** The token bucket of the gateway, whose 429 comes before the 503 of an account without concurrency. */
  readonly burst: number;
  readonly requestsPerSecond: number;
}

/** @param concurrentExecutions the quota of the account */
export function apiShare(concurrentExecutions: number): ApiShare {
  const half = concurrentExecutions - Math.floor(concurrentExecutions / 2);
  const burst = Math.min(gatewayMax.burst, Math.max(accountMin, half));
  return {
    // The fifth that is left of the half runs the requests that are refused: some milliseconds each.
    requestCeiling: Math.floor((concurrentExecutions * 2) / 5),
    burst,
    requestsPerSecond: Math.min(gatewayMax.requestsPerSecond, requestsPerSecond * burst),
  };
}
