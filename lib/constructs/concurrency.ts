/**
 * Shares of the account's concurrent executions. Workers together get half, so that a backlog leaves the API the other half:
 * Lambda has no reserved concurrency for a group of functions, and keeps 100 executions of an account unreserved
 * ("Configuring reserved concurrency for a function"). Requests get most of that half, refusals the rest of it.
 */
import type { WorkerContract } from '../core/work/worker.ts';
import { executionsAt, type MailRate } from '../core/work/worker-load.ts';

/** `MaximumConcurrency` of an SQS event source ("ScalingConfig", AWS Lambda API Reference). */
const queueMin = 2;
const queueMax = 1000;
/**
 * Above that, a source has pollers of its own, "provisioned mode" instead of `MaximumConcurrency`: each runs up to 10 executions and
 * polls up to 10 times a second ("Using Lambda with Amazon SQS", AWS Lambda Developer Guide). They are paid by the hour, so that the
 * least is that of SQS; AWS allows 10,000, the CDK 2,000.
 */
const executionsOfPoller = 10;
const pollersMin = 2;
const pollersMax = 2000;
/** A poll is a batch, so that an execution of a poller takes one batch a second at most, however short it is. */
const pollerSeconds = 1;
/** `ParallelizationFactor` of a stream's event source ("CreateEventSourceMapping", AWS Lambda API Reference). */
const factorMax = 10;
/** Shards of the stream of a new on-demand table: it starts with 4,000 write units, 1,000 for each partition. */
const newTableShards = 4;
/** Write units of an email sent and one received, each with one endpoint, at 1,000 a second and partition (`bench/latest.md`, Chains). */
const unitsOfMails = 50;

export interface WorkerConcurrency {
  /** Executions that the event source of a worker runs at most. */
  maximumOf(worker: WorkerContract): number;
  /** `ProvisionedPollerConfig` of the event source; null: `maximumOf` is its `MaximumConcurrency`. */
  pollersOf(worker: WorkerContract): { readonly minimum: number; readonly maximum: number } | null;
  /** `ParallelizationFactor` of the relay's event source. Others of the stream run one batch of a shard at a time. */
  readonly relayFactor: number;
  /** Shards of the stream at the rate that the workers carry. A table of more partitions has more, and runs more batches after an outage. */
  readonly streamShards: number;
}

/**
 * Shares half of the account's concurrent executions between the event sources, by what an email sent and one received take of
 * each (`lib/core/work/worker-load.ts`). The minimum of SQS takes more than that half below 68 concurrent executions. Sources whose
 * share is above `MaximumConcurrency` have pollers where the deployment carries more mail with them.
 *
 * @param concurrentExecutions the quota of the account ("Lambda quotas", AWS Lambda Developer Guide)
 */
export function workerConcurrency(
  workers: readonly WorkerContract[],
  concurrentExecutions: number,
): WorkerConcurrency {
  const plain = sharedOut(workers, concurrentExecutions, () => false);
  const withPollers = sharedOut(
    workers,
    concurrentExecutions,
    (worker) => isByMail(worker) && plain.shareOf(worker) > queueMax,
  );
  return mailsOf(workers, withPollers) > mailsOf(workers, plain) ? withPollers : plain;
}

