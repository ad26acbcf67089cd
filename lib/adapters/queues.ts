/** SQS: sends messages to the queue of their kind, and delayed messages to the delay queue. */
import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type QueueName, queues } from '../core/access.ts';
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
 * @param delaySeconds on standard queues: 0 to 900
 */
export async function sendToQueue(
  message: QueueMessage,
  deduplicationId: string,
  delaySeconds = 0,
): Promise<void> {
  const { queue, group } = queueOf(message);
  await client().send(
    new SendMessageCommand({
      QueueUrl: urlOf(queue),
      MessageBody: JSON.stringify(message),
      MessageGroupId: group,
      ...(queues[queue].fifo && { MessageDeduplicationId: deduplicationId }),
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    }),
  );
}

/** Messages of one `SendMessageBatch` call ("SendMessageBatch", Amazon SQS API Reference). */
export const batchMax = 10;

/**
 * Sends up to 10 messages of one standard queue in one call. @throws Error where SQS did not take all of them
 */
export async function sendBatch(
  messages: readonly { readonly message: QueueMessage; readonly delaySeconds: number }[],
): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const { Failed: failed = [] } = await client().send(
    new SendMessageBatchCommand({
      QueueUrl: urlOf(queueOf(first.message).queue),
      Entries: messages.map(({ message, delaySeconds }, at) => ({
        Id: String(at),
        MessageBody: JSON.stringify(message),
        MessageGroupId: queueOf(message).group,
        DelaySeconds: delaySeconds,
      })),
    }),
  );
  if (failed.length > 0) throw new Error(`SQS did not take ${failed.length} messages: ${failed[0]?.Code}`);
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
