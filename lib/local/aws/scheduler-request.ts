/** Requests of EventBridge Scheduler: action, schedule, group, input. */
import * as z from 'zod';
import { jsonBody, parseConstrained, unsupported } from './json-protocol.ts';
import { type AwsCall, AwsError } from './service.ts';

/** "CreateSchedule" in the Amazon EventBridge Scheduler API Reference. */
const name = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[0-9a-zA-Z-_.]+$/);
const inputSchema = z.strictObject({
  GroupName: name.default('default'),
  ScheduleExpression: z.string().min(1).max(256),
  ScheduleExpressionTimezone: z.literal('UTC').default('UTC'),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  ActionAfterCompletion: z.enum(['DELETE', 'NONE']).default('NONE'),
  ClientToken: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[a-zA-Z0-9-_]+$/)
    .optional(),
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
export type ScheduleInput = z.output<typeof inputSchema>;

const actions = {
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
  GET: 'GetSchedule',
  DELETE: 'DeleteSchedule',
} as const;
export type ScheduleAction = (typeof actions)[keyof typeof actions];

/** The input of a CreateSchedule or UpdateSchedule. */
export function readInput(call: AwsCall): ScheduleInput {
  return parseConstrained(inputSchema, jsonBody(call));
}

/** @throws AwsError for an unsupported operation */
export function actionOf({ method, path }: AwsCall): ScheduleAction {
  if (/^\/schedules\/[^/]+$/.test(path) && isMethod(method)) return actions[method];
  return unsupported('scheduler', `${method} ${path}`);
}

export function nameOf(call: AwsCall): string {
  return parseConstrained(name, decodeURIComponent(call.path.slice('/schedules/'.length)), 'name');
}

function isMethod(method: string): method is keyof typeof actions {
  return Object.hasOwn(actions, method);
}

/** The group: in the body of writes, in the query of reads and deletions. */
export function groupOf(call: AwsCall): string {
  const group =
    call.method === 'POST' || call.method === 'PUT' ? jsonBody(call).GroupName : call.query.get('groupName');
  return parseConstrained(name, group ?? 'default', 'groupName');
}

/** `at(2026-11-21T08:30:00)` in UTC as Unix milliseconds. */
export function parseAt(expression: string): number {
  const time = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression)?.[1];
  const atMs = Date.parse(`${time}Z`);
  if (Number.isNaN(atMs)) {
    throw new AwsError('ValidationException', `Invalid Schedule Expression ${expression}.`);
  }
  return atMs;
}
