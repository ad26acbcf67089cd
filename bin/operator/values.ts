/** Values of options that take more than a choice. */
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';

/** One of a few values, in a list of them. @throws UsageError */
export function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (!found) throw new UsageError(`--${option} is one of ${known.join(', ')}.`);
  return found;
}

/** A whole number in a range. @throws UsageError */
export function integer(option: string, value: string, min: number, max: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new UsageError(`--${option} is a whole number from ${min} to ${max}.`);
}

/** As `integer`, of an option that may be left out. @throws UsageError */
export function optionalInteger(
  option: string,
  value: string | undefined,
  min: number,
  max: number,
): number | undefined {
  return value === undefined ? undefined : integer(option, value, min, max);
}

/** A time with its offset, in Unix milliseconds. @throws UsageError */
export function time(option: string, value: string): number {
  const day = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.exec(value)?.[1];
  // Date.parse takes February 30 for March 2.
  const isDay =
    day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  const found = isDay ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(found))
    throw new UsageError(`--${option} is a time with an offset, such as 2027-01-31T00:00:00Z.`);
  return found;
}

/** A text of a bounded length. @throws UsageError */
export function boundedText(option: string, value: string, charactersMax: number): string {
  if (value.length > charactersMax)
    throw new UsageError(`--${option} has at most ${charactersMax} characters.`);
  return value;
}

const quotedMax = 60;

/** A value in a message. */
export function quoted(value: string): string {
  return `"${value.length > quotedMax ? `${value.slice(0, quotedMax)}…` : value}"`;
}
