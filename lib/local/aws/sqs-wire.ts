/** SQS's JSON: schemas of inputs, presentation of messages, queues and batch results. */
import * as z from 'zod';
import { type AwsCall, AwsError, roleOf } from './service.ts';
import { attributesMd5, md5 } from './sqs-rules.ts';
import type { MessageInput, Queue, ReceivedMessage } from './sqs-types.ts';

const batchMax = 10;

const QueueUrl = z.string();
const attribute = z.strictObject({
  DataType: z.string(),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});
const messageParts = {
  MessageBody: z.string(),
  DelaySeconds: z.number().optional(),
  MessageAttributes: z.record(z.string(), attribute).optional(),
  MessageDeduplicationId: z.string().optional(),
  MessageGroupId: z.string().optional(),
};
const message = z.object(messageParts);

/** Input schemas by operation. */
export const inputs = {
  SendMessage: z.strictObject({ QueueUrl, ...messageParts }),
  SendMessageBatch: z.strictObject({
    QueueUrl,
    Entries: z.array(z.strictObject({ Id: z.string(), ...messageParts })).default([]),
  }),
  ReceiveMessage: z.strictObject({
    QueueUrl,
    MaxNumberOfMessages: z.int().default(1),
    VisibilityTimeout: z.int().optional(),
    WaitTimeSeconds: z.int().default(0),
    AttributeNames: z.array(z.string()).default([]),
    MessageSystemAttributeNames: z.array(z.string()).default([]),
    MessageAttributeNames: z.array(z.string()).default([]),
    ReceiveRequestAttemptId: z.string().optional(),
  }),
  DeleteMessage: z.strictObject({ QueueUrl, ReceiptHandle: z.string() }),
  ChangeMessageVisibility: z.strictObject({
    QueueUrl,
    ReceiptHandle: z.string(),
    VisibilityTimeout: z.number(),
  }),
  GetQueueAttributes: z.strictObject({ QueueUrl, AttributeNames: z.array(z.string()).default([]) }),
};
export type Operation = keyof typeof inputs;
export type Input<O extends Operation> = z.output<(typeof inputs)[O]>;

/** The message of a SendMessage input or batch entry. */
export function messageOf(input: z.output<typeof message>, call: AwsCall): MessageInput {
  return {
    body: input.MessageBody,
    attributes: input.MessageAttributes,
    groupId: input.MessageGroupId,
    deduplicationId: input.MessageDeduplicationId,
    delaySeconds: input.DelaySeconds,
    senderId: roleOf(call.principal),
    // Of the HTTP request ("Amazon SQS and AWS X-Ray", AWS X-Ray Developer Guide).
    traceHeader: call.headers['x-amzn-trace-id'],
  };
}

/** Sends a message; the result has the digests that the SDK verifies. */
export function send(queue: Queue, input: z.output<typeof message>, call: AwsCall) {
  const sent = messageOf(input, call);
  const { id, sequenceNumber } = queue.send(sent);
  return {
    MessageId: id,
    MD5OfMessageBody: md5(sent.body),
    MD5OfMessageAttributes: attributesMd5(sent.attributes ?? {}),
    SequenceNumber: sequenceNumber,
  };
}

/** Runs each entry of a batch; entries with an AwsError are listed in `Failed`. */
export function batch<E extends { Id: string }>(
  entries: readonly E[],
  one: (entry: E) => object | undefined,
) {
  const ids = entries.map((entry) => entry.Id);
  if (ids.length === 0) throw new AwsError('EmptyBatchRequest', 'There should be at least one entry.');
  if (ids.length > batchMax) {
    throw new AwsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${batchMax}. You have sent ${ids.length}.`,
    );
  }
  if (new Set(ids).size < ids.length)
    throw new AwsError('BatchEntryIdsNotDistinct', 'Two entries share an Id.');
  if (!ids.every((id) => /^[\w-]{1,80}$/.test(id))) {
    throw new AwsError(
      'InvalidBatchEntryId',
      'An Id holds 1 to 80 letters, digits, hyphens and underscores.',
    );
  }
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...one(entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return { Successful, Failed };
}

/** A received message with the requested attributes. */
export function presentReceived(received: ReceivedMessage, input: Input<'ReceiveMessage'>) {
  const wanted = Object.entries(received.attributes).filter(([name]) =>
    input.MessageAttributeNames.some(
      (asked) => asked === 'All' || asked === '.*' || asked === name || isPrefix(asked, name),
    ),
  );
  const attributes = Object.fromEntries(wanted);
  const system = pick(systemAttributes(received), [
    ...input.AttributeNames,
    ...input.MessageSystemAttributeNames,
  ]);
  return {
    MessageId: received.id,
    ReceiptHandle: received.receiptHandle,
    Body: received.body,
    MD5OfBody: md5(received.body),
    ...(Object.keys(system).length > 0 && { Attributes: system }),
    ...(wanted.length > 0 && {
      MessageAttributes: attributes,
      MD5OfMessageAttributes: attributesMd5(attributes),
    }),
  };
}

function isPrefix(asked: string, name: string): boolean {
  return asked.endsWith('.*') && name.startsWith(asked.slice(0, -2));
}

/** System attributes of a message; Lambda events contain all of them. */
export function systemAttributes(received: ReceivedMessage): Record<string, string> {
  return defined({
    SenderId: received.senderId,
    SentTimestamp: String(received.sentAt),
    ApproximateReceiveCount: String(received.receiveCount),
    ApproximateFirstReceiveTimestamp: String(received.firstReceivedAt),
    MessageGroupId: received.groupId,
    MessageDeduplicationId: received.deduplicationId,
    SequenceNumber: received.sequenceNumber,
    DeadLetterQueueSourceArn: received.deadLetterSourceArn,
    AWSTraceHeader: received.traceHeader,
  });
}

export function queueAttributes({ arn, settings, depth }: Queue): Record<string, string> {
  const { visible, inFlight, delayed } = depth();
  const { redrive, fifo } = settings;
  return defined({
    QueueArn: arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    VisibilityTimeout: String(settings.visibilitySeconds),
    DelaySeconds: String(settings.delaySeconds ?? 0),
    MessageRetentionPeriod: String(settings.retentionSeconds),
    RedrivePolicy:
      redrive &&
      JSON.stringify({ deadLetterTargetArn: redrive.dlqArn, maxReceiveCount: redrive.maxReceiveCount }),
    FifoQueue: fifo ? 'true' : undefined,
    ContentBasedDeduplication: fifo ? String(settings.contentBasedDeduplication ?? false) : undefined,
  });
}

/** The requested attributes; `All`: every attribute. */
export function pick(attributes: Record<string, string>, asked: readonly string[]): Record<string, string> {
  const all = asked.includes('All');
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => all || asked.includes(name)));
}

function defined(entries: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
