/** The sums of a chain: what all invocations, calls and requests cost that follow from one email. */
import type { ConsumedUnits } from '../../lib/local/aws/dynamodb-capacity.ts';
import type { RecordedCall } from '../../lib/local/aws/recorder.ts';
import { median } from './figures.ts';
import type { Observed } from './observe.ts';
import { dollarsOf, type Priced } from './prices.ts';

/** What was used, in units of the price table. */
export type Usage = Readonly<Record<Priced, number>>;

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
  /** Median of the invocations. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly logBytes: number;
  /** Calls of other services: `sqs SendMessage parley-events`. */
  readonly calls: Readonly<Record<string, number>>;
}

/** A partition of the table or of an index. */
export interface Partition {
  readonly place: string;
  /** Ids replaced by `*`. */
  readonly key: string;
  /** Whether all workspaces share it. */
  readonly shared: boolean;
  /** Units of one email. */
  readonly units: number;
}

/** Of one email: means over several. */
export interface ChainSums {
  readonly usage: Usage;
  readonly steps: readonly Step[];
  readonly work: readonly Work[];
  readonly hottest: { readonly writes: readonly Partition[]; readonly reads: readonly Partition[] };
}

export type Source = 'queue' | 'fifo' | 'stream' | 'http';

/** Calls of services that act for themselves: SES publishes and stores. */
export interface ServiceCalls {
  readonly snsPublish: number;
  readonly s3Put: number;
}

const writes: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

/**
 * What Lambda itself logs of an invocation at level INFO: `platform.start` and `platform.report` ("Log-level filtering" in the AWS Lambda
 * Developer Guide); by the length of the examples there.
 */
const platformLogBytes = 500;
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
  /** Written by each function. */
  readonly logBytes: ReadonlyMap<string, number>;
  /** What sets off a function. */
  readonly sourceOf: (functionName: string) => Source;
}

type ByFunction = ReadonlyMap<string, readonly Observed[]>;

export function sumsOf(run: Run): ChainSums {
  const { observed, emails } = run;
  const usage = Object.fromEntries(
    Object.entries(usageOf(run)).map(([what, units]) => [what, units / emails]),
  ) as Usage;
  const consumed = [...observed.values()].flat().flatMap(({ calls }) => calls.flatMap(consumedBy));
  return {
    usage,
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

function usageOf({ observed, timed, services, logBytes, sourceOf }: Run): Usage {
  const usage: Record<Priced, number> = {
    writeUnit: 0,
    readUnit: 0,
    tableGb: 0,
    recoveryGb: 0,
    invocation: 0,
    gbSecond: 0,
    httpRequest: 0,
    sqsStandard: 0,
    sqsFifo: 0,
    snsPublish: services.snsPublish,
    s3Put: services.s3Put,
    s3Get: 0,
    s3Gb: 0,
    kmsRequest: 0,
    schedule: 0,
    logGb: 0,
  };
  for (const [name, invocations] of observed) {
    const { length } = invocations;
    const source = sourceOf(name);
    usage.invocation += length;
    usage.gbSecond += length * gbSecondsOf(timed.get(name) ?? invocations);
    usage.logGb += (length * platformLogBytes + (logBytes.get(name) ?? 0)) / gigabyte;
    if (source === 'http') {
      usage.httpRequest += length;
      usage.logGb += (length * accessLogBytes) / gigabyte;
    }
    if (source === 'queue') usage.sqsStandard += length * pollerRequests;
    if (source === 'fifo') usage.sqsFifo += length * pollerRequests;
    for (const call of invocations.flatMap(({ calls }) => calls)) {
      const what = pricedOf(call);
      if (what) usage[what] += 1;
      for (const { isWrite, units, index, grownBytes = 0 } of consumedBy(call)) {
        usage[isWrite ? 'writeUnit' : 'readUnit'] += units;
        usage.tableGb += grownBytes / gigabyte;
        if (index === null) usage.recoveryGb += grownBytes / gigabyte;
      }
    }
  }
  return usage;
}

/** Of one invocation, by the median duration: billed by the millisecond. */
function gbSecondsOf(invocations: readonly Observed[]): number {
  const seconds = Math.ceil(median(invocations.map(({ ms }) => ms))) / 1000;
  return ((invocations[0]?.memoryMb ?? 0) / 1024) * seconds;
}

function pricedOf({ service, action, resource }: RecordedCall): Priced | null {
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

interface Consumed extends ConsumedUnits {
  readonly isWrite: boolean;
}

function consumedBy({ action, consumed = [] }: RecordedCall): Consumed[] {
  return consumed.map((one) => ({ ...one, isWrite: writes.has(action) }));
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

function workOf({ observed, timed, emails, logBytes }: Run): Work[] {
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
      ms: median(times.map(({ ms }) => ms)),
      cpuMs: median(times.flatMap(({ cpuMs }) => cpuMs ?? [])),
      logBytes: (logBytes.get(name) ?? 0) / emails,
      calls,
    };
  });
}

const shownPartitions = 5;

/** The partitions with the most units, by their own keys: those of one email have its units once. */
export function hottestOf(consumed: readonly ConsumedUnits[], emails: number): Partition[] {
  const units = new Map<string, ConsumedUnits>();
  for (const one of consumed) {
    const id = `${one.index ?? ''}\n${one.partition}`;
    units.set(id, { ...one, units: (units.get(id)?.units ?? 0) + one.units });
  }
  return [...units.values()]
    .sort((a, b) => b.units - a.units)
    .slice(0, shownPartitions)
    .map(({ index, partition, units: sum }) => ({
      place: index ?? 'table',
      key: patternOf(partition),
      shared: !/^W#/.test(partition),
      units: sum / emails,
    }));
}

/** A key without its ids: `W#wsp_1#E` is `W#*#E`. Words in capitals stay. */
export function patternOf(key: string): string {
  return key
    .split(' ')
    .map((part) =>
      part
        .split('#')
        .map((one) => (/^[A-Z][A-Z0-9_]*$/.test(one) ? one : '*'))
        .join('#'),
    )
    .join(' ');
}

/** Units a second of one partition ("Best practices for designing and using partition keys effectively" in the Amazon DynamoDB Developer Guide). */
export const partitionCeilings = { writes: 1000, reads: 3000 } as const;

/** Emails a second at which a partition is full. */
export function ceilingOf({ units }: Pick<Partition, 'units'>, per: keyof typeof partitionCeilings): number {
  return partitionCeilings[per] / units;
}

/** What is used once; storage is paid each month. */
const stored: ReadonlySet<Priced> = new Set(['tableGb', 'recoveryGb', 's3Gb']);

export interface BillLine {
  readonly what: Priced;
  /** Of one email. */
  readonly units: number;
  readonly dollarsPerMillion: number;
}

/** The bill of a million emails, without storage and without SES. */
export function billOf(usage: Usage): {
  readonly lines: readonly BillLine[];
  readonly dollarsPerMillion: number;
} {
  const lines = Object.entries(usage)
    .map(([what, units]) => ({ what: what as Priced, units }))
    .filter(({ what }) => !stored.has(what))
    .map((line) => ({ ...line, dollarsPerMillion: dollarsOf(line.what, line.units * 1_000_000) }));
  return { lines, dollarsPerMillion: lines.reduce((sum, line) => sum + line.dollarsPerMillion, 0) };
}
