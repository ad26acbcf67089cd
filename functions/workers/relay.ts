/** Relays outbox items from the table's stream to queues and schedules. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { describeError, logEvent } from '../../lib/observability/log.ts';
import { scheduleMessage } from '../../lib/services/queues/schedule-message.ts';
import { deleteOutboxItem, outboxItem } from '../../lib/storage/outbox.ts';
import type { Item } from '../../lib/storage/table.ts';

/** Concurrent items: hides the latency of SQS within one connection pool. */
const concurrency = 20;

/**
 * Lambda retries from the first failed record ("Configuring partial batch response with DynamoDB and Lambda"), which
 * keeps the order within a partition. An item is deleted after its messages are sent; a retry before that sends them
 * again, and consumers are idempotent.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const records = event.Records;
  for (let at = 0; at < records.length; at += concurrency) {
    const group = records.slice(at, at + concurrency);
    const results = await Promise.allSettled(group.map((record) => relay(record.dynamodb?.NewImage)));
    const failed = results.findIndex(({ status }) => status === 'rejected');
    const result = results[failed];
    if (result?.status === 'rejected') {
      const sequenceNumber = group[failed]?.dynamodb?.SequenceNumber ?? '';
      logEvent('relay.record_failed', {
        sequence_number: sequenceNumber,
        error: describeError(result.reason),
      });
      return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
    }
  }
  return { batchItemFailures: [] };
}

async function relay(image: unknown): Promise<void> {
  if (!image) return;
  const { key, id, messages } = outboxItem(unmarshall(image as Record<string, AttributeValue>) as Item);
  await Promise.all(messages.map((one, at) => scheduleMessage(one, `${id}-${at}`)));
  await deleteOutboxItem(key);
}
