/** SQS: sends messages to the queue of their kind, and delayed messages to the delay queue. */
import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type QueueName, queues } from '../core/access/access.ts';
import { type DelayedMessage, type QueueMessage, queueOf } from '../core/queue-messages.ts';
import { env } from '../env.ts';
import { clientConfig } from './aws-clients.ts';
import { type BatchEntry, type Sending, sendInBatches } from './queue-batches.ts';

let shared: SQSClient | undefined;
const client = (): SQSClient => {
  shared ??= new SQSClient(clientConfig());
  return shared;
};

function urlOf(queue: string): string {
  const urls: Readonly<Record<string, string>> = env().QUEUE_URLS;
  const url = urls[queue];
  if (!url) throw new Error(`no URL for queue ${queue}`);
  return url;
}

/**
 * Sends a message to its queue.
 *
 * @param deduplicationId on FIFO queues: SQS drops a second message with the same id within five minutes
 * @param delaySeconds on standard queues: 0 to 900
 */
export async function sendToQueue(
  message: QueueMessage,
  deduplicationId: string,
  delaySeconds = 0,
): Promise<void> {
  await sendOne({ sending: { message, deduplicationId, delaySeconds }, body: JSON.stringify(message) });
}

async function sendOne(entry: BatchEntry): Promise<void> {
  const { queue } = queueOf(entry.sending.message);
  await client().send(new SendMessageCommand({ QueueUrl: urlOf(queue), ...partsOf(entry) }));
}

/**
 * Sends messages to their queues, several of one queue in one call: it costs as much as that of one message ("Amazon SQS
 * pricing"). The results are in the order of `sendings`.
 */
export async function sendAll(sendings: readonly Sending[]): Promise<readonly PromiseSettledResult<void>[]> {
  return await sendInBatches(sendings, async (queue, entries) => {
    const [first, second] = entries;
    if (first && !second) {
      await sendOne(first);
      return [];
    }
    const { Failed = [] } = await client().send(
      new SendMessageBatchCommand({
        QueueUrl: urlOf(queue),
        Entries: entries.map((entry, at) => ({ Id: String(at), ...partsOf(entry) })),
      }),
    );
    return Failed;
  });
}

function partsOf({ body, sending: { message, deduplicationId, delaySeconds = 0, group } }: BatchEntry) {
  const { queue, group: ownGroup } = queueOf(message);
  return {
    MessageBody: body,
    MessageGroupId: group ?? ownGroup,
    ...(queues[queue].fifo && { MessageDeduplicationId: deduplicationId }),
    ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
  };
}

/** Sends a body that is no known message to a standard queue, whose consumer and dead-letter queue deal with it. */
export async function sendUnknown(queue: QueueName, body: string): Promise<void> {
  await client().send(new SendMessageCommand({ QueueUrl: urlOf(queue), MessageBody: body }));
}

/** Sends a message to the delay queue, which is received after `delaySeconds` (0 to 900). */
export async function sendDelayed(delayed: DelayedMessage, delaySeconds: number): Promise<void> {
  await client().send(
    new SendMessageCommand({
      QueueUrl: urlOf('delays'),
      MessageBody: JSON.stringify(delayed),
      DelaySeconds: delaySeconds,
      MessageGroupId: queueOf(delayed.message).group,
    }),
  );
}

/**
 * Makes SQS deliver a message in flight again after `seconds` (0 to 43,200) instead of after the visibility timeout of its
 * queue ("ChangeMessageVisibility", Amazon SQS API Reference).
 *
 * @param queue name of the queue in AWS, the last part of its ARN
 */
export async function retryMessage(queue: string, receiptHandle: string, seconds: number): Promise<void> {
  const url = Object.values(env().QUEUE_URLS).find((known) => known.endsWith(`/${queue}`));
  await client().send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: url,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
}
