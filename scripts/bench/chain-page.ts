/** The section of the page about chains, and the comparison of two runs. */
import { billOf, type ChainSums, type Step, type Usage, type Work } from './chain-sums.ts';
import { assumedMs } from './deployed-duration.ts';
import { table } from './figures.ts';
import type { ChainFigures } from './measure-chain.ts';
import { apartMs, type FixedBill, type FixedUse, fixedBillOf, monthOf } from './month.ts';
import { ceilingOf, type Partition } from './partitions.ts';
import { type PricedByUse, prices, pricesCheckedOn } from './prices.ts';

/** Names of what is used, in the order of the page. */
const columns = {
  writeUnit: 'WU',
  readUnit: 'RU',
  invocation: 'invocations',
  gbSecond: 'GB-s',
  httpRequest: 'HTTP requests',
  sqsStandard: 'SQS standard',
  sqsFifo: 'SQS FIFO',
  snsPublish: 'SNS',
  s3Put: 'S3 PUT',
  s3Get: 'S3 GET',
  kmsRequest: 'KMS',
  schedule: 'schedules',
  logGb: 'log GB',
} as const satisfies Record<PricedByUse, string>;
const columnNames = Object.keys(columns) as (keyof typeof columns)[];

export interface ChainsMeasured {
  readonly chains: readonly ChainFigures[];
  readonly fixedUse: FixedUse;
}

export function chainText({ chains, fixedUse }: ChainsMeasured): string {
  return `Everything that follows from one email of 5 KB to or from one recipient, until nothing moves: means of ${chains[0]?.emails ?? 0} emails, one after the other, so that
no two share a batch, but those of \`count-usage\`, which gathers for a minute: emails come as far apart as a million a month do, and ${Math.floor(60_000 / apartMs)} share one.
With fewer, an email has up to two invocations of it with a read and a write each (about $2 a million).
Endpoints take \`email.sent\` and \`email.delivered\`, or \`email.received\`. SQS counts the receive and the delete of Lambda's pollers, SNS and S3 what SES calls.
GB-s are those of durations in AWS, with assumed waits (\`docs/cost.md\`), lower quartiles rounded up to a millisecond. Reports come after the submission is recorded, as in AWS. Prices are list prices of
us-east-1, checked on ${pricesCheckedOn} (\`scripts/bench/prices.ts\`), without SES's own $0.10 a thousand, storage and free tiers.

### Used by one email

${table(
  ['Chain', ...Object.values(columns), '$ a million'],
  chains.map(({ title, sums: { usage } }) => [
    title,
    ...columnNames.map((what) => amount(what, usage[what])),
    dollars(billOf(usage).dollarsPerMillion),
  ]),
)}

### Dollars a million emails

${table(
  ['Chain', ...Object.values(columns), 'sum'],
  chains.map(({ title, sums: { usage } }) => {
    const { lines, dollarsPerMillion } = billOf(usage);
    const of = (what: PricedByUse) => lines.find((line) => line.what === what)?.dollarsPerMillion ?? 0;
    return [title, ...columnNames.map((what) => dollars(of(what))), dollars(dollarsPerMillion)];
  }),
)}

### Hottest partitions

Units of one email in the partition that gets most of them, and the emails a second at which it is full: 1,000 write and 3,000 read units. Partitions that all workspaces share are marked with \`*\`.

${table(
  ['Chain', 'Units', 'Hottest', 'Units an email', 'Emails a second', 'Next'],
  chains.flatMap(({ title, sums: { hottest } }) => [
    [title, 'write', ...hottestCells(hottest.writes, 'writes')],
    [title, 'read', ...hottestCells(hottest.reads, 'reads')],
  ]),
)}

### Stored by one email

Bytes with the overhead of items and index entries. Events and deliveries expire.

${table(
  ['Chain', 'table and indexes', 'table alone', 'expiring', 'objects'],
  chains.map(({ title, sums: { stored } }) => [
    title,
    ...[stored.table, stored.withoutIndexes, stored.expiring, stored.objects].map((bytes) =>
      bytes.toFixed(0),
    ),
  ]),
)}

### A month

Dollars a month for emails of one kind. Storage is that after a year of such months, with point-in-time recovery, and events kept for 30 days.

${table(
  ['Chain', 'Emails a month', 'work', 'storage', 'SES'],
  chains.flatMap(({ title, sums }) =>
    volumes.map((emails) => {
      const { work, storage, ses } = monthOf(sums, emails);
      return [
        title,
        emails.toLocaleString('en-US'),
        ...[work, storage, ses].map((value) => value.toFixed(2)),
      ];
    }),
  ),
)}

Without any email a deployment pays, in dollars a month:

${fixedTable(fixedUse)}

### Functions

*ms* is the duration on this machine, which runs the emulated services on the same cores; *in AWS* that with the assumed waits.

${chains.map(({ title, sums }) => `**${title}**\n\n${workTable(sums.work)}`).join('\n\n')}

### Where the units go

${chains.map(({ title, sums }) => `**${title}**\n\n${stepTable(sums)}`).join('\n\n')}

### Prices

${priceTable()}`;
}

/** Emails a month. */
export const volumes = [10_000, 1_000_000, 100_000_000];

const fixedNames: Readonly<Record<keyof FixedBill, string>> = {
  timers: 'workers of a timer',
  emptyReceives: 'empty receives of queues, about',
  alarms: 'alarms',
  metrics: 'metrics, at most',
  dashboards: 'dashboards',
  kmsKeys: 'keys of KMS',
  kmsRotations: 'their first two rotations, from the third year on',
};

