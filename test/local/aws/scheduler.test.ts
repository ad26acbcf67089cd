import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
  ValidationException,
} from '@aws-sdk/client-scheduler';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modelledError } from '../../../lib/local/aws/json-protocol.ts';
import { createScheduler, type Scheduler, type SchedulerOptions } from '../../../lib/local/aws/scheduler.ts';
import { AwsError } from '../../../lib/local/aws/service.ts';
import { journalFile } from '../../support/journal.ts';
import { localAws } from './local-aws.ts';

const hourMs = 3_600_000;

async function start(
  options: Pick<SchedulerOptions, 'journal' | 'lateSeconds' | 'mayAssume' | 'sendsDuplicates'> = {},
) {
  const delivered: { arn: string; input: string; group: string | undefined; at: number }[] = [];
  const asked: unknown[] = [];
  const made: Scheduler[] = [];
  const aws = await localAws(
    (clock) => {
      const scheduler = createScheduler({
        clock,
        ...options,
        deliver: ({ targetArn: arn, input }, sqs) =>
          void delivered.push({ arn, input, group: sqs?.groupId, at: clock.now() }),
      });
      scheduler.createGroup('mail');
      scheduler.resume();
      made.push(scheduler);
      return [scheduler];
    },
    (_role, needed) => asked.push(needed) > 0,
  );
  const client = new SchedulerClient(aws.as('planner'));
  onTestFinished(() => client.destroy());
  const at = (ms: number) => `at(${new Date(ms).toISOString().slice(0, 19)})`;
  const input = (Name: string, ms = aws.clock.now() + hourMs): CreateScheduleCommandInput => ({
    Name,
    GroupName: 'mail',
    ScheduleExpression: at(ms),
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: {
      Arn: 'arn:aws:sqs:eu-central-1:111111111111:delays',
      RoleArn: 'arn:aws:iam::111111111111:role/scheduler',
      Input: `{"name":"${Name}"}`,
    },
  });
  const create = (name: string, ms?: number) => client.send(new CreateScheduleCommand(input(name, ms)));
  const list = () => made.flatMap((scheduler) => scheduler.list());
  return { ...aws, client, create, input, delivered, asked, list };
}

