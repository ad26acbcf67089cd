/** The bill of a month by AWS service, from chains that were measured. */
import type { ChainUse, KeptFigures } from './chain-figures.ts';
import type { Stored, Usage } from './chain-sums.ts';
import { fixedBillOf, storageBillOf } from './month.ts';
import { dollarsOf, type PricedByUse, sesEmail } from './prices.ts';

/** A month of a deployment. */
export interface PlannedMonth {
  /** Emails sent, each of 5 KB to one recipient. */
  readonly emails: number;
  /** Endpoints that each event of an email goes to. */
  readonly endpoints: number;
  /** Emails received, each of 5 KB. */
  readonly received: number;
  readonly eventLog: boolean;
}

export interface BillOfService {
  readonly service: string;
  /** A month. */
  readonly dollars: number;
}

const serviceOf: Readonly<Record<PricedByUse, string>> = {
  writeUnit: 'DynamoDB',
  readUnit: 'DynamoDB',
  invocation: 'Lambda',
  gbSecond: 'Lambda',
  httpRequest: 'API Gateway',
  sqsStandard: 'SQS',
  sqsFifo: 'SQS',
  snsPublish: 'SNS',
  s3Put: 'S3',
  s3Get: 'S3',
  kmsRequest: 'KMS',
  schedule: 'EventBridge Scheduler',
  logGb: 'CloudWatch',
};

/** Dollars a month by service, the dearest first, without free tiers. @throws Error where a chain was not measured */
export function forecast(month: PlannedMonth, figures: KeptFigures): BillOfService[] {
  const dollars = new Map<string, number>();
  const add = (service: string, more: number) => dollars.set(service, (dollars.get(service) ?? 0) + more);
  for (const { use, times } of chainsOf(month, figures)) {
    for (const [what, units] of entriesOf(use.usage)) add(serviceOf[what], dollarsOf(what, units * times));
    const { objects, ...table } = use.stored;
    add('DynamoDB', storageBillOf({ ...table, objects: 0 }, times));
    add('S3', storageBillOf({ ...nothingStored, objects }, times));
  }
  add('SES', ((month.emails + month.received) * sesEmail.dollars) / sesEmail.per);
  const fixed = fixedBillOf(figures.fixedUse);
  add('DynamoDB', fixed.timers);
  add('SQS', fixed.emptyReceives);
  add('CloudWatch', fixed.alarms + fixed.metrics + fixed.dashboards);
  add('KMS', fixed.kmsKeys + fixed.kmsRotations);
  return [...dollars]
    .map(([service, sum]) => ({ service, dollars: sum }))
    .toSorted((a, b) => b.dollars - a.dollars);
}

const nothingStored: Stored = { table: 0, withoutIndexes: 0, expiring: 0, objects: 0 };

/** Two events of a sent email went to two endpoints in the chain that was measured. */
const deliveriesMeasured = 4;

/** What the month is made of; a delivery is a quarter of what two endpoints add to a sent email. */
export function chainsOf(
  { emails, endpoints, received, eventLog }: PlannedMonth,
  { chains }: KeptFigures,
): { readonly use: ChainUse; readonly times: number }[] {
  const chain = (name: string): ChainUse => {
    const found = chains[eventLog ? name : `${name}-no-log`];
    if (!found) throw new Error(`the chain ${name} was not measured: run npm run bench -- --chain`);
    return found;
  };
  const [send, sendTwo, receive] = [chain('send'), chain('send-two'), chain('receive')];
  const deliveries = (emails * endpoints * 2 + received * (endpoints - 1)) / deliveriesMeasured;
  return [
    { use: send, times: emails - deliveries },
    { use: sendTwo, times: deliveries },
    { use: receive, times: received },
  ];
}

const entriesOf = (usage: Usage) => Object.entries(usage) as [PricedByUse, number][];
