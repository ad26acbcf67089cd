/** The frame of every queue consumer: partial batch failures, order on FIFO queues, one log line per failure. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { now } from '../../adapters/clock.ts';
import { observeQueueToDone, withMetrics } from '../../observability/count.ts';
import { describeError, logEvent } from '../../observability/log.ts';

/**
 * A Lambda handler that gives each message of a batch to `work`. A message whose work throws comes back after its
 * visibility timeout, and goes to the dead-letter queue in the end; the others are done. `work` must be safe to repeat.
 */
export function consume(
  work: (body: string, record: SQSRecord) => Promise<void>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return ({ Records: records }) =>
    withMetrics(async () => {
      const groups = Object.groupBy(records, groupOf);
      const failures = await Promise.all(Object.values(groups).map((group) => inOrder(group ?? [], work)));
      return { batchItemFailures: failures.flat().map((itemIdentifier) => ({ itemIdentifier })) };
    });
}

function queueOf(record: SQSRecord): string {
  return record.eventSourceARN.split(':').at(-1) ?? '';
}

/** On FIFO queues a group stays in order; elsewhere every message stands by itself. */
function groupOf(record: SQSRecord): string {
  const isFifo = record.eventSourceARN.endsWith('.fifo');
  return (isFifo && record.attributes.MessageGroupId) || record.messageId;
}

/** The ids of the messages that are to come again: on FIFO queues the failed one and all behind it. */
async function inOrder(
  group: readonly SQSRecord[],
  work: (body: string, record: SQSRecord) => Promise<void>,
): Promise<string[]> {
  for (const [at, record] of group.entries()) {
    try {
      await work(record.body, record);
      observeQueueToDone(queueOf(record), now() - Number(record.attributes.SentTimestamp));
    } catch (error) {
      logEvent('queue.message_failed', {
        queue: queueOf(record),
        message_id: record.messageId,
        receives: Number(record.attributes.ApproximateReceiveCount),
        error: describeError(error),
      });
      return group.slice(at).map(({ messageId }) => messageId);
    }
  }
  return [];
}
