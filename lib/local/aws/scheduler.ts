/** EventBridge Scheduler: one-time schedules on the local clock, up to 59 seconds late, some delivered twice. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonBody, jsonError, jsonResponse, parseInput, unsupported } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsService, type LocalClock, localAccount } from './service.ts';

/** A one-time schedule. */
export interface Schedule {
  readonly name: string;
  readonly group: string;
  readonly region: string;
  /** The time in `at(…)`, Unix milliseconds. Fires up to 59 seconds later. */
  readonly atMs: number;
  readonly targetArn: string;
  /** Execution role. */
  readonly roleArn: string;
  /** Dead-letter queue; null: none. */
  readonly deadLetterArn: string | null;
  readonly input: string;
}

export interface SchedulerOptions {
  readonly clock: LocalClock;
  /** Sends the input to the target. Errors are not caught: they are defects of the local cloud. */
  readonly deliver: (schedule: Schedule, sqsParameters?: { readonly groupId: string }) => void;
  /** Whether the trust policy of a role lets Scheduler assume it for a schedule group; default: yes. */
  readonly mayAssume?: (roleArn: string, region: string, group: string) => boolean;
  readonly account?: string;
  /** Delay of each firing; default: 0 to 59 seconds, by a hash of the schedule's name. */
  readonly lateSeconds?: number;
  /** Whether one schedule in eight, by the same hash, fires twice; default true. */
  readonly sendsDuplicates?: boolean;
}

export interface Scheduler extends AwsService {
  createGroup(name: string): void;
  list(): readonly Schedule[];
}

const name = z.string().regex(/^[0-9a-zA-Z\-_.]{1,64}$/);
const scheduleInput = z.strictObject({
  GroupName: name.default('default'),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.literal('UTC').default('UTC'),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  ActionAfterCompletion: z.enum(['DELETE', 'NONE']).default('NONE'),
  ClientToken: z.string().optional(),
  Description: z.string().max(512).optional(),
  State: z.literal('ENABLED').default('ENABLED'),
  Target: z.strictObject({
    Arn: z.string().startsWith('arn:'),
    RoleArn: z.string().startsWith('arn:aws:iam::'),
    Input: z.string().max(262_144).default(''),
    SqsParameters: z.strictObject({ MessageGroupId: z.string() }).optional(),
    DeadLetterConfig: z.strictObject({ Arn: z.string() }).optional(),
    RetryPolicy: z
      .strictObject({
        MaximumEventAgeInSeconds: z.int().optional(),
        MaximumRetryAttempts: z.int().optional(),
      })
      .optional(),
  }),
});
type ScheduleInput = z.output<typeof scheduleInput>;

interface Entry {
  readonly schedule: Schedule;
  readonly input: ScheduleInput;
  readonly createdAt: number;
  readonly changedAt: number;
  cancel(): void;
}

/** Time between first and second firing. */
const duplicateDelayMs = 7_000;

