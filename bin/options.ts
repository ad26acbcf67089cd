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
    const [finding = ''] = (error as Error).message.split('. ');
    throw new Usage(`${finding}.`, { cause: error });
  }
}

/** One of a few values. @throws Usage */
export function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (!found) throw new Usage(`--${option} is one of ${known.join(', ')}.`);
  return found;
}

/** Prints a record as JSON. */
export function print(record: object): void {
  console.log(JSON.stringify(record, null, 2));
}
