/** The event source mapping of an SQS queue: batches, concurrency, partial batch responses. */
import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import type { LocalClock } from './aws/service.ts';
import type { MessageAttribute, Queue, ReceivedMessage } from './aws/sqs-types.ts';
import type { BackgroundTask } from './background-task.ts';
import { failuresOf } from './batch-item-failures.ts';
import { InvocationFailed } from './function-thread.ts';
import { throttled } from './functions.ts';

/** An event source mapping of a queue. */
export interface QueueSourceSpec {
  readonly functionArn: string;
  readonly queueArn: string;
  readonly batchSize: number;
  /** `MaximumBatchingWindowInSeconds`; 0: none. */
  readonly windowSeconds: number;
  /** `MaximumConcurrency`; default: none. */
  readonly concurrency?: number;
  /** `ProvisionedPollerConfig`; default: no provisioned mode. */
  readonly pollers?: { readonly minimum: number; readonly maximum: number };
  /** `ReportBatchItemFailures`: the result lists failed messages. Otherwise every result is a success. */
  readonly reportsFailures: boolean;
}

/** Concurrent invocations (Lambda developer guide, "Configuring scaling behavior for SQS event source mappings"). */
const initialConcurrency = 5;
const addedPerMinute = 300;
const concurrencyMax = 1_250;
/** In provisioned mode ("Using Lambda with Amazon SQS"). */
const provisioned = { ofPoller: 10, addedPerMinute: 1_000 };

/** Pause after a poll that was denied; AWS does not document its own. */
const deniedPauseMs = 20_000;

/** Backoff of throttled invocations. */
const backoffMs = { first: 200, max: 20_000 };

/** Concurrent invocations of a mapping: at first, more each minute of a backlog, and at most. */
function scalingOf({ concurrency, pollers }: Pick<QueueSourceSpec, 'concurrency' | 'pollers'>) {
  if (!pollers) {
    return { first: initialConcurrency, addedPerMinute, most: concurrency ?? concurrencyMax };
  }
  return {
    first: pollers.minimum * provisioned.ofPoller,
    addedPerMinute: provisioned.addedPerMinute,
    most: pollers.maximum * provisioned.ofPoller,
  };
}

/** How many batches may run at once, when some do. @param scales whether that grows with a backlog */
function createScaling(
  spec: Pick<QueueSourceSpec, 'concurrency' | 'pollers'>,
  clock: Pick<LocalClock, 'now'>,
  scales: boolean,
): (running: number) => number {
  const { first, addedPerMinute: perMinute, most } = scalingOf(spec);
  /** Since when all pollers are busy; null: they are not. */
  let backlogSince: number | null = null;
  return (running) => {
    if (!scales) return Math.min(most, spec.concurrency ?? first);
    if (running === 0) backlogSince = null;
    else if (running >= first) backlogSince ??= clock.now();
    const added = backlogSince === null ? 0 : ((clock.now() - backlogSince) / 60_000) * perMinute;
    return Math.min(most, first + Math.floor(added));
  };
}

