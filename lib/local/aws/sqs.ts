/** SQS (AWS JSON 1.0): queues by ARN and the API operations on them. */
import type * as z from 'zod';
import { jsonBody, jsonError, jsonResponse, parseInput, targetOperation } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsResponse, type AwsService, type LocalClock } from './service.ts';
import { createMessageMoves } from './sqs-message-moves.ts';
import { createQueue } from './sqs-queue.ts';
import { checkVisibility, invalid, messageBytes, messageBytesMax, missing } from './sqs-rules.ts';
import type {
  Depth,
  MessageInput,
  Queue,
  QueuedMessage,
  QueueSettings,
  ReceivedMessage,
} from './sqs-types.ts';
import {
  batch,
  type Input,
  inputs,
  messageOf,
  type Operation,
  pick,
  presentReceived,
  queueAttributes,
  send,
} from './sqs-wire.ts';

/** In-process methods take a queue's ARN, or its name for queues of the default region. */
export interface Sqs extends AwsService {
  /** @param settings.region default: the default region */
  createQueue(settings: QueueSettings & { readonly region?: string }): Queue;
  queue(arnOrName: string): Queue;
  send(queue: string, message: MessageInput): { readonly id: string };
  receive(queue: string, max: number): ReceivedMessage[];
  delete(queue: string, receiptHandle: string): void;
  changeVisibility(queue: string, receiptHandle: string, seconds: number): void;
  messages(queue: string): readonly QueuedMessage[];
  /** Depth of every queue, by ARN. */
  depths(): Readonly<Record<string, Depth>>;
  /** Calls `listener` after messages became receivable, and for those that are now; returns a function that unsubscribes. */
  onAvailable(queue: string, listener: () => void): () => void;
}

const receiveMax = 10;
const waitSecondsMax = 20;
const operations = Object.keys(inputs) as Operation[];

/** An attribute, unless it has no value. */
const attributeOf = (name: string, value: string | null | undefined): Record<string, string> =>
  value ? { [name]: value } : {};

type Handler = (queue: Queue, call: AwsCall) => Promise<AwsResponse>;

/** Wraps a handler: parses the input, encodes the result. */
function on<S extends z.ZodType>(
  schema: S,
  handle: (queue: Queue, input: z.output<S>, call: AwsCall) => unknown,
): Handler {
  return async (queue, call) =>
    jsonResponse((await handle(queue, parseInput(schema, jsonBody(call)), call)) ?? {}, '1.0');
}

