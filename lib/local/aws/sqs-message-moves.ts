/** Dead-letter queue redrive (SQS API reference, "StartMessageMoveTask"). */
import { randomUUID } from 'node:crypto';
import { AwsError, type LocalClock, type NeededPermission } from './service.ts';
import type { Queue } from './sqs-types.ts';

interface MoveInput {
  readonly SourceArn: string;
  readonly DestinationArn?: string | undefined;
}

interface MoveTask {
  readonly TaskHandle: string;
  readonly Status: 'COMPLETED';
  readonly SourceArn: string;
  readonly DestinationArn?: string | undefined;
  readonly ApproximateNumberOfMessagesMoved: number;
  readonly ApproximateNumberOfMessagesToMove: number;
  readonly StartedTimestamp: number;
}

export interface MessageMoves {
  /** Moves all visible messages at once. @throws AwsError when the source is no dead-letter queue */
  start(source: Queue, input: MoveInput): { TaskHandle: string };
  /** The last tasks, newest first. */
  list(source: Queue, max: number): { Results: readonly MoveTask[] };
  /** Permissions beyond the one on the source for the action itself. */
  permissions(input: Readonly<Record<string, unknown>>): NeededPermission[];
}

export function createMessageMoves(options: {
  clock: Pick<LocalClock, 'now'>;
  queues: () => readonly Queue[];
  queueAt: (arn: string) => Queue;
}): MessageMoves {
  const tasks: MoveTask[] = [];

  function sourcesOf(deadLetterArn: string): readonly Queue[] {
    return options.queues().filter(({ settings }) => settings.redrive?.dlqArn === deadLetterArn);
  }

  return {
    start(source, { DestinationArn }) {
      if (sourcesOf(source.arn).length === 0) {
        throw new AwsError(
          'InvalidParameterValue',
          'Source queue must be configured as a Dead Letter Queue.',
        );
      }
      const waiting = source.depth().visible;
      let moved = 0;
      for (let left = waiting; left > 0; ) {
        const received = source.receive(Math.min(left, 10), 60);
        if (received.length === 0) break;
        for (const { receiptHandle, ...message } of received) {
          const target = DestinationArn ?? message.deadLetterSourceArn;
          if (target === undefined) continue;
          options.queueAt(target).receiveMoved({ ...message, deadLetterSourceArn: undefined });
          source.delete(receiptHandle);
          moved += 1;
        }
        left -= received.length;
      }
      const TaskHandle = Buffer.from(randomUUID()).toString('base64');
      tasks.unshift({
        TaskHandle,
        Status: 'COMPLETED',
        SourceArn: source.arn,
        DestinationArn,
        ApproximateNumberOfMessagesMoved: moved,
        ApproximateNumberOfMessagesToMove: waiting,
        StartedTimestamp: options.clock.now(),
      });
      return { TaskHandle };
    },
    list: (source, max) => ({
      Results: tasks.filter(({ SourceArn }) => SourceArn === source.arn).slice(0, max),
    }),
    permissions({ SourceArn, DestinationArn }) {
      const source = String(SourceArn);
      const targets =
        typeof DestinationArn === 'string' ? [DestinationArn] : sourcesOf(source).map(({ arn }) => arn);
      return [
        ...['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'].map((action) => ({
          action,
          resource: source,
        })),
        ...targets.map((resource) => ({ action: 'sqs:SendMessage', resource })),
      ];
    },
  };
}
