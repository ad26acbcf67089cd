/** EventBridge Scheduler: one-time schedules for messages that are due later than SQS can delay. */
import { ConflictException, CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import type { DelayedMessage } from '../core/queue-messages.ts';
import { env } from '../env.ts';
import { clientConfig } from './aws-clients.ts';

let shared: SchedulerClient | undefined;
const client = (): SchedulerClient => {
  shared ??= new SchedulerClient(clientConfig());
  return shared;
};

/** A schedule fires up to a minute late ("Schedule types", EventBridge Scheduler User Guide); the delay queue waits for the rest. */
const earlyMs = 60_000;

/**
 * Creates a schedule that sends `delayed` to the delay queue about a minute before it is due.
 *
 * @param name 1 to 64 of `[0-9a-zA-Z-_.]`; a second call with the same name changes nothing
 */
export async function createSchedule(name: string, delayed: DelayedMessage): Promise<void> {
  const at = new Date(delayed.dueAt - earlyMs).toISOString().slice(0, 19);
  try {
    await client().send(
      new CreateScheduleCommand({
        Name: name,
        GroupName: env().SCHEDULE_GROUP,
        ScheduleExpression: `at(${at})`,
        ScheduleExpressionTimezone: 'UTC',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: {
          Arn: env().DELAY_QUEUE_ARN,
          RoleArn: env().SCHEDULER_ROLE_ARN,
          DeadLetterConfig: { Arn: env().SCHEDULE_DEAD_LETTERS_ARN },
          Input: JSON.stringify(delayed),
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
  }
}
