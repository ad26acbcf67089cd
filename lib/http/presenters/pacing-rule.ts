/** The API record and input of a pacing rule (docs/concepts/pacing.md#rules). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { isTimezone } from '../../core/pacing/hours.ts';
import { limitScopes, matchFields, type PacingRule, type RuleEffect } from '../../core/pacing/rule.ts';
import { appliesInSpace, besideOtherIssues, createdAt, idSchema, text, timestampOf } from '../schemas.ts';
import { addressPattern } from './address-pattern.ts';
import { kindText, ruleNameText } from './pacing-fields.ts';

const matchSchema = z
  .strictObject({
    field: z
      .enum(matchFields)
      .describe(
        'Addresses that are compared: `from`: the sender; `to`: To, Cc and Bcc; `either`: all of them.',
      ),
    pattern: addressPattern,
  })
  .meta({ id: 'PacingMatch', description: 'Matches emails by their addresses.' });

const minute = z.int().min(0).max(1440);

const windowSchema = z
  .strictObject({
    days: z
      .array(z.int().min(0).max(6))
      .min(1)
      .max(7)
      .refine((days) => new Set(days).size === days.length, 'must not name a day twice')
      .meta({
        examples: [[1, 2, 3, 4, 5]],
        description: 'Days on which the window begins: 0 is Sunday, 6 is Saturday.',
      }),
    start_minute: minute.meta({ examples: [540], description: 'Minutes since midnight in `timezone`.' }),
    end_minute: minute.meta({
      examples: [1020],
      description:
        'Minutes since midnight in `timezone`; at or before `start_minute`, the window ends on the next day.',
    }),
  })
  .meta({ id: 'PacingWindow', description: 'A time of the week in which emails leave.' });

const scheduleSchema = z
  .strictObject({
    timezone: text('Europe/Berlin', 'Name of the IANA time zone database; daylight saving time is followed.')
      .refine(isTimezone, 'must be an IANA time zone such as Europe/Berlin')
      .meta({ pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$' }),
    windows: z
      .array(windowSchema)
      .min(1)
      .max(limits.pacingWindows)
      .describe('Emails leave while at least one of these is open.'),
  })
  .meta({ id: 'PacingSchedule', description: 'The hours in which emails leave.' });

const limitSchema = z
  .strictObject({
    scope: z.enum(limitScopes).meta({
      examples: ['to_domain'],
      description:
        '`rule`: all emails that match together; else each sender or recipient, by address or domain, by itself.',
    }),
    amount: z
      .int()
      .min(1)
      .max(limits.pacingAmount)
      .meta({ examples: [100], description: 'Emails that may leave within `per_seconds`.' }),
    per_seconds: z
      .int()
      .min(1)
      .max(limits.pacingPeriodSeconds)
      .meta({ examples: [3600], description: 'Length of the rolling window in seconds, at most 31 days.' }),
  })
  .meta({ id: 'PacingLimit', description: 'How many emails leave in which time.' });

const texts = {
  enabled: '`false` suspends the rule: the emails that it holds are sent.',
  match: 'The rule applies to emails that at least one of these matches; empty: to every email.',
};
const kind = <Kind extends RuleEffect['kind']>(value: Kind) => z.literal(value).describe('Never changes.');

/** What rules of both kinds have. */
export const pacingRuleBase = {
  id: idSchema('pace'),
  name: text('Slow start', ruleNameText),
  space_id: appliesInSpace,
  enabled: z.boolean().describe(texts.enabled),
  match: z.array(matchSchema).describe(texts.match),
  created_at: createdAt,
};

export const pacingRuleSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...pacingRuleBase, kind: kind('limit'), limit: limitSchema }).meta({
      id: 'LimitPacingRule',
      description: 'A rule that limits how many emails leave in which time.',
    }),
    z
      .strictObject({ ...pacingRuleBase, kind: kind('hours'), schedule: scheduleSchema })
      .meta({ id: 'HoursPacingRule', description: 'A rule that lets emails leave in hours of the week.' }),
  ])
  .meta({ id: 'PacingRule', description: 'A rule that says when emails leave.' });

