/** Options of the operator's commands. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What the operator did wrong, one sentence; printed without a stack. */
export class Usage extends Error {}

/** The arguments as `parseArgs` gives them. @param args command line without node and script @throws Usage */
export function readArguments<const T extends Omit<ParseArgsConfig, 'args'>>(
  args: readonly string[],
  config: T,
) {
  try {
    return parseArgs<T & { args: string[] }>({ ...config, args: [...args] });
  } catch (error) {
    // Node goes on to advise on the syntax of its own parser.
    const [finding = ''] = (error as Error).message.split(/\. |\n/);
    throw new Usage(`${finding.replace(/\.$/, '')}.`, { cause: error });
  }
}

/** One of a few values. @throws Usage */
export function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (!found) throw new Usage(`--${option} is one of ${known.join(', ')}.`);
  return found;
}

/** A whole number in a range. @throws Usage */
export function integer(option: string, value: string, min: number, max: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new Usage(`--${option} is a whole number from ${min} to ${max}.`);
}

/** A time with its offset, in Unix milliseconds. @throws Usage */
export function time(option: string, value: string): number {
  const found = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(value)
    ? Date.parse(value)
    : Number.NaN;
  if (Number.isNaN(found))
    throw new Usage(`--${option} is a time with an offset, such as 2027-01-31T00:00:00Z.`);
  return found;
}

/** As `integer`, of an option that may be left out. @throws Usage */
export function optionalInteger(
  option: string,
  value: string | undefined,
  min: number,
  max: number,
): number | undefined {
  return value === undefined ? undefined : integer(option, value, min, max);
}

/** The deployment refuses what the operator asked for, one sentence. */
export class Refused extends Error {}
