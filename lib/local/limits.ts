/** Rates and quotas of the local cloud: generous by default, or those of a new AWS account. */

import { type BudgetLimits, defaultBudget } from '../core/access/request-budget.ts';
import { defaultCaps, type RecipientCaps } from '../core/sending/sending-guard.ts';
import type { CapacityLimits } from './aws/dynamodb-throttle.ts';

export interface ServiceLimits {
  /** Per region (SES developer guide, "Managing your Amazon SES sending limits", "Service quotas in Amazon SES"). */
  readonly ses: {
    /** Maximum send rate in recipients per second. */
    readonly sendsPerSecond: number;
    /** Sending quota in recipients per 24 hours. */
    readonly sendsPerDay: number;
    /** Length of these 24 hours in hours; shorter ones make runs of many days fast. */
    readonly hoursPerDay: number;
    /** Rate of all other API calls; `Infinity`: not throttled. */
    readonly managementCallsPerSecond: number;
  };
  readonly lambda: {
    /** Concurrent executions of all functions together (Lambda developer guide, "Lambda quotas"). */
    readonly concurrentExecutions: number;
    /** Invocations that run at once in the threads of the functions; further ones wait, unless these stand still. */
    readonly threads: number;
    /**
     * Whether event source mappings of queues scale from 5 by 300 a minute to 1,250 concurrent invocations (Lambda developer guide, "Configuring
     * scaling behavior for SQS event source mappings"); otherwise they stay at 5.
     */
    readonly scalesPollers: boolean;
    /** Whether event source mappings of queues wait for their batching windows; otherwise these end at once. Those of streams always wait. */
    readonly waitsForBatches: boolean;
  };
  /** Of the table ("Quotas in Amazon DynamoDB"); `Infinity`: not throttled. */
  readonly dynamodb: CapacityLimits;
  readonly sqs: {
    /** Messages of a FIFO queue that are searched for available groups (SQS developer guide, "FIFO queue delivery logic"). */
    readonly fifoSearchDepth: number;
  };
  readonly apiGateway: {
    /** Whether the stage throttles by the rate of its template. */
    readonly throttlesStage: boolean;
  };
  /** Of each mailbox at the emulated providers; `Infinity`: not throttled. */
  readonly mailboxes: {
    /** Quota units ("Usage limits", Gmail API). */
    readonly gmailUnitsPerMinute: number;
    /** "Microsoft Graph service-specific throttling limits". */
    readonly graphRequestsPerTenMinutes: number;
  };
}

/** Limits of the product itself, for each workspace. */
export interface GuardRails {
  readonly requestBudget: BudgetLimits;
  /** Requests in flight of the whole deployment; 0: no ceiling. */
  readonly requestCeiling: number;
  readonly recipientCaps: RecipientCaps;
  /** Whether each workspace has an SES tenant. */
  readonly sesTenants: boolean;
}

const many = 1_000_000_000;

const unlimited: CapacityLimits = {
  partitionWrites: Number.POSITIVE_INFINITY,
  partitionReads: Number.POSITIVE_INFINITY,
  tableWrites: Number.POSITIVE_INFINITY,
  tableReads: Number.POSITIVE_INFINITY,
};

/** Of a new table in on-demand mode ("DynamoDB on-demand capacity mode", initial throughput). */
export const newTableLimits: CapacityLimits = {
  partitionWrites: 1_000,
  partitionReads: 3_000,
  tableWrites: 4_000,
  tableReads: 12_000,
};

/** Guard rails that no test and no load reaches. */
export const generousGuardRails: GuardRails = {
  requestBudget: { unitsPerSecond: many, capacity: many, inFlight: many },
  requestCeiling: 0,
  recipientCaps: { perHour: many, perDay: many },
  sesTenants: false,
};

/** As a deployment has them by default. */
export const defaultGuardRails: GuardRails = {
  requestBudget: defaultBudget,
  requestCeiling: 400,
  recipientCaps: defaultCaps,
  sesTenants: false,
};

/** Limits that no test and no trial reaches, except SES's rate of management calls, which is the same for all accounts. */
export const generousLimits: ServiceLimits = {
  ses: { sendsPerSecond: 100_000, sendsPerDay: 100_000_000, hoursPerDay: 24, managementCallsPerSecond: 1 },
  lambda: {
    concurrentExecutions: 1_000,
    threads: 3,
    scalesPollers: false,
    waitsForBatches: false,
  },
  dynamodb: unlimited,
  sqs: { fifoSearchDepth: 120_000 },
  apiGateway: { throttlesStage: false },
  mailboxes: {
    gmailUnitsPerMinute: Number.POSITIVE_INFINITY,
    graphRequestsPerTenMinutes: Number.POSITIVE_INFINITY,
  },
};

/** The limits of an account on its first day: SES in the sandbox, 10 concurrent executions; and the quotas of a new client. */
export const newAccountLimits: ServiceLimits = {
  ses: { sendsPerSecond: 1, sendsPerDay: 200, hoursPerDay: 24, managementCallsPerSecond: 1 },
  lambda: {
    concurrentExecutions: 10,
    threads: 10,
    scalesPollers: true,
    waitsForBatches: true,
  },
  dynamodb: newTableLimits,
  sqs: { fifoSearchDepth: 120_000 },
  apiGateway: { throttlesStage: true },
  mailboxes: { gmailUnitsPerMinute: 6_000, graphRequestsPerTenMinutes: 10_000 },
};

/** Changes to limits, service by service. */
export type LimitChanges = { readonly [S in keyof ServiceLimits]?: Partial<ServiceLimits[S]> };

export function withLimits(limits: ServiceLimits, changes: LimitChanges = {}): ServiceLimits {
  return {
    ses: { ...limits.ses, ...changes.ses },
    lambda: { ...limits.lambda, ...changes.lambda },
    dynamodb: { ...limits.dynamodb, ...changes.dynamodb },
    sqs: { ...limits.sqs, ...changes.sqs },
    apiGateway: { ...limits.apiGateway, ...changes.apiGateway },
    mailboxes: { ...limits.mailboxes, ...changes.mailboxes },
  };
}
