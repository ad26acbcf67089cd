/** Sends what the outbox owes. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { scheduleMessage } from '../../lib/services/queues/schedule-message.ts';
import { deleteOutboxItem, outboxItem } from '../../lib/storage/outbox.ts';
import type { Item } from '../../lib/storage/table.ts';

/** Items in flight at the same time: enough to hide the latency of SQS, few enough for one connection pool. */
const atOnce = 20;

/**
 * Stream records are tried again from the first one that failed, so the order within a partition holds. An item is
 * deleted once its messages are on their way; repeated before that, its messages are sent again, which is harmless.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const records = event.Records;
  for (let at = 0; at < records.length; at += atOnce) {
    const group = records.slice(at, at + atOnce);
    const results = await Promise.allSettled(group.map((record) => relay(record.dynamodb?.NewImage)));
    const failed = results.findIndex(({ status }) => status === 'rejected');
    const result = results[failed];
    if (result?.status === 'rejected') {
      console.error(JSON.stringify({ event: 'relay failed', cause: String(result.reason) }));
      return { batchItemFailures: [{ itemIdentifier: group[failed]?.dynamodb?.SequenceNumber ?? '' }] };
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
