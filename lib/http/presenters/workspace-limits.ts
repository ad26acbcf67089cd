/** The API record of the limits of a workspace (docs/concepts/limits.md#limits-of-your-workspace). */
import * as z from 'zod';
import { suspensionReasons } from '../../core/sending/sending-guard.ts';
import {
  type LimitedResource,
  limitedResources,
  type UsedBucket,
  type WorkspaceLimits,
} from '../../core/workspaces/workspace-limits.ts';
import { count, exampleTimestamp, timestampOf, timestampOrNull, timestampSchema } from '../schemas.ts';

/** Kinds as they are named in JSON. */
const kindNames = limitedResources.map(nameOf);

function nameOf(kind: LimitedResource): string {
  return kind === 'endpoints' ? 'webhook_endpoints' : kind.replaceAll('-', '_');
}

const timestampOrNothing = (description: string) =>
  timestampSchema.nullable().meta({ examples: [exampleTimestamp], description });

const bucketFields = (what: string, example: number) => ({
  allowed: count(example, `${what} that may be used at once; they refill evenly.`),
  used: count(12, `${what} that count as used now.`),
  free_at: timestampOrNothing('When none of them is used any longer, if nothing is added; null: none is.'),
});

const bucketSchema = (time: string, example: number) =>
  z.strictObject(bucketFields('Recipients', example)).describe(`The cap of a ${time}.`);

export const workspaceLimitsSchema = z
  .strictObject({
    request_budget: z
      .strictObject({
        ...bucketFields('Units', 500),
        units_per_second: z.number().meta({ examples: [50], description: 'Units that refill in a second.' }),
        in_flight: z.strictObject({
          allowed: count(32, 'Units of requests that may run at the same time.'),
          used: count(1, 'Units of those that run, this one included.'),
        }),
      })
      .describe('The request budget.'),
    recipients: z
      .strictObject({
        per_hour: bucketSchema('hour', 10_000),
        per_day: bucketSchema('day', 50_000),
        warm_up_ends_at: timestampOrNothing(
          'When the caps of a new workspace have grown to those of the deployment; null: they do not grow.',
        ),
      })
      .describe('The caps on recipients.'),
    sending_rates: z
      .array(
        z.strictObject({
          region: z.string().meta({ examples: ['us-east-1'], description: 'The mail region.' }),
          recipients_per_second: z.number().meta({
            examples: [12.4],
            description: 'Recipients that the region is sent to in a second, of all workspaces together.',
          }),
        }),
      )
      .describe('The rate of each mail region.'),
    resources: z
      .array(
        z.strictObject({
          kind: z.enum(kindNames).describe('What is counted.'),
          used: count(3, 'How many there are.'),
          allowed: count(1000, 'How many there may be.'),
        }),
      )
      .describe('Resources of which a workspace has a limited number.'),
    suspension: z
      .strictObject({
        reason: z.enum(suspensionReasons).describe('Why sending is suspended.'),
        since: timestampSchema.describe('Since when.'),
      })
      .nullable()
      .describe('Whether sending is suspended; null: it is not.'),
  })
  .meta({ id: 'WorkspaceLimits', description: 'The limits of the workspace, and how much of each is used.' });

const presentBucket = ({ allowed, used, freeAt }: UsedBucket) => ({
  allowed: Math.floor(allowed),
  used: Math.min(used, Math.floor(allowed)),
  free_at: timestampOrNull(freeAt),
});

export function presentWorkspaceLimits(of: WorkspaceLimits): z.input<typeof workspaceLimitsSchema> {
  const { budget, recipients, suspension } = of;
  return {
    request_budget: {
      ...presentBucket(budget),
      units_per_second: budget.unitsPerSecond,
      in_flight: { allowed: budget.inFlightAllowed, used: budget.inFlight },
    },
    recipients: {
      per_hour: presentBucket(recipients.perHour),
      per_day: presentBucket(recipients.perDay),
      warm_up_ends_at: timestampOrNull(recipients.warmUpEndsAt),
    },
    sending_rates: of.sendingRates.map(({ region, recipientsPerSecond }) => ({
      region,
      recipients_per_second: Math.round(recipientsPerSecond * 100) / 100,
    })),
    resources: of.resources.map(({ kind, used, allowed }) => ({
      kind: nameOf(kind),
      used: Math.max(0, used),
      allowed,
    })),
    suspension: suspension && { reason: suspension.reason, since: timestampOf(suspension.at) },
  };
}