const actions: Readonly<Record<string, string>> = {
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
  GET: 'GetSchedule',
  DELETE: 'DeleteSchedule',
};

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock, deliver, account = localAccount } = options;
  const groups = new Set(['default']);
  const entries = new Map<string, Entry>();

  function put(call: AwsCall, arn: string, input: ScheduleInput, createdAt = clock.now()): void {
    const scheduleName = nameOf(call);
    const atMs = parseAt(input.ScheduleExpression);
    if (atMs <= clock.now()) fail('ValidationException', 'The schedule expression lies in the past.');
    if (!(options.mayAssume?.(input.Target.RoleArn, call.region, input.GroupName) ?? true)) {
      fail(
        'ValidationException',
        'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
      );
    }
    const schedule: Schedule = {
      name: scheduleName,
      group: input.GroupName,
      region: call.region,
      atMs,
      targetArn: input.Target.Arn,
      roleArn: input.Target.RoleArn,
      deadLetterArn: input.Target.DeadLetterConfig?.Arn ?? null,
      input: input.Target.Input,
    };
    const hash = createHash('sha256').update(scheduleName).digest();
    const lateMs = (options.lateSeconds ?? hash.readUInt32BE(0) % 60) * 1000;
    const firesTwice = (options.sendsDuplicates ?? true) && hash.readUInt32BE(4) % 8 === 0;
    const groupId = input.Target.SqsParameters?.MessageGroupId;
    const fire = () => deliver(schedule, groupId === undefined ? undefined : { groupId });
    const cancel = clock.at(atMs + lateMs, () => {
      if (input.ActionAfterCompletion === 'DELETE') entries.delete(arn);
      // DeleteSchedule does not cancel the second firing.
      if (firesTwice) clock.at(atMs + lateMs + duplicateDelayMs, fire);
      fire();
    });
    entries.get(arn)?.cancel();
    entries.set(arn, { schedule, input, createdAt, changedAt: clock.now(), cancel });
  }

  function existing(call: AwsCall, arn: string): Entry {
    return (
      entries.get(arn) ?? fail('ResourceNotFoundException', `Schedule ${nameOf(call)} does not exist.`, 404)
    );
  }

  function arnOf(call: AwsCall): string {
    return `arn:aws:scheduler:${call.region}:${account}:schedule/${groupOf(call)}/${nameOf(call)}`;
  }

  return {
    name: 'scheduler',
    createGroup: (group) => void groups.add(group),
    list: () => [...entries.values()].map((entry) => entry.schedule),
    action: actionOf,
    permissions(call) {
      const action = actionOf(call);
      const own = { action: `scheduler:${action}`, resource: arnOf(call) };
      if (action !== 'CreateSchedule' && action !== 'UpdateSchedule') return [own];
      const passed = {
        action: 'iam:PassRole',
        resource: parseInput(scheduleInput, jsonBody(call)).Target.RoleArn,
        context: { 'iam:PassedToService': ['scheduler.amazonaws.com'] },
      };
      return [own, passed];
    },
    errorResponse: (refusal) => jsonError(refusal),
    async handle(call) {
      const arn = arnOf(call);
      if (!groups.has(groupOf(call))) {
        fail('ResourceNotFoundException', `Schedule group ${groupOf(call)} does not exist.`, 404);
      }
      switch (actionOf(call)) {
        case 'CreateSchedule': {
          const input = parseInput(scheduleInput, jsonBody(call));
          const known = entries.get(arn);
          // An SDK retry carries the same token.
          if (known && (!input.ClientToken || known.input.ClientToken !== input.ClientToken)) {
            fail('ConflictException', `Schedule ${nameOf(call)} already exists.`, 409);
          }
          if (!known) put(call, arn, input);
          return jsonResponse({ ScheduleArn: arn });
        }
        case 'UpdateSchedule':
          put(call, arn, parseInput(scheduleInput, jsonBody(call)), existing(call, arn).createdAt);
          return jsonResponse({ ScheduleArn: arn });
        case 'DeleteSchedule':
          existing(call, arn).cancel();
          entries.delete(arn);
          return jsonResponse({});
        default: {
          const { input, createdAt, changedAt } = existing(call, arn);
          const { ClientToken: _, ...output } = input;
          return jsonResponse({
            ...output,
            Arn: arn,
            Name: nameOf(call),
            CreationDate: createdAt / 1000,
            LastModificationDate: changedAt / 1000,
          });
        }
      }
    },
  };
}

function actionOf(call: AwsCall): string {
  const action = /^\/schedules\/[^/]+$/.test(call.path) ? actions[call.method] : undefined;
  return action ?? unsupported('scheduler', `${call.method} ${call.path}`);
}

function nameOf(call: AwsCall): string {
  return parseInput(name, call.path.slice('/schedules/'.length));
}

/** The group: in the body of writes, in the query of reads and deletions. */
function groupOf(call: AwsCall): string {
  const group =
    call.method === 'POST' || call.method === 'PUT' ? jsonBody(call).GroupName : call.query.get('groupName');
  return parseInput(name, group ?? 'default');
}

/** `at(2026-11-21T08:30:00)` in UTC as Unix milliseconds. */
function parseAt(expression: string): number {
  const time = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression)?.[1];
  const atMs = Date.parse(`${time}Z`);
  if (Number.isNaN(atMs)) fail('ValidationException', `Invalid Schedule Expression ${expression}.`);
  return atMs;
}

function fail(code: string, message: string, status = 400): never {
  throw new AwsError(code, message, status);
}
