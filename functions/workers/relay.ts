/** Relays the messages of changes from the table's stream to queues and schedules, or does their work. */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { stopwatch } from '../../lib/adapters/clock.ts';
import { presentEvent } from '../../lib/http/presenters/events.ts';
import { describeError, logEvent } from '../../lib/observability/log.ts';
import { noWork, relayOutbox } from '../../lib/services/queues/relay-outbox.ts';
import { releaseAtOnce } from '../../lib/services/sending/release-emails.ts';
import { publisherOfBatch } from '../../lib/services/webhooks/publish-events.ts';

/** Records whose messages are sent together: the emails of their events are in memory at the same time. */
const concurrency = 10;

/** A busy table delays the work of messages by seconds: after this time it is left to workers of their own. */
const workMs = 10_000;

/**
 * Lambda retries from the first failed record ("Configuring partial batch response with DynamoDB and Lambda"), which
 * keeps the order within a partition. A retry sends messages again, and consumers are idempotent.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const records = event.Records;
  const elapsedMs = stopwatch();
  const work = { publish: publisherOfBatch(presentEvent), release: releaseAtOnce };
  for (let at = 0; at < records.length; at += concurrency) {
    const group = records.slice(at, at + concurrency);
    const results = await relayOutbox(
      group.map((record) => record.dynamodb?.NewImage),
      elapsedMs() < workMs ? work : noWork,
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
