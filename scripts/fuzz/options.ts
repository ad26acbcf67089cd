/** Command-line options of the fuzzers. */
import { parseArgs } from 'node:util';

export interface FuzzOptions {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  readonly batch: number;
}

/**
 * Parses the arguments of the process; null: it printed the help.
 *
 * @throws Error for an invalid option
 */
export function readOptions(help: string, defaults: { count: number; batch: number }): FuzzOptions | null {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      first: { type: 'string', default: '0' },
      count: { type: 'string' },
      batch: { type: 'string', default: String(defaults.batch) },
      case: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return null;
  }
  const number = (name: 'seed' | 'first' | 'count' | 'batch' | 'case', least: number): number => {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new Error(`--${name} takes a whole number from ${least}; see --help`);
  };
  const seed = number('seed', 0);
  if (values.case !== undefined) return { seed, first: number('case', 0), count: 1, batch: 1 };
  const count = values.count === undefined ? defaults.count : number('count', 1);
  return { seed, first: number('first', 0), count, batch: number('batch', 1) };
}

/** The command of this process, for the page. */
export function commandOf(script: string): string {
  const given = process.argv.slice(2);
  return [`npm run ${script}`, ...(given.length > 0 ? ['--', ...given] : [])].join(' ');
}
