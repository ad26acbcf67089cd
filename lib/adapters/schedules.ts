/** EventBridge Scheduler: one-time schedules for messages that are due later than SQS can delay. */
import type { DelayedMessage } from '../core/queue-messages.ts';
import { env } from '../env.ts';
import { serviceCaller } from './aws-http.ts';

let shared: ReturnType<typeof serviceCaller> | undefined;

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
    shared ??= serviceCaller({ name: 'scheduler' });
    await shared({
      method: 'POST',
      path: `/schedules/${encodeURIComponent(name)}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
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
    });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConflictException')) throw error;
  }
}