/** What is counted for a charge. */
function countOf(what: keyof FixedBill, { queues, monitoring }: FixedUse): string {
  const { alarmMetrics, metrics, dashboardMetrics, kmsKeys, rotatedKeys } = monitoring;
  const counts: Readonly<Record<keyof FixedBill, string>> = {
    timers: '–',
    emptyReceives: `${queues} queues`,
    alarms: `${alarmMetrics} metrics that alarms watch`,
    metrics: `${metrics} names with their queues`,
    dashboards: `of ${dashboardMetrics.join(' and ')} metrics`,
    kmsKeys: `${kmsKeys} keys`,
    kmsRotations: `${rotatedKeys} keys`,
  };
  return counts[what];
}

/** What a deployment pays for without any email. */
export function fixedTable(fixedUse: FixedUse): string {
  return table(
    ['What', 'Counted', 'Dollars'],
    Object.entries(fixedBillOf(fixedUse)).map(([name, value]) => {
      const what = name as keyof FixedBill;
      return [fixedNames[what], countOf(what, fixedUse), value.toFixed(2)];
    }),
  );
}

/** What one email uses most, and its bill. */
export function unitsTable(chains: readonly ChainFigures[]): string {
  const shown = ['writeUnit', 'readUnit', 'invocation', 'gbSecond', 'sqsStandard'] as const;
  return table(
    ['One email', 'write units', 'read units', 'invocations', 'GB-s', 'requests of SQS', '$ a million'],
    chains.map(({ title, sums: { usage } }) => [
      title,
      ...shown.map((what) => amount(what, usage[what])),
      dollars(billOf(usage).dollarsPerMillion),
    ]),
  );
}

/** The lengths of waits that durations in AWS assume. */
export function waitsTable(): string {
  const names: Readonly<Record<keyof typeof assumedMs, string>> = {
    dynamodb: 'a call of DynamoDB',
    sqs: 'of SQS',
    kms: 'of KMS',
    s3: 'of S3',
    ses: 'of SES',
    other: 'of other services',
    receiver: 'a request to a webhook receiver',
  };
  return table(
    ['Wait for', 'ms'],
    Object.entries(assumedMs).map(([what, ms]) => [names[what as keyof typeof assumedMs], String(ms)]),
  );
}

/** The two runs beside each other. */
export function comparisonText(before: readonly ChainFigures[], now: readonly ChainFigures[]): string {
  const cells = (usage: Usage | undefined, other: Usage | undefined, what: keyof typeof columns) =>
    usage && other ? `${amount(what, usage[what])} → ${amount(what, other[what])}` : '–';
  const rows = now.map(({ name, title, sums }) => {
    const old = before.find((one) => one.name === name)?.sums;
    const bills = [old?.usage, sums.usage].map((usage) =>
      usage ? dollars(billOf(usage).dollarsPerMillion) : '–',
    );
    const hot = [old, sums].map((one) => one?.hottest.writes[0]?.units.toFixed(1) ?? '–');
    return [
      title,
      ...columnNames.map((what) => cells(old?.usage, sums.usage, what)),
      bills.join(' → '),
      hot.join(' → '),
    ];
  });
  return table(['Chain', ...Object.values(columns), '$ a million', 'hottest WU'], rows);
}

function amount(what: PricedByUse, units: number): string {
  if (what === 'gbSecond') return units.toFixed(3);
  if (what === 'logGb') return units.toFixed(7);
  return decimals(units);
}

function decimals(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 1 ? 2 : 1);
}

function dollars(value: number): string {
  return value.toFixed(1);
}

function hottestCells(partitions: readonly Partition[], per: 'writes' | 'reads'): string[] {
  const named = ({ place, key, shared }: Partition) => `${place} \`${key}\`${shared ? ' *' : ''}`;
  const [first, ...others] = partitions;
  if (!first) return ['–', '–', '–', '–'];
  const next = others.slice(0, 3).map((one) => `${named(one)} ${decimals(one.units)}`);
  return [named(first), decimals(first.units), ceilingOf(first, per).toFixed(0), next.join(', ')];
}

function workTable(work: readonly Work[]): string {
  return table(
    ['Function', 'Invocations', 'MB', 'ms', 'in AWS', 'CPU ms', 'log bytes', 'Other calls'],
    work.map((one) => [
      shortName(one.function),
      decimals(one.invocations),
      String(one.memoryMb),
      one.ms.toFixed(1),
      one.deployedMs.toFixed(1),
      one.cpuMs.toFixed(1),
      one.logBytes.toFixed(0),
      Object.entries(one.calls)
        .map(([call, count]) => `${call} ${decimals(count)}`)
        .join(', ') || '–',
    ]),
  );
}

function stepTable({ steps }: ChainSums): string {
  const isShown = ({ writeUnits, readUnits }: Step) => writeUnits + readUnits >= 0.01;
  return table(
    ['Function', 'Call', 'Place', 'Item', 'Items', 'WU', 'RU'],
    steps
      .filter(isShown)
      .map((step) => [
        shortName(step.function),
        step.action,
        step.place,
        `\`${step.key}\``,
        decimals(step.items),
        decimals(step.writeUnits),
        decimals(step.readUnits),
      ]),
  );
}

function shortName(functionName: string): string {
  return functionName.replace(/^[a-z0-9]+-/, '');
}

function priceTable(): string {
  return table(
    ['What', 'Dollars', 'For', 'Page'],
    Object.entries(prices).map(([what, { dollars: price, per, source }]) => [
      what,
      String(price),
      per.toLocaleString('en-US'),
      source,
    ]),
  );
}
