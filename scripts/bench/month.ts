/** The bill of a month: emails, what is stored after a year of such months, and what is paid without any email. */
import { billOf, type ChainSums, type Stored, type Usage } from './chain-sums.ts';
import type { Monitoring } from './monitoring.ts';
import { dollarsOf, sesEmail } from './prices.ts';

/** What a deployment pays for each month without any email. */
export interface FixedUse {
  /** Of the workers of a timer, a minute. */
  readonly timers: Usage;
  readonly queues: number;
  readonly monitoring: Monitoring;
}

const minutes = 30 * 24 * 60;
/** Milliseconds between two emails, where a million come in a month. */
export const apartMs = (minutes * 60_000) / 1_000_000;
/**
 * Lambda polls a queue by five connections that wait 20 seconds each ("Configuring scaling behavior for SQS event source mappings" in the AWS
 * Lambda Developer Guide, "Amazon SQS short and long polling" in the Amazon SQS Developer Guide); an estimate, since AWS promises no number.
 */
const emptyReceivesAMinute = (5 * 60) / 20;

export interface FixedBill {
  readonly timers: number;
  readonly emptyReceives: number;
  readonly alarms: number;
  /** At most: a metric is billed in the hours in which it has values. */
  readonly metrics: number;
  readonly dashboards: number;
  readonly kmsKeys: number;
  /** From the third year on: the third rotation and later ones are free. */
  readonly kmsRotations: number;
}

/** Rotations of a key that are billed. */
const billedRotations = 2;

/** Dollars a month. */
export function fixedBillOf({ timers, queues, monitoring }: FixedUse): FixedBill {
  const { alarmMetrics, metrics, dashboardMetrics, kmsKeys, rotatedKeys } = monitoring;
  return {
    timers: (billOf(timers).dollarsPerMillion / 1_000_000) * minutes,
    emptyReceives: dollarsOf('sqsStandard', queues * emptyReceivesAMinute * minutes),
    alarms: dollarsOf('alarmMetric', alarmMetrics),
    metrics: dollarsOf('metric', metrics),
    dashboards: dollarsOf('dashboard', billedDashboards(dashboardMetrics)),
    kmsKeys: dollarsOf('kmsKey', kmsKeys),
    kmsRotations: dollarsOf('kmsRotation', rotatedKeys * billedRotations),
  };
}

/** As many dashboards of as few metrics are free in an account, for ever ("Amazon CloudWatch pricing"). */
const freeDashboards = 3;
const freeDashboardMetrics = 50;

/** Dashboards that cost something, where the account has no others. */
function billedDashboards(metricsOfEach: readonly number[]): number {
  const small = metricsOfEach.filter((metrics) => metrics <= freeDashboardMetrics).length;
  return metricsOfEach.length - Math.min(small, freeDashboards);
}

const gigabyte = 1024 ** 3;
const months = 12;

/** Dollars a month for what is stored after a year of as many emails each month; events and deliveries are kept for one. */
export function storageBillOf({ table, withoutIndexes, expiring, objects }: Stored, emails: number): number {
  const kept = (emails * months) / gigabyte;
  return (
    dollarsOf('tableGb', kept * table + (emails * expiring) / gigabyte) +
    dollarsOf('recoveryGb', kept * withoutIndexes) +
    dollarsOf('s3Gb', kept * objects)
  );
}

export interface Month {
  readonly emails: number;
  readonly work: number;
  /** After a year. */
  readonly storage: number;
  readonly ses: number;
}

/** Dollars of a month with as many emails of one chain. */
export function monthOf({ usage, stored }: Pick<ChainSums, 'usage' | 'stored'>, emails: number): Month {
  return {
    emails,
    work: (billOf(usage).dollarsPerMillion * emails) / 1_000_000,
    storage: storageBillOf(stored, emails),
    ses: (sesEmail.dollars * emails) / sesEmail.per,
  };
}
