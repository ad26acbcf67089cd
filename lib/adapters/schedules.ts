/** EventBridge Scheduler: one-time schedules for what is due later than SQS can delay. */
import { ConflictException, CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import type { DelayedMessage } from '../core/queue-messages.ts';
import { env } from '../env.ts';

let shared: SchedulerClient | undefined;
const client = (): SchedulerClient => {
  shared ??= new SchedulerClient({});
  return shared;
};

/** A schedule fires within the minute after its time, so it is set a minute early; the delay queue does the rest. */
const earlyMs = 60_000;

/**
 * Puts `waiting` into the delay queue about a minute before it is due.
 *
 * @param name at most 64 of `[0-9a-zA-Z-_.]`; the same name again is no second schedule
 */
export async function createSchedule(name: string, waiting: DelayedMessage): Promise<void> {
  const at = new Date(waiting.dueAt - earlyMs).toISOString().slice(0, 19);
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
          Input: JSON.stringify(waiting),
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
  }
}
