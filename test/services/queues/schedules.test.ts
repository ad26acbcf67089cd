import { DeleteScheduleCommand, GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { createSchedule } from '../../../lib/adapters/schedules.ts';
import { env } from '../../../lib/env.ts';

describe('a one-time schedule', () => {
  it('has the dead-letter queue that the runbook names', async () => {
    const name = newId('evt').slice('evt_'.length);
    const message = {
      kind: 'check-domain',
      v: 1,
      workspaceId: newId('wks'),
      domainId: newId('dom'),
    } as const;
    await createSchedule(name, { message, dueAt: now() + 3_600_000 });
    const client = new SchedulerClient({ region: env().HOME_REGION });
    const of = { Name: name, GroupName: env().SCHEDULE_GROUP };
    const { Target } = await client.send(new GetScheduleCommand(of));
    await client.send(new DeleteScheduleCommand(of));
    expect(Target?.DeadLetterConfig?.Arn).toBe(env().SCHEDULE_DEAD_LETTERS_ARN);
    expect(Target?.DeadLetterConfig?.Arn).toMatch(/:parley-schedules-dead-letters$/);
  });
});
