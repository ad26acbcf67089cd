/** Measures each function as it is deployed: what it loads at a cold start, and how long Node takes to import that. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '../../functions/operations.ts';
import { publicFunctions } from '../../functions/public.ts';
import { workers } from '../../functions/workers.ts';
import { bundleFunctions, bundleSizes } from '../../lib/constructs/bundle.ts';
import { functionName } from '../../lib/http/contract.ts';
import { median } from './figures.ts';

export interface FunctionFigures {
  readonly name: string;
  /** An operation that only reads: those have the lower bound. */
  readonly reads: boolean;
  readonly kilobytes: number;
  readonly importMs: number;
}

const script = `
const startedAt = performance.now();
await import(process.argv[1]);
console.log(performance.now() - startedAt);
process.exit();
`;

/**
 * @param outdir where the bundle goes
 * @param runs fresh processes for each function, of which the median counts
 */
export async function measureFunctions(
  outdir: string,
  runs: number,
  progress: (text: string) => void,
): Promise<FunctionFigures[]> {
  const sizes = bundleSizes(bundleFunctions({ outdir }));
  const all = [
    ...operations.map(({ id, method }) => ({ id, reads: method === 'GET' || method === 'HEAD' })),
    ...workers.map(({ id }) => ({ id, reads: false })),
    ...publicFunctions.map(({ id }) => ({ id, reads: false })),
  ];
  const figures: FunctionFigures[] = [];
  for (const { id, reads } of all) {
    const name = functionName(id);
    progress(name);
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await importMs(join(outdir, `${name}.mjs`)));
    figures.push({ name, reads, kilobytes: (sizes.get(name) ?? 0) / 1024, importMs: median(times) });
  }
  return figures;
}

async function importMs(file: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
    file,
  ]);
  return Number(stdout);
}
