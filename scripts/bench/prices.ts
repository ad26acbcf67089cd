/**
 * The one price table: list prices in US dollars of us-east-1, on demand, first tier, without free tiers. The pages show their numbers by
 * script, so that they are copied here by hand: compare them before a figure is quoted.
 */
export const pricesCheckedOn = '2026-11-22';

interface Price {
  readonly dollars: number;
  /** For how many units. */
  readonly per: number;
  /** Title of the page. */
  readonly source: string;
}

const million = 1_000_000;

export const prices = {
  /** Write request unit: 1 KB. */
  writeUnit: { dollars: 0.625, per: million, source: 'Amazon DynamoDB pricing, on-demand capacity' },
  /** Read request unit: 4 KB, consistent. */
  readUnit: { dollars: 0.125, per: million, source: 'Amazon DynamoDB pricing, on-demand capacity' },
  /** Of table and indexes, a month. */
  tableGb: { dollars: 0.25, per: 1, source: 'Amazon DynamoDB pricing, data storage' },
  /** Point-in-time recovery, of the table without indexes, a month. */
  recoveryGb: { dollars: 0.2, per: 1, source: 'Amazon DynamoDB pricing, backup' },
  invocation: { dollars: 0.2, per: million, source: 'AWS Lambda pricing' },
  /** Arm. */
  gbSecond: { dollars: 0.0000133334, per: 1, source: 'AWS Lambda pricing' },
  /** Arm, of execution environments that are kept ready, whether they run or not. */
  readyGbSecond: { dollars: 0.0000033334, per: 1, source: 'AWS Lambda pricing, provisioned concurrency' },
  /** A provisioned poller of an SQS event source: one event poller unit. */
  pollerHour: { dollars: 0.00925, per: 1, source: 'AWS Price List of September 2026, as others quote it' },
  /** HTTP API, up to 512 KB. */
  httpRequest: { dollars: 1, per: million, source: 'Amazon API Gateway pricing' },
  /** Each call of up to 64 KB, also an empty receive. */
  sqsStandard: { dollars: 0.4, per: million, source: 'Amazon SQS pricing' },
  sqsFifo: { dollars: 0.5, per: million, source: 'Amazon SQS pricing' },
  /** Deliveries to SQS are free. */
  snsPublish: { dollars: 0.5, per: million, source: 'Amazon SNS pricing' },
  /** PUT, COPY, POST, LIST. */
  s3Put: { dollars: 5, per: million, source: 'Amazon S3 pricing, S3 Standard' },
  s3Get: { dollars: 0.4, per: million, source: 'Amazon S3 pricing, S3 Standard' },
  /** A month. */
  s3Gb: { dollars: 0.023, per: 1, source: 'Amazon S3 pricing, S3 Standard' },
  kmsRequest: { dollars: 3, per: million, source: 'AWS Key Management Service pricing' },
  schedule: { dollars: 1, per: million, source: 'Amazon EventBridge pricing, Scheduler' },
  /** A metric that an alarm watches, a month. */
  alarmMetric: { dollars: 0.1, per: 1, source: 'Amazon CloudWatch pricing, alarms' },
  /** A custom metric, that is a name with a value of each dimension, a month. */
  metric: { dollars: 0.3, per: 1, source: 'Amazon CloudWatch pricing, metrics' },
  /** A month. */
  kmsKey: { dollars: 1, per: 1, source: 'AWS Key Management Service pricing' },
  /** Each of the first two rotations of a key, a month ("Rotate AWS KMS keys" in its Developer Guide). */
  kmsRotation: { dollars: 1, per: 1, source: 'AWS Key Management Service pricing' },
  /** A month. */
  dashboard: { dollars: 3, per: 1, source: 'Amazon CloudWatch pricing, dashboards' },
  /** Between regions, out of us-east-1. */
  regionTransferGb: {
    dollars: 0.02,
    per: 1,
    source: 'Amazon EC2 on-demand pricing, data transfer to another region',
  },
  /** A month, of a backup that AWS Backup has copied to another region. */
  backupGb: { dollars: 0.1, per: 1, source: 'AWS Backup pricing, DynamoDB, warm storage' },
  logGb: { dollars: 0.5, per: 1, source: 'Amazon CloudWatch pricing, logs ingestion' },
} as const satisfies Record<string, Price>;
export type Priced = keyof typeof prices;

/** Paid each month, whatever is sent. */
const monthly = [
  'readyGbSecond',
  'pollerHour',
  'tableGb',
  'recoveryGb',
  's3Gb',
  'alarmMetric',
  'metric',
  'kmsKey',
  'kmsRotation',
  'dashboard',
  'regionTransferGb',
  'backupGb',
] as const;
export type PricedByUse = Exclude<Priced, (typeof monthly)[number]>;

/** SES itself, for each email: the same whoever sends. Without a pricing plan. */
export const sesEmail = { dollars: 100, per: million, source: 'Amazon SES pricing' } as const satisfies Price;

/** A sent email in the plan Essentials, which a new account has ("Pricing plans", Amazon SES Developer Guide), up to ten million a month. */
export const sesEssentialsEmail = {
  dollars: 160,
  per: million,
  source: 'Amazon SES pricing, Essentials',
} as const satisfies Price;

/** Dollars of a number of units. */
export function dollarsOf(what: Priced, units: number): number {
  const { dollars, per } = prices[what];
  return (dollars * units) / per;
}