describe('Scheduler', () => {
  it('delivers the input up to 59 seconds late, by name, and deletes the schedule', async () => {
    const { create, clock, delivered, list } = await start({ sendsDuplicates: false });
    const dueAt = Math.floor((clock.now() + hourMs) / 1000) * 1000;
    const names = Array.from({ length: 40 }, (_, n) => `email-${n}`);
    for (const name of names) await create(name, dueAt);
    expect(list()).toHaveLength(40);
    await clock.advance(hourMs + 60_000);
    const late = delivered.map(({ at }) => Math.floor((at - dueAt) / 1000));
    expect(delivered).toHaveLength(40);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThanOrEqual(59);
    expect(new Set(late).size).toBeGreaterThan(10);
    expect(list()).toEqual([]);
  });

  it('fires some schedules twice', async () => {
    const { create, clock, delivered } = await start();
    for (let n = 0; n < 40; n++) await create(`email-${n}`);
    await clock.advance(hourMs + 120_000);
    const times = Map.groupBy(delivered, ({ input }) => input);
    expect(times.size).toBe(40);
    const doubled = [...times.values()].filter((each) => each.length === 2);
    expect(doubled.length).toBeGreaterThan(0);
    expect(doubled.length).toBeLessThan(20);
  });

  it('requires permission on the schedule and iam:PassRole', async () => {
    const { create, asked } = await start();
    await create('a');
    expect(asked).toEqual([
      {
        action: 'scheduler:CreateSchedule',
        resource: 'arn:aws:scheduler:eu-central-1:111111111111:schedule/mail/a',
      },
      {
        action: 'iam:PassRole',
        resource: 'arn:aws:iam::111111111111:role/scheduler',
        context: { 'iam:PassedToService': ['scheduler.amazonaws.com'] },
      },
    ]);
  });

  it('rejects an execution role that it cannot assume', async () => {
    const asked: unknown[] = [];
    const { client, input } = await start({ mayAssume: (...role) => asked.push(role) > 1 });
    await expect(client.send(new CreateScheduleCommand(input('one')))).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
    });
    await client.send(new CreateScheduleCommand(input('one')));
    expect(asked[0]).toEqual([input('one').Target?.RoleArn, 'eu-central-1', 'mail']);
  });

  it('rejects a second schedule with the same name', async () => {
    const { create, list } = await start();
    await create('a');
    await expect(create('a')).rejects.toBeInstanceOf(ConflictException);
    expect(list()).toHaveLength(1);
  });

  it('accepts a repeated call with the same client token', async () => {
    const { client, input } = await start();
    const twice = { ...input('a'), ClientToken: 'token' };
    await client.send(new CreateScheduleCommand(twice));
    await client.send(new CreateScheduleCommand(twice));
  });

  it('changes the time on update', async () => {
    const { client, create, input, clock, delivered } = await start({
      lateSeconds: 0,
      sendsDuplicates: false,
    });
    await create('a');
    await client.send(new UpdateScheduleCommand(input('a', clock.now() + 2 * hourMs)));
    await clock.advance(1.5 * hourMs);
    expect(delivered).toEqual([]);
    await clock.advance(hourMs);
    expect(delivered).toHaveLength(1);
  });

  it('does not fire after deletion', async () => {
    const { client, create, clock, delivered } = await start();
    await create('a');
    await client.send(new DeleteScheduleCommand({ Name: 'a', GroupName: 'mail' }));
    await clock.advance(2 * hourMs);
    expect(delivered).toEqual([]);
  });

  it('returns a schedule as created', async () => {
    const { client, input } = await start();
    const put = input('a');
    await client.send(new CreateScheduleCommand(put));
    const shown = await client.send(new GetScheduleCommand({ Name: 'a', GroupName: 'mail' }));
    expect(shown).toMatchObject(put);
    expect(shown.CreationDate).toBeInstanceOf(Date);
  });

  it('passes the message group to FIFO targets', async () => {
    const { client, input, clock, delivered } = await start({ sendsDuplicates: false });
    const put = input('a');
    await client.send(
      new CreateScheduleCommand({
        ...put,
        Target: {
          Arn: put.Target?.Arn,
          RoleArn: put.Target?.RoleArn,
          SqsParameters: { MessageGroupId: 'g' },
        },
      }),
    );
    await clock.advance(2 * hourMs);
    expect(delivered).toMatchObject([{ group: 'g' }]);
  });

  it('rejects unknown schedules and groups', async () => {
    const { client, input } = await start();
    const missing = { Name: 'none', GroupName: 'mail' };
    for (const call of [
      client.send(new GetScheduleCommand(missing)),
      client.send(new DeleteScheduleCommand(missing)),
      client.send(new UpdateScheduleCommand(input('none'))),
      client.send(new CreateScheduleCommand({ ...input('a'), GroupName: 'other' })),
    ]) {
      await expect(call).rejects.toBeInstanceOf(ResourceNotFoundException);
    }
  });

  it('refuses in the words and shapes of AWS', async () => {
    const { client, create, input } = await start();
    await create('a');
    const invalid = (value: string, member: string, constraint: string) =>
      `1 validation error detected: Value ${value} at '${member}' failed to satisfy constraint: ${constraint}`;
    const long = 'n'.repeat(65);
    const pattern = 'Member must satisfy regular expression pattern: [0-9a-zA-Z-_.]+';
    const group = { GroupName: 'other' };
    for (const [change, name, status, message] of [
      [{ Name: 'a' }, 'ConflictException', 409, 'Schedule a already exists.'],
      [group, 'ResourceNotFoundException', 404, 'Schedule group other does not exist.'],
      [
        { Name: long },
        'ValidationException',
        400,
        invalid(`'${long}'`, 'name', 'Member must have length less than or equal to 64'),
      ],
      [{ Name: 'a b' }, 'ValidationException', 400, invalid("'a b'", 'name', pattern)],
      [
        { ScheduleExpression: 'at(soon)' },
        'ValidationException',
        400,
        'Invalid Schedule Expression at(soon).',
      ],
      [
        { Target: undefined },
        'ValidationException',
        400,
        invalid('null', 'target', 'Member must not be null'),
      ],
      [
        { ActionAfterCompletion: 'KEEP' as 'NONE' },
        'ValidationException',
        400,
        invalid("'KEEP'", 'actionAfterCompletion', 'Member must satisfy enum value set: [DELETE, NONE]'),
      ],
    ] as const) {
      const call = client.send(new CreateScheduleCommand({ ...input('b'), ...change }));
      await expect(call).rejects.toMatchObject({
        name,
        message,
        $metadata: { httpStatusCode: status },
      });
    }
    const shape = modelledError(new AwsError('ConflictException', 'Schedule a already exists.', 409));
    expect(shape).toEqual({
      status: 409,
      headers: { 'content-type': 'application/json', 'x-amzn-errortype': 'ConflictException' },
      body: '{"Message":"Schedule a already exists."}',
    });
    const missing = client.send(new DeleteScheduleCommand({ Name: 'b', GroupName: 'mail' }));
    await expect(missing).rejects.toMatchObject({ message: 'Schedule b does not exist.' });
  });

  it('rejects times in the past and unsupported expressions', async () => {
    const { create, client, input, clock } = await start();
    await expect(create('a', clock.now() - 1000)).rejects.toBeInstanceOf(ValidationException);
    for (const change of [
      { ScheduleExpression: 'rate(5 minutes)' },
      { ScheduleExpressionTimezone: 'Europe/Berlin' },
      { FlexibleTimeWindow: { Mode: 'FLEXIBLE' as const, MaximumWindowInMinutes: 5 } },
    ]) {
      const call = client.send(new CreateScheduleCommand({ ...input('a'), ...change }));
      await expect(call).rejects.toBeInstanceOf(ValidationException);
    }
  });

  it('fires kept schedules after the process died, those that were due meanwhile at once, and none twice', async () => {
    const { open } = journalFile();
    const exact = { lateSeconds: 0, sendsDuplicates: false };
    const first = await start({ ...exact, journal: open() });
    await first.create('fired', first.clock.now() + hourMs);
    await first.clock.advance(hourMs + 1000);
    expect(first.delivered).toHaveLength(1);
    await first.create('later', first.clock.now() + hourMs);
    await first.create('deleted', first.clock.now() + hourMs);
    await first.client.send(new DeleteScheduleCommand({ Name: 'deleted', GroupName: 'mail' }));
    const second = await start({ ...exact, journal: open() });
    expect(second.list().map(({ name }) => name)).toEqual(['later']);
    await second.clock.advance(3 * hourMs);
    expect(second.delivered).toMatchObject([{ input: '{"name":"later"}' }]);
    expect((await start({ ...exact, journal: open() })).list()).toEqual([]);
  });
});
