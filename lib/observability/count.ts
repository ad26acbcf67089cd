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
/** Emails named in one line: a batch of the largest queue, twice. */
const emailsMax = 200;

/** An email that an invocation worked on. Ids only. */
export interface NamedEmail {
  readonly workspace_id: string;
  readonly email_id: string;
  /** Of an email that came, or was found in a mailbox. */
  readonly received?: true;
  /** Of a submission: its number, and the id that SES gave the message. */
  readonly chunk?: number;
  readonly provider_id?: string;
  /** Of a webhook attempt. */
  readonly delivery_id?: string;
}

/** Counts and durations of the invocation in progress; a function processes one invocation at a time. */
const counts = new Map<Exclude<MetricName, 'QueueToDone'>, number>();
const countsByWorkspace = new Map<string, Partial<Record<CounterName, number>>>();
const emails: NamedEmail[] = [];
let queueToDone: { readonly queue: string; readonly values: number[] } | null = null;

/**
 * Adds one to a metric.
 *
 * @param workspaceId becomes a property of the line, for CloudWatch Logs Insights, and never a dimension; null also for
 * what goes well with an email that `nameEmail` names: the line would have the workspace twice
 */
export function count(name: CounterName, workspaceId: string | null): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (workspaceId === null) return;
  const own = countsByWorkspace.get(workspaceId);
  if (!own && countsByWorkspace.size === workspacesMax) return;
  countsByWorkspace.set(workspaceId, { ...own, [name]: (own?.[name] ?? 0) + 1 });
}

/** Names an email in the line: traces and restores find it by its id. */
export function nameEmail(email: NamedEmail): void {
  if (emails.length < emailsMax) emails.push(email);
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

/**
 * Runs an invocation and publishes what it counted and named, also when it throws. Writes nothing when it did neither.
 *
 * @param requestId of a request, read at its end
 */
export async function withMetrics<T>(
  invocation: () => Promise<T>,
  requestId: () => string | undefined = () => undefined,
  namespace: () => string = () => env().METRICS_NAMESPACE,
): Promise<T> {
  const begunAt = now();
  try {
    return await invocation();
  } finally {
    if (counts.size > 0 || queueToDone || emails.length > 0) {
      publish(namespace(), { begunAt, requestId: requestId() });
    }
  }
}

interface Invocation {
  /** Unix milliseconds. */
  readonly begunAt: number;
  readonly requestId: string | undefined;
}

/** Writes the document: counters without a dimension, the latency by queue, and what was worked on. */
function publish(namespace: string, { begunAt, requestId }: Invocation): void {
  const directives = [
    ...(counts.size > 0 ? [directive(namespace, [...counts.keys()], [])] : []),
    ...(queueToDone ? [directive(namespace, ['QueueToDone'], [queueDimension])] : []),
  ];
  const at = now();
  writeLine({
    _aws: { Timestamp: at, CloudWatchMetrics: directives },
    ...Object.fromEntries(counts),
    ...(queueToDone && { [queueDimension]: queueToDone.queue, QueueToDone: queueToDone.values }),
    ...(countsByWorkspace.size > 0 && { workspaces: Object.fromEntries(countsByWorkspace) }),
    ...(emails.length > 0 && { emails, duration_ms: at - begunAt, request_id: requestId }),
  });
  counts.clear();
  countsByWorkspace.clear();
  emails.length = 0;
  queueToDone = null;
}

function directive(namespace: string, names: readonly MetricName[], dimensions: readonly string[]): object {
  return {
    Namespace: namespace,
    Dimensions: [dimensions],
    Metrics: names.map((name) => ({ Name: name, Unit: metrics[name] })),
  };
}
