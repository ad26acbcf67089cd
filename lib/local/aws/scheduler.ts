/** EventBridge Scheduler: one-time schedules on the local clock, as late and as repetitive as the real service may be. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonAnswer, jsonBody, jsonRefusal, parseInput, refuseUnknown } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsService, type LocalClock, localAccount } from './service.ts';

/** A schedule in force. */
export interface Schedule {
  readonly name: string;
  readonly group: string;
  readonly region: string;
  /** As written in `at(...)`; it fires up to 59 seconds later. Unix milliseconds. */
  readonly atMs: number;
  readonly targetArn: string;
  readonly input: string;
}

export interface SchedulerOptions {
  readonly clock: LocalClock;
  /** Hands the input to the target. What it throws is not caught: a target that cannot be reached is a wiring fault. */
  readonly deliver: (targetArn: string, input: string, sqsParameters?: { readonly groupId: string }) => void;
  readonly account?: string;
  /** How late a schedule fires; absent: 0 to 59 seconds, by a hash of its name. */
  readonly lateSeconds?: number;
  /** Whether some schedules (one in eight, by the same hash) fire twice; absent: yes. */
  readonly doubles?: boolean;
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

/** How long after its first firing a schedule fires again, when it does. */
const doubleAfterMs = 7_000;

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
    if (atMs <= clock.now()) refuse('ValidationException', 'The schedule expression lies in the past.');
    const schedule: Schedule = {
      name: scheduleName,
      group: input.GroupName,
      region: call.region,
      atMs,
      targetArn: input.Target.Arn,
      input: input.Target.Input,
    };
    const luck = createHash('sha256').update(scheduleName).digest();
    const lateMs = (options.lateSeconds ?? luck.readUInt32BE(0) % 60) * 1000;
    const firesTwice = (options.doubles ?? true) && luck.readUInt32BE(4) % 8 === 0;
    const groupId = input.Target.SqsParameters?.MessageGroupId;
    const fire = () =>
      deliver(schedule.targetArn, schedule.input, groupId === undefined ? undefined : { groupId });
    const cancel = clock.at(atMs + lateMs, () => {
      if (input.ActionAfterCompletion === 'DELETE') entries.delete(arn);
      // A second firing is on its way already: deleting the schedule does not stop it.
      if (firesTwice) clock.at(atMs + lateMs + doubleAfterMs, fire);
      fire();
    });
    entries.get(arn)?.cancel();
    entries.set(arn, { schedule, input, createdAt, changedAt: clock.now(), cancel });
  }

  function existing(call: AwsCall, arn: string): Entry {
    return (
      entries.get(arn) ?? refuse('ResourceNotFoundException', `Schedule ${nameOf(call)} does not exist.`, 404)
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
    refuse: (refusal) => jsonRefusal(refusal),
    async handle(call) {
      const arn = arnOf(call);
      if (!groups.has(groupOf(call))) {
        refuse('ResourceNotFoundException', `Schedule group ${groupOf(call)} does not exist.`, 404);
      }
      switch (actionOf(call)) {
        case 'CreateSchedule': {
          const input = parseInput(scheduleInput, jsonBody(call));
          const known = entries.get(arn);
          // The SDK's own retry of a create that came through carries the same token.
          if (known && (!input.ClientToken || known.input.ClientToken !== input.ClientToken)) {
            refuse('ConflictException', `Schedule ${nameOf(call)} already exists.`, 409);
          }
          if (!known) put(call, arn, input);
          return jsonAnswer({ ScheduleArn: arn });
        }
        case 'UpdateSchedule':
          put(call, arn, parseInput(scheduleInput, jsonBody(call)), existing(call, arn).createdAt);
          return jsonAnswer({ ScheduleArn: arn });
        case 'DeleteSchedule':
          existing(call, arn).cancel();
          entries.delete(arn);
          return jsonAnswer({});
        default: {
          const { input, createdAt, changedAt } = existing(call, arn);
          const { ClientToken: _, ...shown } = input;
          return jsonAnswer({
            ...shown,
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
  return action ?? refuseUnknown('scheduler', `${call.method} ${call.path}`);
}

function nameOf(call: AwsCall): string {
  return parseInput(name, call.path.slice('/schedules/'.length));
}

/** Writes name their group in the body, reads and deletions in the query. */
function groupOf(call: AwsCall): string {
  const group =
    call.method === 'POST' || call.method === 'PUT' ? jsonBody(call).GroupName : call.query.get('groupName');
  return parseInput(name, group ?? 'default');
}

/** `at(2026-11-21T08:30:00)` in UTC as Unix milliseconds. */
function parseAt(expression: string): number {
  const time = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression)?.[1];
  const atMs = Date.parse(`${time}Z`);
  if (Number.isNaN(atMs)) refuse('ValidationException', `Invalid Schedule Expression ${expression}.`);
  return atMs;
}

function refuse(code: string, message: string, status = 400): never {
  throw new AwsError(code, message, status);
}