export function createSqs(options: {
  clock: LocalClock;
  account: string;
  region: string;
  /** Messages of a FIFO queue that are searched for available groups; default: SQS's. */
  fifoSearchDepth?: number;
  /** The policy of a queue; default: none. */
  policyOf?: (arn: string) => string | null;
}): Sqs {
  const { clock, account } = options;
  const queues = new Map<string, Queue>();

  function arnOf(region: string, name: string): string {
    return `arn:aws:sqs:${region}:${account}:${name}`;
  }

  function queueAt(arnOrName: string): Queue {
    const queue = queues.get(arnOrName.startsWith('arn:') ? arnOrName : arnOf(options.region, arnOrName));
    if (!queue) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  const moves = createMessageMoves({ clock, queues: () => [...queues.values()], queueAt });

  /** The ARN of the queue in `QueueUrl`, whose last path segment is the name, `QueueName` or `SourceArn`. */
  function queueArnOf(call: AwsCall): string {
    const { QueueUrl: url, QueueName, SourceArn } = jsonBody(call);
    if (typeof SourceArn === 'string') return SourceArn;
    const name = QueueName ?? (typeof url === 'string' ? url.split('/').at(-1) : undefined);
    if (typeof name !== 'string' || name === '') throw missing('QueueUrl');
    return arnOf(call.region, name);
  }

  const handlers: Readonly<Record<Operation, Handler>> = {
    SendMessage: on(inputs.SendMessage, send),
    SendMessageBatch: on(inputs.SendMessageBatch, (queue, { Entries }, call) => {
      const bytes = Entries.reduce((sum, entry) => sum + messageBytes(messageOf(entry, call)), 0);
      if (bytes > messageBytesMax) {
        const most = `Batch requests cannot be longer than ${messageBytesMax} bytes.`;
        throw new AwsError('BatchRequestTooLong', `${most} You have sent ${bytes} bytes.`);
      }
      return batch(Entries, (entry) => send(queue, entry, call));
    }),
    ReceiveMessage: on(inputs.ReceiveMessage, receive),
    DeleteMessage: on(inputs.DeleteMessage, (queue, input) => queue.delete(input.ReceiptHandle)),
    DeleteMessageBatch: on(inputs.DeleteMessageBatch, (queue, { Entries }) =>
      batch(Entries, (entry) => void queue.delete(entry.ReceiptHandle)),
    ),
    ChangeMessageVisibility: on(inputs.ChangeMessageVisibility, (queue, input) =>
      queue.changeVisibility(input.ReceiptHandle, input.VisibilityTimeout),
    ),
    ChangeMessageVisibilityBatch: on(inputs.ChangeMessageVisibilityBatch, (queue, { Entries }) =>
      batch(Entries, (entry) => void queue.changeVisibility(entry.ReceiptHandle, entry.VisibilityTimeout)),
    ),
    StartMessageMoveTask: on(inputs.StartMessageMoveTask, (queue, input) => moves.start(queue, input)),
    ListMessageMoveTasks: on(inputs.ListMessageMoveTasks, (queue, input) =>
      moves.list(queue, input.MaxResults),
    ),
    GetQueueUrl: on(inputs.GetQueueUrl, (queue, _input, call) => ({
      QueueUrl: `http://${call.headers.host}/${account}/${queue.settings.name}`,
    })),
    GetQueueAttributes: on(inputs.GetQueueAttributes, (queue, input) => ({
      Attributes: pick(
        { ...queueAttributes(queue), ...attributeOf('Policy', options.policyOf?.(queue.arn)) },
        input.AttributeNames,
      ),
    })),
    PurgeQueue: on(inputs.PurgeQueue, (queue) => queue.purge()),
  };

  /** ReceiveMessage; long polling waits on the local clock. */
  async function receive(queue: Queue, input: Input<'ReceiveMessage'>) {
    const { MaxNumberOfMessages: max, VisibilityTimeout: visibility, WaitTimeSeconds: waitSeconds } = input;
    if (max < 1 || max > receiveMax) {
      throw invalid('MaxNumberOfMessages', max, `Must be between 1 and ${receiveMax}, if provided.`);
    }
    if (waitSeconds < 0 || waitSeconds > waitSecondsMax) {
      throw invalid('WaitTimeSeconds', waitSeconds, `Must be >= 0 and <= ${waitSecondsMax}, if provided.`);
    }
    if (visibility !== undefined) checkVisibility(visibility);
    const deadline = clock.now() + waitSeconds * 1000;
    let received = queue.receive(max, visibility);
    while (received.length === 0 && clock.now() < deadline) {
      await new Promise<void>((resolve) => {
        const stop = [queue.onAvailable(wake), clock.at(deadline, wake)];
        function wake() {
          for (const end of stop) end();
          resolve();
        }
      });
      received = queue.receive(max, visibility);
    }
    if (received.length === 0) return {};
    return { Messages: received.map((message) => presentReceived(message, input)) };
  }

  return {
    name: 'sqs',
    createQueue({ region = options.region, ...settings }) {
      if (settings.fifo !== settings.name.endsWith('.fifo')) {
        throw new AwsError(
          'InvalidParameterValue',
          `The name of a FIFO queue ends in .fifo: ${settings.name}`,
        );
      }
      const arn = arnOf(region, settings.name);
      if (queues.has(arn)) throw new AwsError('QueueNameExists', `A queue named ${settings.name} exists.`);
      const queue = createQueue(settings, arn, clock, queueAt, options.fifoSearchDepth);
      queues.set(arn, queue);
      return queue;
    },
    queue: queueAt,
    send: (queue, message) => queueAt(queue).send(message),
    receive: (queue, max) => queueAt(queue).receive(max),
    delete: (queue, receiptHandle) => queueAt(queue).delete(receiptHandle),
    changeVisibility: (queue, receiptHandle, seconds) =>
      queueAt(queue).changeVisibility(receiptHandle, seconds),
    messages: (queue) => queueAt(queue).messages(),
    depths: () => Object.fromEntries([...queues].map(([arn, queue]) => [arn, queue.depth()])),
    onAvailable: (queue, listener) => queueAt(queue).onAvailable(listener),
    action: (call) => targetOperation(call, 'sqs', operations),
    permissions(call) {
      // Batch actions need the permission of the single action.
      const operation = targetOperation(call, 'sqs', operations).replace(/Batch$/, '');
      const source = { action: `sqs:${operation}`, resource: queueArnOf(call) };
      return operation === 'StartMessageMoveTask' ? [source, ...moves.permissions(jsonBody(call))] : [source];
    },
    handle: (call) => handlers[targetOperation(call, 'sqs', operations)](queueAt(queueArnOf(call)), call),
    errorResponse(error) {
      const response = jsonError(error, '1.0');
      const queryCode =
        error.code === 'QueueDoesNotExist' ? 'AWS.SimpleQueueService.NonExistentQueue' : error.code;
      return { ...response, headers: { ...response.headers, 'x-amzn-query-error': `${queryCode};Sender` } };
    },
  };
}