const settings = {
  name: z
    .string()
    .min(1)
    .max(limits.pacingRuleNameCharacters)
    .meta({ examples: ['Slow start'], description: ruleNameText }),
  enabled: z.boolean().describe(texts.enabled),
  match: z.array(matchSchema).max(limits.pacingMatches).describe(texts.match),
};

/** Input of create. */
export const newPacingRuleInput = z
  .strictObject({
    ...settings,
    enabled: settings.enabled.default(true),
    space_id: appliesInSpace.default(null),
    kind: z
      .enum(['hours', 'limit'])
      .describe(`${kindText} \`hours\` needs \`schedule\`, \`limit\` needs \`limit\`.`),
    schedule: scheduleSchema.optional(),
    limit: limitSchema.optional(),
  })
  .superRefine((body, context) => {
    const { kind } = body;
    if (kind !== 'hours' && kind !== 'limit') return;
    const [own, other] =
      kind === 'hours' ? (['schedule', 'limit'] as const) : (['limit', 'schedule'] as const);
    if (body[other]) {
      context.addIssue({
        code: 'custom',
        path: [other],
        message: `does not belong to a rule of kind ${kind}`,
      });
    }
    if (body[own] === undefined) context.addIssue({ code: 'custom', path: [own], message: 'is required' });
  }, besideOtherIssues)
  .transform(({ kind, schedule, limit, ...rest }) => {
    if (kind === 'hours' && schedule) return { ...rest, kind, schedule };
    if (kind === 'limit' && limit) return { ...rest, kind, limit };
    return z.NEVER;
  });

/** Input of update. */
export const pacingRuleFields = { ...settings, limit: limitSchema, schedule: scheduleSchema };

/** The effect of a rule from its input. */
export function effectOf(body: z.output<typeof newPacingRuleInput>): RuleEffect {
  return body.kind === 'limit'
    ? { kind: 'limit', limit: limitOf(body.limit) }
    : { kind: 'hours', schedule: scheduleOf(body.schedule) };
}

export function limitOf({ scope, amount, per_seconds: perSeconds }: z.output<typeof limitSchema>) {
  return { scope, amount, perSeconds };
}

export function scheduleOf({ timezone, windows }: z.output<typeof scheduleSchema>) {
  return {
    timezone,
    windows: windows.map(({ days, start_minute: startMinute, end_minute: endMinute }) => ({
      days,
      startMinute,
      endMinute,
    })),
  };
}

export function presentPacingRule(rule: PacingRule): z.input<typeof pacingRuleSchema> {
  const shared = {
    id: rule.id,
    name: rule.name,
    space_id: rule.spaceId,
    enabled: rule.enabled,
    match: rule.match.map(({ field, pattern }) => ({ field, pattern })),
    created_at: timestampOf(rule.createdAt),
  };
  if (rule.kind === 'limit') {
    const { scope, amount, perSeconds } = rule.limit;
    return { ...shared, kind: 'limit', limit: { scope, amount, per_seconds: perSeconds } };
  }
  const { timezone, windows } = rule.schedule;
  return {
    ...shared,
    kind: 'hours',
    schedule: {
      timezone,
      windows: windows.map(({ days, startMinute, endMinute }) => ({
        days: [...days],
        start_minute: startMinute,
        end_minute: endMinute,
      })),
    },
  };
}

export const spreadSchema = z
  .strictObject({
    spread: z
      .int()
      .min(0)
      .max(100)
      .meta({
        examples: [20],
        description:
          'How far the time of an email may be from its even place, in percent of the gap between two emails. 0 is even.',
      }),
  })
  .meta({ id: 'PacingSpread', description: 'How evenly limits spread emails over time.' });
