/** Relays the messages of changes from the table's stream to queues and schedules. */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { describeError, logEvent } from '../../lib/observability/log.ts';
import { relayOutbox } from '../../lib/services/queues/relay-outbox.ts';
import { eventTakersOfBatch } from '../../lib/services/webhooks/event-takers.ts';

/** Records whose messages are sent together. */
const concurrency = 20;

/**
 * Lambda retries from the first failed record ("Configuring partial batch response with DynamoDB and Lambda"), which
 * keeps the order within a partition. A retry sends messages again, and consumers are idempotent.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const records = event.Records;
  const takers = eventTakersOfBatch();
  for (let at = 0; at < records.length; at += concurrency) {
    const group = records.slice(at, at + concurrency);
    const results = await relayOutbox(
      group.map((record) => record.dynamodb?.NewImage),
      takers,
    );
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
