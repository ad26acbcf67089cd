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

const usedBucketSchema = z
  .strictObject({
    allowed: count(10_000, 'How much may be used at once; it refills evenly.'),
    used: count(12, 'How much counts as used now.'),
    free_at: timestampSchema.nullable().meta({
      examples: [exampleTimestamp],
      description: 'When nothing counts as used any longer, if nothing is added; null: nothing does.',
    }),
  })
  .meta({ id: 'UsedBucket', description: 'A limit that refills evenly.' });

const usedCountSchema = z
  .strictObject({
    allowed: count(32, 'How many there may be at the same time.'),
    used: count(1, 'How many there are.'),
  })
  .meta({ id: 'UsedCount', description: 'A limit on what is there at the same time.' });

const requestBudgetSchema = z
  .strictObject({
    units: usedBucketSchema.describe('Units of requests.'),
    units_per_second: z.number().meta({ examples: [50], description: 'Units that refill in a second.' }),
    in_flight: usedCountSchema.describe('Units of requests that run, this one included.'),
  })
  .meta({ id: 'RequestBudget', description: 'Units that requests cost, and how they refill.' });

const recipientCapsSchema = z
  .strictObject({
    per_hour: usedBucketSchema.describe('Recipients of an hour.'),
    per_day: usedBucketSchema.describe('Recipients of a day.'),
    warm_up_ends_at: timestampSchema.nullable().meta({
      examples: [exampleTimestamp],
      description:
        'When the caps of a new workspace have grown to those of the deployment; null: they do not grow.',
    }),
  })
  .meta({ id: 'RecipientCaps', description: 'The caps on recipients.' });

const sendingRateSchema = z
  .strictObject({
    region: z.string().meta({ examples: ['us-east-1'], description: 'The mail region.' }),
    recipients_per_second: z.number().meta({
      examples: [12.4],
      description: 'Recipients that the region is sent to in a second, of all workspaces together.',
    }),
  })
  .meta({ id: 'SendingRate', description: 'The rate at which a mail region sends.' });

const countedResourceSchema = z
  .strictObject({
    kind: z.enum(kindNames).describe('What is counted.'),
    allowed: count(1000, 'How many a workspace may have.'),
    used: count(3, 'How many it has.'),
  })
  .meta({ id: 'CountedResource', description: 'Resources of which a workspace has a limited number.' });

const suspensionSchema = z
  .strictObject({
    reason: z.enum(suspensionReasons).describe('What led to it.'),
    since: timestampSchema.meta({ examples: [exampleTimestamp], description: 'When it began.' }),
  })
  .meta({ id: 'Suspension', description: 'A suspension of the sending of the workspace.' });

export const workspaceLimitsSchema = z
  .strictObject({
    request_budget: requestBudgetSchema,
    recipients: recipientCapsSchema,
    sending_rates: z.array(sendingRateSchema).describe('One for each mail region.'),
    resources: z.array(countedResourceSchema).describe('One for each kind.'),
    suspension: suspensionSchema.nullable().describe('Why nothing is sent; null: sending is not suspended.'),
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
      units: presentBucket(budget),
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
