/** The operations of SQS on a queue. */
import type * as z from 'zod';
import { jsonBody, jsonResponse, parseInput } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsResponse, type LocalClock } from './service.ts';
import { receive } from './sqs-receive.ts';
import { messageBytes, messageBytesMax } from './sqs-rules.ts';
import type { Queue } from './sqs-types.ts';
import { batch, inputs, messageOf, type Operation, pick, queueAttributes, send } from './sqs-wire.ts';

/** An attribute, unless it has no value. */
const attributeOf = (name: string, value: string | null | undefined): Record<string, string> =>
  value ? { [name]: value } : {};

/** Handles a call on a queue. */
export type Handler = (queue: Queue, call: AwsCall) => Promise<AwsResponse>;

/** Wraps a handler: parses the input, encodes the result. */
function on<S extends z.ZodType>(
  schema: S,
  handle: (queue: Queue, input: z.output<S>, call: AwsCall) => unknown,
): Handler {
  return async (queue, call) =>
    jsonResponse((await handle(queue, parseInput(schema, jsonBody(call)), call)) ?? {}, '1.0');
}

/** @param policyOf the policy of a queue; null: none */
export function sqsHandlers(options: {
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  readonly policyOf: (arn: string) => string | null;
}): Readonly<Record<Operation, Handler>> {
  const { clock, policyOf } = options;
  return {
    SendMessage: on(inputs.SendMessage, send),
    SendMessageBatch: on(inputs.SendMessageBatch, (queue, { Entries }, call) => {
      const bytes = Entries.reduce((sum, entry) => sum + messageBytes(messageOf(entry, call)), 0);
      if (bytes > messageBytesMax) {
        const most = `Batch requests cannot be longer than ${messageBytesMax} bytes.`;
        throw new AwsError('BatchRequestTooLong', `${most} You have sent ${bytes} bytes.`);
      }
      return batch(Entries, (entry) => send(queue, entry, call));
    }),
    ReceiveMessage: on(inputs.ReceiveMessage, (queue, input) => receive(clock, queue, input)),
    DeleteMessage: on(inputs.DeleteMessage, (queue, input) => queue.delete(input.ReceiptHandle)),
    ChangeMessageVisibility: on(inputs.ChangeMessageVisibility, (queue, input) =>
      queue.changeVisibility(input.ReceiptHandle, input.VisibilityTimeout),
    ),
    GetQueueAttributes: on(inputs.GetQueueAttributes, (queue, input) => ({
      Attributes: pick(
        { ...queueAttributes(queue), ...attributeOf('Policy', policyOf(queue.arn)) },
        input.AttributeNames,
      ),
    })),
  };
}
