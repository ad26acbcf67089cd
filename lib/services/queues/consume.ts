/** The frame of every queue consumer: partial batch failures, order on FIFO queues, one log line per failure. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { now } from '../../adapters/clock.ts';
import { UnknownMessage } from '../../core/unknown-message.ts';
import { observeQueueToDone, withMetrics } from '../../observability/count.ts';
import { describeError, logEvent } from '../../observability/log.ts';

/**
 * A Lambda handler that calls `work` for each message of a batch. A message whose work throws is received again after
 * its visibility timeout, and moves to the dead-letter queue in the end ("Handling errors for an SQS event source in
 * Lambda"). `work` must be idempotent.
 */
export function consume(
  work: (body: string, record: SQSRecord) => Promise<void>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return ({ Records: records }) =>
    withMetrics(async () => {
      const groups = Object.groupBy(records, groupOf);
      const failures = await Promise.all(
        Object.values(groups).map((group) => processInOrder(group ?? [], work)),
      );
      return { batchItemFailures: failures.flat().map((itemIdentifier) => ({ itemIdentifier })) };
    });
}

function queueNameOf(record: SQSRecord): string {
  return record.eventSourceARN.split(':').at(-1) ?? '';
}

/** On FIFO queues a message group stays in order; on standard queues every message is a group of its own. */
function groupOf(record: SQSRecord): string {
  const isFifo = record.eventSourceARN.endsWith('.fifo');
  return (isFifo && record.attributes.MessageGroupId) || record.messageId;
}

/** The ids of the messages to receive again: the failed one, and on FIFO queues those after it. */
async function processInOrder(
  group: readonly SQSRecord[],
  work: (body: string, record: SQSRecord) => Promise<void>,
): Promise<string[]> {
  for (const [index, record] of group.entries()) {
    try {
      await work(record.body, record);
      observeQueueToDone(queueNameOf(record), now() - Number(record.attributes.SentTimestamp));
    } catch (error) {
      logEvent(error instanceof UnknownMessage ? 'queue.unknown_message' : 'queue.message_failed', {
        queue: queueNameOf(record),
        message_id: record.messageId,
        receives: Number(record.attributes.ApproximateReceiveCount),
        error: describeError(error),
      });
      return group.slice(index).map(({ messageId }) => messageId);
    }
  }
  return [];
}
