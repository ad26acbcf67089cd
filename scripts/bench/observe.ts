/** What the functions of a local cloud do: each invocation with the AWS calls it made, and their summary. */
import type { Cloud, Invocation, RecordedCall } from '../../lib/local/index.ts';
import { longestChain, median } from './figures.ts';
import { consumedBy, hottestOf, type Partition } from './partitions.ts';

export interface Observed extends Invocation {
  readonly calls: readonly RecordedCall[];
}

export interface Observer {
  /** The invocations of a function since the last time anybody asked for any; forgets all. */
  take(functionName: string): readonly Observed[];
  /** All of them, by function. */
  takeAll(): ReadonlyMap<string, readonly Observed[]>;
}

export function observe({ gateway, onInvocation }: Pick<Cloud, 'gateway' | 'onInvocation'>): Observer {
  /** Calls of the invocations that still run; a thread runs one at a time. */
  const open = new Map<string, RecordedCall[]>();
  let ended: Observed[] = [];
  gateway.recorder.subscribe((call) => {
    const calls = open.get(call.principal);
    if (calls) calls.push(call);
    else open.set(call.principal, [call]);
  });
  onInvocation((invocation) => {
    ended.push({ ...invocation, calls: open.get(invocation.principal) ?? [] });
    open.delete(invocation.principal);
  });
  const takeAll = () => {
    const taken = Map.groupBy(ended, ({ name }) => name);
    ended = [];
    return taken;
  };
  return { take: (functionName) => takeAll().get(functionName) ?? [], takeAll };
}

export const otherServices = ['s3', 'sqs', 'ses', 'kms', 'scheduler'] as const;

/** What one invocation costs: medians over several. */
export interface Profile {
  readonly invocations: number;
  /** Calls of DynamoDB that wait for one another. */
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly calls: Readonly<Record<(typeof otherServices)[number], number>>;
  readonly cpuMs: number;
  /** The partition that gets the most write units; null: nothing is written. */
  readonly hottest: Partition | null;
}

/** Summary of invocations that were made while the recorder was metering. */
export function profileOf(observed: readonly Observed[]): Profile {
  const over = (figure: (one: Observed) => number) => median(observed.map(figure));
  const units = (isRead: boolean) => (one: Observed) =>
    tableCalls(one)
      .filter(({ action }) => reads.has(action) === isRead)
      .reduce((sum, { capacity = 0 }) => sum + capacity, 0);
  const written = observed.flatMap((one) =>
    tableCalls(one).flatMap((call) => consumedBy(call).filter(({ isWrite }) => isWrite)),
  );
  return {
    invocations: observed.length,
    roundTrips: over((one) => longestChain(tableCalls(one))),
    readUnits: over(units(true)),
    writeUnits: over(units(false)),
    calls: Object.fromEntries(
      otherServices.map((name) => [
        name,
        over(({ calls }) => calls.filter(({ service }) => service === name).length),
      ]),
    ) as Profile['calls'],
    cpuMs: median(observed.flatMap(({ cpuMs }) => cpuMs ?? [])),
    hottest: hottestOf(written, observed.length)[0] ?? null,
  };
}

const reads: ReadonlySet<string> = new Set(['GetItem', 'Query', 'BatchGetItem', 'TransactGetItems']);

function tableCalls({ calls }: Observed): RecordedCall[] {
  return calls.filter(({ service }) => service === 'dynamodb');
}
