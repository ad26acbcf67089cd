/**
 * Counts during an invocation, and publishes the counts as one line in embedded metric format ("Specification: Embedded
 * metric format", Amazon CloudWatch User Guide).
 */
import { now } from '../adapters/clock.ts';
import { env } from '../env.ts';
import { writeLine } from './log.ts';
import { type CounterName, type DurationName, type MetricName, metrics, queueDimension } from './metrics.ts';

/** Values of one metric in a document ("Target members"). */
const valuesMax = 100;
/** Workspaces named in one line. */
const workspacesMax = 100;

/** Counts and durations of the invocation in progress; a function processes one invocation at a time. */
const counts = new Map<Exclude<MetricName, 'QueueToDone'>, number>();
const countsByWorkspace = new Map<string, Partial<Record<CounterName, number>>>();
let queueToDone: { readonly queue: string; readonly values: number[] } | null = null;

/**
 * Adds one to a metric.
 *
 * @param workspaceId becomes a property of the line, for CloudWatch Logs Insights, and never a dimension
 */
export function count(name: CounterName, workspaceId: string | null): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (workspaceId === null) return;
  const own = countsByWorkspace.get(workspaceId);
  if (!own && countsByWorkspace.size === workspacesMax) return;
  countsByWorkspace.set(workspaceId, { ...own, [name]: (own?.[name] ?? 0) + 1 });
}

/** Records a duration, one for each metric and invocation. */
export function observe(name: DurationName, ms: number): void {
  counts.set(name, ms);
}

/**
 * Records the time from SQS's acceptance of a message to the end of its processing.
 *
 * @param queue name of the queue; an invocation consumes one queue
 */
export function observeQueueToDone(queue: string, ms: number): void {
  queueToDone ??= { queue, values: [] };
  if (queueToDone.values.length < valuesMax) queueToDone.values.push(ms);
}

/** Runs an invocation and publishes what it counted, also when it throws. Writes nothing when nothing was counted. */
export async function withMetrics<T>(
  invocation: () => Promise<T>,
  namespace: () => string = () => env().METRICS_NAMESPACE,
): Promise<T> {
  try {
    return await invocation();
  } finally {
    if (counts.size > 0 || queueToDone) publish(namespace());
  }
}

/** Writes the document: counters without a dimension, the latency by queue. */
function publish(namespace: string): void {
  const directives = [
    ...(counts.size > 0 ? [directive(namespace, [...counts.keys()], [])] : []),
    ...(queueToDone ? [directive(namespace, ['QueueToDone'], [queueDimension])] : []),
  ];
  writeLine({
    _aws: { Timestamp: now(), CloudWatchMetrics: directives },
    ...Object.fromEntries(counts),
    ...(queueToDone && { [queueDimension]: queueToDone.queue, QueueToDone: queueToDone.values }),
    ...(countsByWorkspace.size > 0 && { workspaces: Object.fromEntries(countsByWorkspace) }),
  });
  counts.clear();
  countsByWorkspace.clear();
  queueToDone = null;
}

function directive(namespace: string, names: readonly MetricName[], dimensions: readonly string[]): object {
  return {
    Namespace: namespace,
    Dimensions: [dimensions],
    Metrics: names.map((name) => ({ Name: name, Unit: metrics[name] })),
  };
}
