/** SQS: sends messages to the queue their kind belongs to, and those that wait to the delay queue. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queues } from '../core/access.ts';
import { type DelayedMessage, type QueueMessage, queueOf } from '../core/queue-messages.ts';
import { env } from '../env.ts';

let shared: SQSClient | undefined;
const client = (): SQSClient => {
  shared ??= new SQSClient({});
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
 * @param once on FIFO queues: a second message with the same text within five minutes is dropped by SQS
 */
export async function sendToQueue(message: QueueMessage, once: string): Promise<void> {
  const { queue, group } = queueOf(message);
  await client().send(
    new SendMessageCommand({
      QueueUrl: urlOf(queue),
      MessageBody: JSON.stringify(message),
      MessageGroupId: group,
      ...(queues[queue].fifo && { MessageDeduplicationId: once }),
    }),
  );
}

/** Longest delay that SQS takes. */
export const delaySecondsMax = 900;

/** Puts a message into the delay queue, to be passed on after `delaySeconds` (0 to 900). */
export async function sendDelayed(waiting: DelayedMessage, delaySeconds: number): Promise<void> {
  await client().send(
    new SendMessageCommand({
      QueueUrl: urlOf('delays'),
      MessageBody: JSON.stringify(waiting),
      DelaySeconds: delaySeconds,
      MessageGroupId: queueOf(waiting.message).group,
    }),
  );
}
