/** What EventBridge Scheduler does with a time in the past. */
import { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { DelayedMessage } from '../../lib/core/queue-messages.ts';
import { env } from '../../lib/env.ts';
import { answered, type Question, words } from './question.ts';

export const pastSchedule: Question = {
  title: 'CreateSchedule with an at() in the past',
  settledBy: [
    answered(/^accepted$/, 'it is accepted'),
    answered(/^400 ValidationException: .*\bpast\b/, 'it is refused'),
  ],
  async ask({ run, workspaceId }) {
    const client = new SchedulerClient({ region: env().HOME_REGION, ...clientConfig() });
    const name = { Name: `smoke-${run}`, GroupName: env().SCHEDULE_GROUP };
    // Where the schedule fires all the same, a check of a domain that does not exist does nothing.
    const message = { kind: 'check-domain', v: 1, workspaceId, domainId: newId('dom') } as const;
    const input: DelayedMessage = { message, dueAt: 0 };
    try {
      await client.send(
        new CreateScheduleCommand({
          ...name,
          ScheduleExpression: 'at(2020-01-01T00:00:00)',
          ScheduleExpressionTimezone: 'UTC',
          FlexibleTimeWindow: { Mode: 'OFF' },
          ActionAfterCompletion: 'DELETE',
          Target: {
            Arn: env().DELAY_QUEUE_ARN,
            RoleArn: env().SCHEDULER_ROLE_ARN,
            Input: JSON.stringify(input),
          },
        }),
      );
      await client.send(new DeleteScheduleCommand(name)).catch(() => {});
      return 'accepted';
    } catch (error) {
      return words(error);
    } finally {
      client.destroy();
    }
  },
};
