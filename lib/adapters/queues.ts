/** SQS: sends messages to the queue of their kind, and delayed messages to the delay queue. */
import * as z from 'zod';
import { type QueueName, queues } from '../core/access.ts';
import { type DelayedMessage, type QueueMessage, queueOf } from '../core/queue-messages.ts';
import { env } from '../env.ts';
import { jsonCaller } from './aws-json.ts';

const call = jsonCaller({ name: 'sqs', prefix: 'AmazonSQS', version: '1.0' });

/** Calls SQS at the endpoint of the queue's URL. */
function callQueue(action: string, url: string, input: object): Promise<unknown> {
  return call(action, { QueueUrl: url, ...input }, new URL(url).origin);
}

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
  await callQueue('SendMessage', urlOf(queue), {
    MessageBody: JSON.stringify(message),
    MessageGroupId: group,
    ...(queues[queue].fifo && { MessageDeduplicationId: deduplicationId }),
    ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
  });
}

/** Messages of one `SendMessageBatch` call ("SendMessageBatch", Amazon SQS API Reference). */
export const batchMax = 10;

/** The entries that SQS did not take. */
const batchAnswer = z.object({ Failed: z.array(z.object({ Code: z.string() })).optional() });

/**
 * Sends up to 10 messages of one standard queue in one call. @throws Error where SQS did not take all of them
 */
export async function sendBatch(
  messages: readonly { readonly message: QueueMessage; readonly delaySeconds: number }[],
): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const answer = await callQueue('SendMessageBatch', urlOf(queueOf(first.message).queue), {
    Entries: messages.map(({ message, delaySeconds }, at) => ({
      Id: String(at),
      MessageBody: JSON.stringify(message),
      MessageGroupId: queueOf(message).group,
      DelaySeconds: delaySeconds,
    })),
  });
  const { Failed: failed = [] } = batchAnswer.parse(answer);
  if (failed.length > 0) throw new Error(`SQS did not take ${failed.length} messages: ${failed[0]?.Code}`);
}

/** Sends a body that is no known message to a standard queue, whose consumer and dead-letter queue deal with it. */
export async function sendUnknown(queue: QueueName, body: string): Promise<void> {
  await callQueue('SendMessage', urlOf(queue), { MessageBody: body });
}

/** Sends a message to the delay queue, which is received after `delaySeconds` (0 to 900). */
export async function sendDelayed(delayed: DelayedMessage, delaySeconds: number): Promise<void> {
  await callQueue('SendMessage', urlOf('delays'), {
    MessageBody: JSON.stringify(delayed),
    DelaySeconds: delaySeconds,
    MessageGroupId: queueOf(delayed.message).group,
  });
}

/**
 * Makes SQS deliver a message in flight again after `seconds` (0 to 43,200) instead of after the visibility timeout of its
 * queue ("ChangeMessageVisibility", Amazon SQS API Reference).
 *
 * @param queue name of the queue in AWS, the last part of its ARN
 */
export async function retryMessage(queue: string, receiptHandle: string, seconds: number): Promise<void> {
  const url = Object.values(env().QUEUE_URLS).find((known) => known.endsWith(`/${queue}`));
  if (!url) throw new Error(`no URL for queue ${queue}`);
  await callQueue('ChangeMessageVisibility', url, {
    ReceiptHandle: receiptHandle,
    VisibilityTimeout: seconds,
  });
}
