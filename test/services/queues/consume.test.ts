import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { consume } from '../../../lib/services/queues/consume.ts';
import { captureLog } from '../../support/log-lines.ts';

/** An SQS record with the fields that consumers read. */
function record(messageId: string, group?: string): SQSRecord {
  const name = group === undefined ? 'mail' : 'webhooks.fifo';
  return {
    messageId,
    receiptHandle: `handle of ${messageId}`,
    body: messageId,
    eventSourceARN: `arn:aws:sqs:eu-central-1:111111111111:${name}`,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: String(now() - 5000),
      ...(group !== undefined && { MessageGroupId: group }),
    },
  } as SQSRecord;
}

/** Consumes a batch in which messages named `bad…` fail: the reported failures, and the messages handled. */
async function worked(records: SQSRecord[]) {
  const lines = captureLog();
  const done: string[] = [];
  const retries: { queue: string; receiptHandle: string; seconds: number }[] = [];
  const handler = consume(
    async (body) => {
      done.push(body);
      if (body.startsWith('bad')) throw new Error('no');
    },
    async (queue, receiptHandle, seconds) => void retries.push({ queue, receiptHandle, seconds }),
  );
  const { batchItemFailures } = await handler({ Records: records });
  const failed = lines.filter(({ event }) => event === 'queue.message_failed');
  expect(failed.map(({ message_id }) => message_id)).toEqual(done.filter((body) => body.startsWith('bad')));
  expect(retries.map(({ receiptHandle }) => receiptHandle).sort()).toEqual(
    batchItemFailures.map(({ itemIdentifier }) => `handle of ${itemIdentifier}`).sort(),
  );
  for (const { seconds } of retries) expect(seconds).toBeOneOf([5, 6, 7, 8, 9, 10]);
  return { again: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort(), done: done.sort() };
}

describe('a batch', () => {
  it('reports the failed messages, and no other', async () => {
    const { again, done } = await worked([record('a'), record('bad 1'), record('b'), record('bad 2')]);
    expect(again).toEqual(['bad 1', 'bad 2']);
    expect(done).toEqual(['a', 'b', 'bad 1', 'bad 2']);
  });

  it('of a FIFO queue reports the messages behind a failed one of the same group, too', async () => {
    const { again, done } = await worked([
      record('a', 'x'),
      record('bad', 'x'),
      record('behind', 'x'),
      record('b', 'y'),
    ]);
    expect(again).toEqual(['bad', 'behind']);
    expect(done).toEqual(['a', 'b', 'bad']);
  });
});
