/** What settings add to the bill of a month, whatever is sent: pollers, ready functions; and once, warm throughput. */
import { workers } from '../../functions/workers.ts';
import { workerConcurrency } from '../../lib/constructs/concurrency.ts';
import { newTable, warmThroughput } from '../../lib/constructs/prewarm.ts';
import { operationDefaults } from '../../lib/stacks/operation-defaults.ts';
import { dollarsOf } from './prices.ts';

const monthHours = 30 * 24;

/** The settings of `docs/deploying.md`. */
export interface PaidSettings {
  readonly lambdaConcurrency: number;
  readonly prewarmSendFunctions: number;
  readonly prewarmEmailsPerSecond: number;
}

/** Units a second above those of a new table. */
export interface WarmUnits {
  readonly write: number;
  readonly read: number;
}

export interface SettingsCosts {
  /** Event sources that have pollers, and dollars a month for their least and for all of them. */
  readonly pollers: { readonly sources: number; readonly least: number; readonly most: number };
  /** Dollars a month of environments of `POST /emails`. Their executions are a little cheaper, which is left out. */
  readonly readyFunctions: number;
  /** Paid once; `dollars` is null, since no page that a program can read has the price. */
  readonly warm: { readonly table: WarmUnits; readonly eachIndex: WarmUnits; readonly dollars: null };
}

export function settingsCosts(settings: PaidSettings): SettingsCosts {
  const { pollersOf } = workerConcurrency(workers, settings.lambdaConcurrency);
  const pollers = workers.flatMap((worker) => pollersOf(worker) ?? []);
  const dollarsOfAll = (which: 'minimum' | 'maximum') =>
    dollarsOf('pollerHour', monthHours * pollers.reduce((sum, one) => sum + one[which], 0));
  return {
    pollers: { sources: pollers.length, least: dollarsOfAll('minimum'), most: dollarsOfAll('maximum') },
    readyFunctions: readyFunctionsCost(settings.prewarmSendFunctions),
    warm: {
      table: warmUnits('table', settings.prewarmEmailsPerSecond),
      eachIndex: warmUnits('index', settings.prewarmEmailsPerSecond),
      dollars: null,
    },
  };
}

/** Dollars a month of as many environments of `POST /emails`. */
export function readyFunctionsCost(environments: number): number {
  return dollarsOf('readyGbSecond', environments * (operationDefaults.memoryMb / 1024) * monthHours * 3600);
}

function warmUnits(of: 'table' | 'index', emailsPerSecond: number): WarmUnits {
  const set = warmThroughput(of, emailsPerSecond);
  return {
    write: (set?.writeUnitsPerSecond ?? newTable.write) - newTable.write,
    read: (set?.readUnitsPerSecond ?? newTable.read) - newTable.read,
  };
}
