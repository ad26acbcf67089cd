/** The event source mapping of an SQS queue: batches, concurrency, partial batch responses. */
import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import type { MessageAttribute, Queue, ReceivedMessage } from './aws/sqs-types.ts';
import type { BackgroundTask } from './background-task.ts';
import { failuresOf } from './batch-item-failures.ts';

/** An event source mapping of a queue. */
export interface QueueSourceSpec {
  readonly functionArn: string;
  readonly queueArn: string;
  readonly batchSize: number;
  /** Maximum concurrency; default: the pollers that Lambda starts with. */
  readonly concurrency?: number;
  /** `ReportBatchItemFailures`: the result lists failed messages. Otherwise every result is a success. */
  readonly reportsFailures: boolean;
}

/** Initial concurrent invocations (Lambda developer guide, "Configuring scaling behavior for SQS event source mappings"). */
const defaultConcurrency = 5;

/** Starts the mapping. */
export function startQueueSource(options: {
  spec: QueueSourceSpec;
  queue: Queue;
  region: string;
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  /** Called after each batch. */
  onProgress: () => void;
}): BackgroundTask {
  const { spec, queue } = options;
  const concurrency = spec.concurrency ?? defaultConcurrency;
  const running = new Set<Promise<void>>();
  let isClosed = false;

  function poll(): void {
    while (!isClosed && running.size < concurrency) {
      const batch = queue.receive(spec.batchSize);
      if (batch.length === 0) return;
      const work = processBatch(batch).finally(() => {
        running.delete(work);
        poll();
        options.onProgress();
      });
      running.add(work);
    }
  }

  /** Failed messages stay in flight until their visibility timeout ends. */
  async function processBatch(batch: readonly ReceivedMessage[]): Promise<void> {
    const event = { Records: batch.map((message) => recordOf(message, spec.queueArn, options.region)) };
    let result: unknown;
    try {
      result = await options.invoke(spec.functionArn, event);
    } catch {
      return;
    }
    const failed = spec.reportsFailures ? failuresOf(result, new Set(batch.map(({ id }) => id))) : new Set();
    for (const message of batch) {
      if (!failed.has(message.id)) queue.delete(message.receiptHandle);
    }
  }

  const unsubscribe = queue.onAvailable(poll);
  return {
    pendingWork: () => (running.size > 0 ? `${running.size} batches of ${queue.settings.name}` : null),
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
