/** Dead-letter queues of the home region, for the operator's command line. */
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type QueueName, queues } from '../core/access/access.ts';
import { env } from '../env.ts';
import { clientConfig } from './aws-clients.ts';

/** Sources of dead letters that can be moved back: each queue, and the one-time schedules, whose target is the delay queue. */
export const redriveSources = [...(Object.keys(queues) as QueueName[]), 'schedules'] as const;
export type RedriveSource = (typeof redriveSources)[number];

const longPollSeconds = 1;

let shared: SQSClient | undefined;
const client = (): SQSClient => {
  shared ??= new SQSClient(clientConfig({ requestMs: 10_000 }));
  return shared;
};

function urlOf(queue: QueueName): string {
  const url = env().QUEUE_URLS[queue];
  if (!url) throw new Error(`no URL for queue ${queue}`);
  return url;
}

/** Names follow `lib/constructs/names.ts`: `parley-mail` and `parley-mail-dead-letters`. */
function deadLetterUrlOf(source: RedriveSource): string {
  if (source !== 'schedules') return urlOf(source).replace(/(\.fifo)?$/, '-dead-letters$1');
  return urlOf('delays').replace(/-delays$/, '-schedules-dead-letters');
}

/** Approximate number of messages in the dead-letter queue of `source`. */
export async function countDeadLetters(source: RedriveSource): Promise<number> {
  const { Attributes } = await client().send(
    new GetQueueAttributesCommand({
      QueueUrl: deadLetterUrlOf(source),
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
}

/**
 * Moves the messages of a dead-letter queue back to the queue they came from, one after the other. Interrupted between
 * sending and deleting, it leaves a message in both queues, which consumers tolerate.
 *
 * @returns the number of messages moved
 */
export async function redriveDeadLetters(source: RedriveSource): Promise<number> {
  let moved = 0;
  for (;;) {
    const { Messages = [] } = await client().send(
      new ReceiveMessageCommand({
        QueueUrl: deadLetterUrlOf(source),
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: longPollSeconds,
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    if (Messages.length === 0) return moved;
    for (const message of Messages) await move(source, message);
    moved += Messages.length;
  }
}

async function move(source: RedriveSource, message: Message): Promise<void> {
  const target = source === 'schedules' ? 'delays' : source;
  const group = message.Attributes?.MessageGroupId;
  await client().send(
    new SendMessageCommand({
      QueueUrl: urlOf(target),
      MessageBody: message.Body,
      ...(group && { MessageGroupId: group }),
      ...(queues[target].fifo && { MessageDeduplicationId: `redrive-${message.MessageId}` }),
    }),
  );
  await client().send(
    new DeleteMessageCommand({ QueueUrl: deadLetterUrlOf(source), ReceiptHandle: message.ReceiptHandle }),
  );
}
