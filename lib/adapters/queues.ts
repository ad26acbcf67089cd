/** SQS: sends messages to the queue of their kind, and delayed messages to the delay queue. */
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queues } from '../core/access.ts';
import { type DelayedMessage, type QueueMessage, queueOf } from '../core/queue-messages.ts';
import { env } from '../env.ts';
import { clientConfig } from './aws-clients.ts';

let shared: SQSClient | undefined;
const client = (): SQSClient => {
  shared ??= new SQSClient(clientConfig());
  return shared;
};

function urlOf(queue: string): string {
  const url = env().QUEUE_URLS[queue];
  if (!url) throw new Error(`no URL for queue ${queue}`);
  return url;
}

/**
 * Sends a message to its queue.
 *
 * @param deduplicationId on FIFO queues: SQS drops a second message with the same id within five minutes
 */
export async function sendToQueue(message: QueueMessage, deduplicationId: string): Promise<void> {
  const { queue, group } = queueOf(message);
  await client().send(
    new SendMessageCommand({
      QueueUrl: urlOf(queue),
      MessageBody: JSON.stringify(message),
      MessageGroupId: group,
      ...(queues[queue].fifo && { MessageDeduplicationId: deduplicationId }),
    }),
  );
}

/** Longest delay of SQS, in seconds. */
export const delaySecondsMax = 900;

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
