/** The options of `workspace limits`. */
import type { OptionSpecs, ValuesOf } from '../../clients/cli/src/terminal/command.ts';
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { optionalInteger } from '../operator/values.ts';

const limitMax = 999_999_999;
const number = { type: 'string' } as const;

export const limitOptions = {
  'units-per-second': { ...number, describe: 'units of the request budget that refill in a second' },
  capacity: { ...number, describe: 'units that can be spent at once' },
  'in-flight': { ...number, describe: 'units of requests that run at the same time' },
  'recipients-per-hour': { ...number, describe: 'recipients an hour, without a warm-up' },
  'recipients-per-day': { ...number, describe: 'recipients a day, without a warm-up' },
  default: { choices: ['budget', 'recipients', 'all'], describe: 'back to those of the deployment' },
} as const satisfies OptionSpecs;

/** The changes that are asked for. @throws UsageError */
export function readLimits(values: ValuesOf<typeof limitOptions>) {
  const read = (option: Exclude<keyof typeof limitOptions, 'default'>) =>
    optionalInteger(option, values[option], 1, limitMax);
  const budget = {
    unitsPerSecond: read('units-per-second'),
    capacity: read('capacity'),
    inFlight: read('in-flight'),
  };
  const caps = { perHour: read('recipients-per-hour'), perDay: read('recipients-per-day') };
  const reset = values.default;
  const resets = {
    budget: reset === 'budget' || reset === 'all',
    caps: reset === 'recipients' || reset === 'all',
  };
  const isGiven = (group: object) => Object.values(group).some((value) => value !== undefined);
  if ((resets.budget && isGiven(budget)) || (resets.caps && isGiven(caps))) {
    throw new UsageError(`--default ${reset} resets what another option sets.`);
  }
  return { budget, caps, resets };
}
