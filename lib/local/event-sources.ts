/** Lambda's pollers of SQS queues: batches, concurrency, partial failures. The queue wakes them, so none of them waits. */
import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import type { MessageAttribute, Queue, ReceivedMessage } from './aws/sqs-types.ts';

/** An event source mapping of a queue, as the template describes it. */
export interface QueueSourceSpec {
  readonly functionArn: string;
  readonly queueArn: string;
  readonly batchSize: number;
  /** Most invocations at a time; absent: what Lambda starts with. */
  readonly concurrency?: number;
  /** Whether the function names the messages that failed. Without it, an answer is a success of all. */
  readonly reportsFailures: boolean;
}

/** Something that works by itself and comes to rest. */
export interface Mover {
  /** null: at rest. Otherwise what it is busy with, for a person. */
  busyWith(): string | null;
  close(): Promise<void>;
}

/** Pollers that Lambda starts with for a standard queue. */
const concurrencyByDefault = 5;

/** Polls `queue` from now on. */
export function startQueueSource(options: {
  spec: QueueSourceSpec;
  queue: Queue;
  region: string;
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  /** Called whenever an invocation has been settled. */
  onSettled: () => void;
}): Mover {
  const { spec, queue } = options;
  const concurrency = spec.concurrency ?? concurrencyByDefault;
  const running = new Set<Promise<void>>();
  let isClosed = false;

  function pump(): void {
    while (!isClosed && running.size < concurrency) {
      const batch = queue.receive(spec.batchSize);
      if (batch.length === 0) return;
      const work = consume(batch).finally(() => {
        running.delete(work);
        pump();
        options.onSettled();
      });
      running.add(work);
    }
  }

  /** What failed stays in flight until its visibility timeout brings it back, as with Lambda's own pollers. */
  async function consume(batch: readonly ReceivedMessage[]): Promise<void> {
    const event = { Records: batch.map((message) => recordOf(message, spec.queueArn, options.region)) };
    let answer: unknown;
    try {
      answer = await options.invoke(spec.functionArn, event);
    } catch {
      return;
    }
    const failed = spec.reportsFailures ? failuresOf(answer, new Set(batch.map(({ id }) => id))) : new Set();
    for (const message of batch) {
      if (!failed.has(message.id)) queue.delete(message.receiptHandle);
    }
  }

  const stop = queue.onAvailable(pump);
  return {
    busyWith: () => (running.size > 0 ? `${running.size} batches of ${queue.settings.name}` : null),
    async close() {
      isClosed = true;
      stop();
    },
  };
}

/**
 * The identifiers that an answer gives as failed; everything where the answer cannot be understood or names what was
 * not in the batch (Lambda developer guide, "Implementing partial batch responses").
 */
export function failuresOf(answer: unknown, given: ReadonlySet<string>): ReadonlySet<string> {
  if (answer === null || answer === undefined) return new Set();
  const failures = (answer as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === null || failures === undefined) return new Set();
  if (!Array.isArray(failures)) return given;
  const named = failures.map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier);
  return named.every((id) => typeof id === 'string' && given.has(id)) ? new Set(named as string[]) : given;
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
