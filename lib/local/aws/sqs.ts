/** SQS (AWS JSON 1.0): queues by ARN, and the calls on them. */
import type { Journal } from '../journal.ts';
import { jsonBody, jsonError, targetOperation } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsService, type LocalClock } from './service.ts';
import { sqsHandlers } from './sqs-operations.ts';
import { createQueue } from './sqs-queue.ts';
import { missing } from './sqs-rules.ts';
import type {
  Depth,
  MessageInput,
  Queue,
  QueuedMessage,
  QueueSettings,
  ReceivedMessage,
} from './sqs-types.ts';
import { inputs, type Operation } from './sqs-wire.ts';

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

const operations = Object.keys(inputs) as Operation[];

export function createSqs(options: {
  clock: LocalClock;
  account: string;
  region: string;
  /** Messages of a FIFO queue that are searched for available groups; default: SQS's. */
  fifoSearchDepth?: number;
  /** Keeps the messages; default: nothing is kept. */
  journal?: Journal | null;
  /** The policy of a queue; default: none. */
  policyOf?: (arn: string) => string | null;
}): Sqs {
  const { clock, account, policyOf = () => null } = options;
  const queues = new Map<string, Queue>();

  const arnOf = (region: string, name: string) => `arn:aws:sqs:${region}:${account}:${name}`;

  function queueAt(arnOrName: string): Queue {
    const queue = queues.get(arnOrName.startsWith('arn:') ? arnOrName : arnOf(options.region, arnOrName));
    if (!queue) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  const handlers = sqsHandlers({ clock, policyOf });

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
      const queue = createQueue(settings, {
        arn,
        clock,
        deadLetterQueue: queueAt,
        fifoSearchDepth: options.fifoSearchDepth,
        kept: options.journal?.map(`queue ${arn}`),
      });
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
      // A batch needs the permission of the single action.
      const operation = targetOperation(call, 'sqs', operations).replace(/Batch$/, '');
      return [{ action: `sqs:${operation}`, resource: queueArnOf(call, arnOf) }];
    },
    handle: (call) =>
      handlers[targetOperation(call, 'sqs', operations)](queueAt(queueArnOf(call, arnOf)), call),
    errorResponse(error) {
      const response = jsonError(error, '1.0');
      const queryCode =
        error.code === 'QueueDoesNotExist' ? 'AWS.SimpleQueueService.NonExistentQueue' : error.code;
      return { ...response, headers: { ...response.headers, 'x-amzn-query-error': `${queryCode};Sender` } };
    },
  };
}

/** The queue of a call, by the name at the end of `QueueUrl`. @throws AwsError when there is none */
function queueArnOf(call: AwsCall, arnOf: (region: string, name: string) => string): string {
  const { QueueUrl: url } = jsonBody(call);
  const name = typeof url === 'string' ? url.split('/').at(-1) : undefined;
  if (!name) throw missing('QueueUrl');
  return arnOf(call.region, name);
}
