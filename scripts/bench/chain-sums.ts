/** The sums of a chain: what all invocations, calls and requests cost that follow from one email. */
import type { RecordedCall } from '../../lib/local/index.ts';
import { deployedMs } from './deployed-duration.ts';
import { median, quantile } from './figures.ts';
import type { Observed } from './observe.ts';
import { type Consumed, consumedBy, hottestOf, type Partition, patternOf } from './partitions.ts';
import { dollarsOf, type PricedByUse } from './prices.ts';

/** What was used, in units of the price table. */
export type Usage = Readonly<Record<PricedByUse, number>>;

export const noUsage: Usage = {
  writeUnit: 0,
  readUnit: 0,
  invocation: 0,
  gbSecond: 0,
  httpRequest: 0,
  sqsStandard: 0,
  sqsFifo: 0,
  snsPublish: 0,
  s3Put: 0,
  s3Get: 0,
  kmsRequest: 0,
  schedule: 0,
  logGb: 0,
};

/** Where the units of a chain go: one row for each function, call and kind of item. */
export interface Step {
  readonly function: string;
  readonly action: string;
  /** `table` or the name of an index. */
  readonly place: string;
  /** Partition and sort key, ids replaced by `*`. */
  readonly key: string;
  readonly items: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

export interface Work {
  readonly function: string;
  readonly invocations: number;
  readonly memoryMb: number;
  /** Lower quartile of the invocations, here. */
  readonly ms: number;
  /** The same in AWS (`deployed-duration.ts`). */
  readonly deployedMs: number;
  readonly cpuMs: number;
  readonly logBytes: number;
  /** Calls of other services: `sqs SendMessage parley-events`. */
  readonly calls: Readonly<Record<string, number>>;
}

/** Bytes that stay, of one email. */
export interface Stored {
  /** In table and indexes. */
  readonly table: number;
  /** Of them, in the table alone. */
  readonly withoutIndexes: number;
  /** In table and indexes until they expire, beside the others. */
  readonly expiring: number;
  readonly objects: number;
}

/** Of one email: means over several. */
export interface ChainSums {
  readonly usage: Usage;
  readonly stored: Stored;
  readonly steps: readonly Step[];
  readonly work: readonly Work[];
  readonly hottest: { readonly writes: readonly Partition[]; readonly reads: readonly Partition[] };
}

export type Source = 'queue' | 'fifo' | 'stream' | 'http' | 'timer';

/** Calls of services that act for themselves: SES publishes and stores. */
export interface ServiceCalls {
  readonly snsPublish: number;
  readonly s3Put: number;
}

/** A line of the access log of API Gateway (`lib/stacks/api.ts`). */
const accessLogBytes = 400;
const gigabyte = 1024 ** 3;

/** Requests that Lambda's pollers make for one batch: a receive and a delete. */
const pollerRequests = 2;

/** What a number of emails set off. */
export interface Run {
  readonly emails: number;
  readonly observed: ByFunction;
  /** The same of as many emails while nothing was metered, which takes the gateway time. */
  readonly timed: ByFunction;
  readonly services: ServiceCalls;
  /** Bytes of objects that were added. */
  readonly objectBytes: number;
  /** Written by each function. */
  readonly logBytes: ReadonlyMap<string, number>;
  /** What sets off a function. */
  readonly sourceOf: (functionName: string) => Source;
  /** Milliseconds that a function waits for others than AWS, which no recorded call shows. */
  readonly outsideMsOf: (functionName: string) => number;
}

type ByFunction = ReadonlyMap<string, readonly Observed[]>;

export function sumsOf(run: Run): ChainSums {
  const { observed, emails } = run;
  const usage = Object.fromEntries(
    Object.entries(usageOf(run)).map(([what, units]) => [what, units / emails]),
  ) as Usage;
  const consumed = consumedIn(observed);
  return {
    usage,
    stored: storedOf(run),
    steps: stepsOf(observed, emails),
    work: workOf(run),
    hottest: {
      writes: hottestOf(
        consumed.filter(({ isWrite }) => isWrite),
        emails,
      ),
      reads: hottestOf(
        consumed.filter(({ isWrite }) => !isWrite),
        emails,
      ),
    },
  };
}

function usageOf(run: Run): Usage {
  const { observed, timed, services, logBytes, sourceOf } = run;
  const { snsPublish, s3Put } = services;
  const usage: Record<PricedByUse, number> = { ...noUsage, snsPublish, s3Put };
  for (const [name, invocations] of observed) {
    const { length } = invocations;
    const source = sourceOf(name);
    usage.invocation += length;
    usage.gbSecond += length * gbSecondsOf(timed.get(name) ?? invocations, run.outsideMsOf(name));
    usage.logGb += (logBytes.get(name) ?? 0) / gigabyte;
    if (source === 'http') {
      usage.httpRequest += length;
      usage.logGb += (length * accessLogBytes) / gigabyte;
    }
    if (source === 'queue') usage.sqsStandard += length * pollerRequests;
    if (source === 'fifo') usage.sqsFifo += length * pollerRequests;
    for (const call of invocations.flatMap(({ calls }) => calls)) {
      const what = pricedOf(call);
      if (what) usage[what] += 1;
      for (const { isWrite, units } of consumedBy(call)) usage[isWrite ? 'writeUnit' : 'readUnit'] += units;
    }
  }
  return usage;
}

function storedOf({ observed, emails, objectBytes }: Run): Stored {
  const stored = { table: 0, withoutIndexes: 0, expiring: 0, objects: objectBytes / emails };
  for (const { index, grownBytes = 0, expires = false } of consumedIn(observed)) {
    const bytes = grownBytes / emails;
    if (expires) stored.expiring += bytes;
    else stored.table += bytes;
    if (index === null && !expires) stored.withoutIndexes += bytes;
  }
  return stored;
}

function consumedIn(observed: ByFunction): Consumed[] {
  return [...observed.values()].flat().flatMap(({ calls }) => calls.flatMap(consumedBy));
}

/** The lower quartile: on a machine that is busy with other things, the median says more about these. */
function durationOf(invocations: readonly Observed[]): number {
  return quantile(
    invocations.map(({ ms }) => ms),
    0.25,
  );
}

/** As `durationOf`, in AWS. */
function deployedDurationOf(invocations: readonly Observed[], outsideMs: number): number {
  return quantile(
    invocations.map((one) => deployedMs(one, outsideMs)),
    0.25,
  );
}

/** Of one invocation in AWS: billed by the millisecond. */
function gbSecondsOf(invocations: readonly Observed[], outsideMs: number): number {
  const seconds = Math.ceil(deployedDurationOf(invocations, outsideMs)) / 1000;
  return ((invocations[0]?.memoryMb ?? 0) / 1024) * seconds;
}

function pricedOf({ service, action, resource }: RecordedCall): PricedByUse | null {
  switch (service) {
    case 'sqs':
      return resource.endsWith('.fifo') ? 'sqsFifo' : 'sqsStandard';
    case 's3':
      if (action.startsWith('Delete')) return null;
      return action.startsWith('Get') || action.startsWith('Head') ? 's3Get' : 's3Put';
    case 'kms':
      return 'kmsRequest';
    case 'scheduler':
      return action === 'CreateSchedule' ? 'schedule' : null;
    default:
      return null;
  }
}

function stepsOf(observed: ByFunction, emails: number): Step[] {
  const steps = new Map<string, Step>();
  for (const [name, invocations] of observed) {
    for (const call of invocations.flatMap(({ calls }) => calls)) {
      for (const one of consumedBy(call)) {
        const place = one.index ?? 'table';
        const key = patternOf(one.sort === '' ? one.partition : `${one.partition} ${one.sort}`);
        const id = [name, call.action, place, key].join('\n');
        const known = steps.get(id);
        steps.set(id, {
          function: name,
          action: call.action,
          place,
          key,
          items: (known?.items ?? 0) + 1 / emails,
          writeUnits: (known?.writeUnits ?? 0) + (one.isWrite ? one.units / emails : 0),
          readUnits: (known?.readUnits ?? 0) + (one.isWrite ? 0 : one.units / emails),
        });
      }
    }
  }
  return [...steps.values()];
}

function workOf({ observed, timed, emails, logBytes, outsideMsOf }: Run): Work[] {
  return [...observed].map(([name, invocations]) => {
    const calls: Record<string, number> = {};
    for (const { service, action, resource } of invocations.flatMap((one) => one.calls)) {
      if (service === 'dynamodb') continue;
      const id = `${service} ${action} ${service === 'sqs' ? resource.split(':').at(-1) : ''}`.trim();
      calls[id] = (calls[id] ?? 0) + 1 / emails;
    }
    const times = timed.get(name) ?? invocations;
    return {
      function: name,
      invocations: invocations.length / emails,
      memoryMb: invocations[0]?.memoryMb ?? 0,
      ms: durationOf(times),
      deployedMs: deployedDurationOf(times, outsideMsOf(name)),
      cpuMs: median(times.flatMap(({ cpuMs }) => cpuMs ?? [])),
      logBytes: (logBytes.get(name) ?? 0) / emails,
      calls,
    };
  });
}

export interface BillLine {
  readonly what: PricedByUse;
  /** Of one email. */
  readonly units: number;
  readonly dollarsPerMillion: number;
}

/** The bill of a million emails, without storage and without SES. */
export function billOf(usage: Usage): {
  readonly lines: readonly BillLine[];
  readonly dollarsPerMillion: number;
} {
  const lines = Object.entries(usage).map(([name, units]) => {
    const what = name as PricedByUse;
    return { what, units, dollarsPerMillion: dollarsOf(what, units * 1_000_000) };
  });
  return { lines, dollarsPerMillion: lines.reduce((sum, line) => sum + line.dollarsPerMillion, 0) };
}
