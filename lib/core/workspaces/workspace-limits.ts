/** The limits of a workspace, and how much of each is used (docs/concepts/limits.md#limits-of-your-workspace). */
import type { BudgetLimits } from '../access/request-budget.ts';
import { limits } from '../limits.ts';
import type { Suspension } from '../sending/sending-guard.ts';

/** Kinds of counted resources with their limits. */
export const resourceLimits = {
  domains: limits.domains,
  mailboxes: limits.mailboxes,
  'oauth-apps': limits.oauthApps,
  endpoints: limits.endpoints,
  'api-keys': limits.apiKeys,
  spaces: limits.spaces,
  suppressions: limits.suppressions,
  'pacing-rules': limits.pacingRules,
} as const;
export type LimitedResource = keyof typeof resourceLimits;
export const limitedResources = Object.keys(resourceLimits) as LimitedResource[];

/** A bucket of units that refills evenly. */
export interface UsedBucket {
  readonly allowed: number;
  readonly used: number;
  /** When nothing is used any longer, if nothing is added; Unix milliseconds, null: nothing is used. */
  readonly freeAt: number | null;
}

export interface WorkspaceLimits {
  readonly budget: UsedBucket & {
    readonly unitsPerSecond: BudgetLimits['unitsPerSecond'];
    readonly inFlightAllowed: number;
    readonly inFlight: number;
  };
  readonly recipients: {
    readonly perHour: UsedBucket;
    readonly perDay: UsedBucket;
    /** When the caps of a new workspace have grown to those of the deployment; null: they have, or are its own. */
    readonly warmUpEndsAt: number | null;
  };
  readonly sendingRates: readonly { readonly region: string; readonly recipientsPerSecond: number }[];
  readonly resources: readonly {
    readonly kind: LimitedResource;
    readonly used: number;
    readonly allowed: number;
  }[];
  readonly suspension: Suspension | null;
}