/** Starts the mapping. */
export function startQueueSource(options: {
  spec: QueueSourceSpec;
  queue: Queue;
  region: string;
  invoke: (functionArn: string, event: unknown, call: { traces: readonly string[] }) => Promise<unknown>;
  /** Whether the function may receive from the queue; default: it may. */
  mayReceive?: () => boolean;
  clock: Pick<LocalClock, 'at' | 'now'>;
  /** Whether concurrency grows with a backlog; default: it does not. */
  scales?: boolean;
  /** Called after each batch. */
  onProgress: () => void;
}): BackgroundTask {
  const { spec, queue, clock } = options;
  const running = new Set<Promise<void>>();
  let isClosed = false;
  const concurrency = createScaling(spec, clock, options.scales === true);
  let isDenied = false;
  /** A batch that waits for more messages until its window ends. */
  let open: ReceivedMessage[] = [];

  function poll(): void {
    if (options.mayReceive?.() === false) {
      if (!isDenied) clock.at(clock.now() + deniedPauseMs, pollAgain);
      isDenied = true;
      return;
    }
    while (!isClosed && running.size < concurrency(running.size)) {
      const received = queue.receive(spec.batchSize - open.length);
      if (received.length === 0) return;
      const batch = [...open, ...received];
      if (spec.windowSeconds > 0 && batch.length < spec.batchSize) {
        // From its first message ("Configuring polling and batch size", AWS Lambda Developer Guide).
        if (open.length === 0) clock.at(clock.now() + spec.windowSeconds * 1000, () => endWindow(received));
        open = batch;
        continue;
      }
      open = [];
      start(batch);
    }
  }

  function pollAgain(): void {
    isDenied = false;
    poll();
  }

  /** @param first the messages with which the window began */
  function endWindow(first: readonly ReceivedMessage[]): void {
    const batch = open;
    if (isClosed || batch[0] !== first[0]) return;
    open = [];
    start(batch);
  }

  function start(batch: readonly ReceivedMessage[]): void {
    const work = processBatch(batch).finally(() => {
      running.delete(work);
      poll();
      options.onProgress();
    });
    running.add(work);
  }

  /** Failed messages stay in flight until their visibility timeout ends. */
  async function processBatch(batch: readonly ReceivedMessage[]): Promise<void> {
    const event = { Records: batch.map((message) => recordOf(message, spec.queueArn, options.region)) };
    let result: unknown;
    try {
      const traces = batch.flatMap(({ traceHeader }) => traceHeader ?? []);
      result = await invokeWithBackoff(event, traces);
    } catch {
      return;
    }
    const failed = spec.reportsFailures ? failuresOf(result, new Set(batch.map(({ id }) => id))) : new Set();
    for (const message of batch) {
      if (!failed.has(message.id)) queue.delete(message.receiptHandle);
    }
  }

  /**
   * Retries a throttled invocation until the visibility timeout of its messages ends (Lambda developer guide, "Backoff strategy for failed
   * invocations").
   */
  async function invokeWithBackoff(event: unknown, traces: readonly string[]): Promise<unknown> {
    const until = clock.now() + queue.settings.visibilitySeconds * 1000;
    for (let pauseMs = backoffMs.first; ; pauseMs = Math.min(pauseMs * 2, backoffMs.max)) {
      try {
        return await options.invoke(spec.functionArn, event, { traces });
      } catch (error) {
        const isThrottled = error instanceof InvocationFailed && error.errorType === throttled;
        if (!isThrottled || isClosed || clock.now() + pauseMs >= until) throw error;
        await new Promise<void>((resolve) => clock.at(clock.now() + pauseMs, resolve));
      }
    }
  }

  const unsubscribe = queue.onAvailable(poll);
  return {
    pendingWork: () =>
      running.size > 0 || open.length > 0 ? `${running.size} batches of ${queue.settings.name}` : null,
    async close() {
      isClosed = true;
      unsubscribe();
    },
  };
}

function recordOf(message: ReceivedMessage, queueArn: string, region: string): SQSRecord {
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(Math.trunc(message.sentAt)),
      SenderId: message.senderId,
      ApproximateFirstReceiveTimestamp: String(Math.trunc(message.firstReceivedAt ?? message.sentAt)),
      ...(message.groupId !== undefined && { MessageGroupId: message.groupId }),
      ...(message.deduplicationId !== undefined && { MessageDeduplicationId: message.deduplicationId }),
      ...(message.sequenceNumber !== undefined && { SequenceNumber: message.sequenceNumber }),
      ...(message.deadLetterSourceArn !== undefined && {
        DeadLetterQueueSourceArn: message.deadLetterSourceArn,
      }),
      ...(message.traceHeader !== undefined && { AWSTraceHeader: message.traceHeader }),
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.attributes).map(([name, attribute]) => [name, attributeOf(attribute)]),
    ),
    md5OfBody: createHash('md5').update(message.body).digest('hex'),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

function attributeOf(attribute: MessageAttribute): SQSRecord['messageAttributes'][string] {
  return {
    dataType: attribute.DataType,
    stringListValues: [],
    binaryListValues: [],
    ...(attribute.StringValue !== undefined && { stringValue: attribute.StringValue }),
    ...(attribute.BinaryValue !== undefined && { binaryValue: attribute.BinaryValue }),
  };
}
