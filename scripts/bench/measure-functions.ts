/** Measures what a cold start loads: the bundle of each function, and how long a fresh Node takes until the handler is there. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '../../functions/operations.ts';
import { publicFunctions } from '../../functions/public.ts';
import { workers } from '../../functions/workers.ts';
import { bundleFunctions, bundleSizes } from '../../lib/constructs/bundle.ts';
import { functionName } from '../../lib/http/contract.ts';
import { operationDefaults } from '../../lib/stacks/operation-defaults.ts';
import { startsFast } from './bundle-bounds.ts';
import { quantile } from './figures.ts';

export interface FunctionFigures {
  readonly name: string;
  /** Whether the lower bound of sizes holds. */
  readonly isReading: boolean;
  readonly memoryMb: number;
  readonly kilobytes: number;
  readonly importMs: number;
  /** Processor time of the whole process, from its start until the handler is loaded. */
  readonly startCpuMs: number;
  /** The same of a handler that imports nothing. */
  readonly helloCpuMs: number;
}

const script = `
const startedAt = performance.now();
await import(process.argv[1]);
const importMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ importMs, cpuMs: (user + system) / 1000 }));
process.exit();
`;

const hello = `export const handler = async () => ({ statusCode: 200, body: 'Hello from Lambda!' });\n`;

/**
 * @param outdir where the bundle goes
 * @param runs fresh processes for each function, of which the lower quartile counts; as many of a handler that imports nothing, in between
 */
export async function measureFunctions(
  outdir: string,
  runs: number,
  progress: (text: string) => void,
): Promise<FunctionFigures[]> {
  const sizes = bundleSizes(bundleFunctions({ outdir }));
  const helloFile = join(outdir, 'hello.mjs');
  writeFileSync(helloFile, hello);
  const all = [
    ...operations.map((one) => ({
      id: one.id,
      isReading: startsFast(one),
      memoryMb: one.memoryMb ?? operationDefaults.memoryMb,
    })),
    ...[...workers, ...publicFunctions.filter(({ hasOwnCode }) => !hasOwnCode)].map(({ id, memoryMb }) => ({
      id,
      isReading: false,
      memoryMb,
    })),
  ];
  const hellos: Start[] = [];
  const measured: { readonly name: string; readonly starts: readonly Start[] }[] = [];
  for (const { id } of all) {
    const name = functionName(id);
    progress(name);
    const starts: Start[] = [];
    for (let run = 0; run < runs; run++) starts.push(await start(join(outdir, `${name}.mjs`)));
    hellos.push(await start(helloFile));
    measured.push({ name, starts });
  }
  const helloCpuMs = lowerQuartile(hellos.map(({ cpuMs }) => cpuMs));
  return measured.map(({ name, starts }, at) => ({
    name,
    isReading: all[at]?.isReading ?? false,
    memoryMb: all[at]?.memoryMb ?? Number.NaN,
    kilobytes: (sizes.get(name) ?? 0) / 1024,
    importMs: lowerQuartile(starts.map(({ importMs }) => importMs)),
    startCpuMs: lowerQuartile(starts.map(({ cpuMs }) => cpuMs)),
    helloCpuMs,
  }));
}

interface Start {
  readonly importMs: number;
  readonly cpuMs: number;
}

async function start(file: string): Promise<Start> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
    file,
  ]);
  return JSON.parse(stdout) as Start;
}

const lowerQuartile = (values: readonly number[]): number => quantile(values, 0.25);
