/** EventBridge Scheduler: one-time schedules on the local clock. */
import type { Journal } from '../journal.ts';
import { jsonResponse, modelledError } from './json-protocol.ts';
import { type FiringOptions, scheduleFiring } from './scheduler-firing.ts';
import { actionOf, groupOf, nameOf, parseAt, readInput, type ScheduleInput } from './scheduler-request.ts';
import { type AwsCall, AwsError, type AwsService, localAccount } from './service.ts';

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

export interface SchedulerOptions extends FiringOptions {
  /** Sends the input to the target. Errors are not caught: they are defects of the local cloud. */
  readonly deliver: (schedule: Schedule, sqsParameters?: { readonly groupId: string }) => void;
  /** Whether the trust policy of a role lets Scheduler assume it for a schedule group; default: yes. */
  readonly mayAssume?: (roleArn: string, region: string, group: string) => boolean;
  readonly account?: string;
  /** Keeps the schedules; default: nothing is kept. */
  readonly journal?: Journal | null;
}

export interface Scheduler extends AwsService {
  createGroup(name: string): void;
  /** Sets the timers of the schedules of an earlier run; call when their targets exist. */
  resume(): void;
  list(): readonly Schedule[];
}

/** What outlives the process. */
interface Kept {
  readonly schedule: Schedule;
  readonly input: ScheduleInput;
  readonly createdAt: number;
  readonly changedAt: number;
}

interface Entry extends Kept {
  cancel(): void;
}

/** The schedules by ARN, with their timers. */
function createEntries(options: SchedulerOptions) {
  const { clock, deliver, mayAssume = () => true } = options;
  const entries = new Map<string, Entry>();
  const kept = options.journal?.map<Kept>('schedules');

  /** Sets the timer; one that is due already fires at once. */
  function arm(arn: string, entry: Kept): void {
    const { SqsParameters } = entry.input.Target;
    const cancel = scheduleFiring(entry.schedule, options, (isSecond) => {
      deliver(entry.schedule, SqsParameters && { groupId: SqsParameters.MessageGroupId });
      if (isSecond) return;
      kept?.delete(arn);
      if (entry.input.ActionAfterCompletion === 'DELETE') entries.delete(arn);
    });
    entries.set(arn, { ...entry, cancel });
  }

  function put(call: AwsCall, arn: string, input: ScheduleInput, createdAt = clock.now()): void {
    const schedule = scheduleOf(call, input);
    if (schedule.atMs <= clock.now())
      fail('ValidationException', 'The schedule expression lies in the past.');
    if (!mayAssume(schedule.roleArn, schedule.region, schedule.group)) {
      fail(
        'ValidationException',
        'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
      );
    }
    const entry = { schedule, input, createdAt, changedAt: clock.now() };
    kept?.set(arn, entry);
    entries.get(arn)?.cancel();
    arm(arn, entry);
  }

  function existing(call: AwsCall, arn: string): Entry {
    return (
      entries.get(arn) ?? fail('ResourceNotFoundException', `Schedule ${nameOf(call)} does not exist.`, 404)
    );
  }

  return {
    put,
    existing,
    find: (arn: string) => entries.get(arn),
    list: () => [...entries.values()].map((entry) => entry.schedule),
    remove(arn: string) {
      entries.get(arn)?.cancel();
      entries.delete(arn);
      kept?.delete(arn);
    },
    /** Sets the timers of the schedules of an earlier run. */
    resume() {
      for (const [arn, entry] of kept ?? []) arm(arn, entry);
    },
  };
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { account = localAccount } = options;
  const groups = new Set(['default']);
  const entries = createEntries(options);

  /** CreateSchedule. An SDK retry carries the same token. */
  function create(call: AwsCall, arn: string): void {
    const input = readInput(call);
    const known = entries.find(arn);
    if (known && (!input.ClientToken || known.input.ClientToken !== input.ClientToken)) {
      fail('ConflictException', `Schedule ${nameOf(call)} already exists.`, 409);
    }
    if (!known) entries.put(call, arn, input);
  }

  const arnOf = (call: AwsCall) =>
    `arn:aws:scheduler:${call.region}:${account}:schedule/${groupOf(call)}/${nameOf(call)}`;

  return {
    name: 'scheduler',
    createGroup: (group) => void groups.add(group),
    resume: entries.resume,
    list: entries.list,
    action: actionOf,
    permissions(call) {
      const action = actionOf(call);
      const own = { action: `scheduler:${action}`, resource: arnOf(call) };
      if (action !== 'CreateSchedule' && action !== 'UpdateSchedule') return [own];
      const passed = {
        action: 'iam:PassRole',
        resource: readInput(call).Target.RoleArn,
        context: { 'iam:PassedToService': ['scheduler.amazonaws.com'] },
      };
      return [own, passed];
    },
    errorResponse: modelledError,
    async handle(call) {
      const arn = arnOf(call);
      if (!groups.has(groupOf(call))) {
        fail('ResourceNotFoundException', `Schedule group ${groupOf(call)} does not exist.`, 404);
      }
      switch (actionOf(call)) {
        case 'CreateSchedule':
          create(call, arn);
          return jsonResponse({ ScheduleArn: arn });
        case 'UpdateSchedule':
          entries.put(call, arn, readInput(call), entries.existing(call, arn).createdAt);
          return jsonResponse({ ScheduleArn: arn });
        case 'DeleteSchedule':
          entries.existing(call, arn);
          entries.remove(arn);
          return jsonResponse({});
        case 'GetSchedule':
          return jsonResponse(present(entries.existing(call, arn), arn));
      }
    },
  };
}

function scheduleOf(
  call: AwsCall,
  { GroupName: group, ScheduleExpression, Target }: ScheduleInput,
): Schedule {
  return {
    name: nameOf(call),
    group,
    region: call.region,
    atMs: parseAt(ScheduleExpression),
    targetArn: Target.Arn,
    roleArn: Target.RoleArn,
    deadLetterArn: Target.DeadLetterConfig?.Arn ?? null,
    input: Target.Input,
  };
}

/** The output of GetSchedule. */
function present({ schedule, input, createdAt, changedAt }: Entry, arn: string) {
  const { ClientToken: _, ...output } = input;
  return {
    ...output,
    Arn: arn,
    Name: schedule.name,
    CreationDate: createdAt / 1000,
    LastModificationDate: changedAt / 1000,
  };
}

function fail(code: string, message: string, status = 400): never {
  throw new AwsError(code, message, status);
}