function sharedOut(
  workers: readonly WorkerContract[],
  concurrentExecutions: number,
  hasPollers: (worker: WorkerContract) => boolean,
): WorkerConcurrency & { shareOf(worker: WorkerContract): number } {
  const half = Math.floor(concurrentExecutions / 2);
  const queued = workers.filter(({ trigger }) => trigger.kind === 'queue');
  const takenBy = (worker: WorkerContract) => executionsOf(worker, thousand, hasPollers(worker));
  // One that gathers runs for a moment in a minute, in the fifth that is left to refusals.
  const sharing = workers.filter(({ trigger }) => trigger.kind !== 'gathered-outbox');
  const wantedOfAll = sumOf(sharing, takenBy);
  const mails = wantedOfAll === 0 ? 0 : (thousand.sent * half) / wantedOfAll;
  const streamShards = Math.max(newTableShards, Math.ceil((mails * unitsOfMails) / 1000));
  const relays = workers.filter(({ trigger }) => trigger.kind === 'outbox');
  const relayWanted = sumOf(relays, (relay) => executionsOf(relay, { sent: mails, received: mails }));
  const relayFactor = Math.min(factorMax, Math.max(1, Math.ceil(relayWanted / streamShards)));

  // The least of each comes first: what is left of the half is shared.
  const left = Math.max(0, half - relayFactor * streamShards - queueMin * queued.length);
  const above = (worker: WorkerContract) => Math.max(0, takenBy(worker) - queueMin);
  const aboveOfAll = sumOf(queued, above);
  const shareOf = (worker: WorkerContract) =>
    queueMin + Math.floor((above(worker) * left) / Math.max(1, aboveOfAll));
  const pollersOf = (worker: WorkerContract) => {
    if (!hasPollers(worker)) return null;
    return {
      minimum: pollersMin,
      maximum: Math.min(pollersMax, Math.floor(shareOf(worker) / executionsOfPoller)),
    };
  };
  return {
    shareOf,
    maximumOf: (worker) => {
      if (worker.trigger.kind === 'outbox') return relayFactor * streamShards;
      if (worker.trigger.kind === 'gathered-outbox') return streamShards;
      const pollers = pollersOf(worker);
      return pollers ? pollers.maximum * executionsOfPoller : Math.min(mostOf(worker), shareOf(worker));
    },
    pollersOf,
    relayFactor,
    streamShards,
  };
}

/** Whether mail determines what the source of a worker takes. */
function isByMail({ load, trigger }: WorkerContract): boolean {
  return trigger.kind === 'queue' && load !== undefined && 'execution' in load;
}

/** Emails a second, as many sent as received, that the queues carry. */
function mailsOf(
  workers: readonly WorkerContract[],
  { maximumOf, pollersOf }: Pick<WorkerConcurrency, 'maximumOf' | 'pollersOf'>,
): number {
  const rates = workers
    .filter(isByMail)
    .map((worker) => maximumOf(worker) / executionsOf(worker, thousand, pollersOf(worker) !== null));
  return thousand.sent * Math.min(...rates);
}

function sumOf(workers: readonly WorkerContract[], of: (worker: WorkerContract) => number): number {
  return workers.reduce((sum, worker) => sum + of(worker), 0);
}

/** The rate for which shares are computed; others are in proportion to it. */
const thousand: MailRate = { sent: 1000, received: 1000 };

/** Concurrent executions that a worker takes at a rate. @param hasPollers whether its source is in provisioned mode */
export function executionsOf({ load, memoryMb }: WorkerContract, rate: MailRate, hasPollers = false): number {
  return load ? executionsAt(load, memoryMb, rate, hasPollers ? pollerSeconds : 0) : 0;
}

function mostOf({ load }: WorkerContract): number {
  return load && 'executions' in load ? (load.most ?? queueMax) : queueMax;
}

/** Executions that traces may take of an account of 1,000 and more, of the fifth that is left to refusals. */
const tracesMax = 20;
/** Of the account, Lambda keeps as many unreserved. */
const unreservedMin = 100;

/** What is reserved for the function that records traces, so that it takes no more; undefined: the account is too small to reserve any. */
export function traceExecutions(concurrentExecutions: number): number | undefined {
  const most = Math.min(tracesMax, Math.floor(concurrentExecutions / 50));
  return concurrentExecutions - most < unreservedMin ? undefined : most;
}

/** What a new account has ("Lambda quotas"). Half of it would refuse bursts that it can serve. */
const accountMin = 10;
/** Requests of an execution environment a second ("Understanding concurrency and requests per second"). */
const requestsPerSecond = 10;
/** Quotas of an account in most regions ("Amazon API Gateway quotas", Amazon API Gateway Developer Guide). */
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
