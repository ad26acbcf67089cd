/**
 * Runs each project of `npm test`, or of `npm run test:all` with `--all`, and prints, as Markdown, its slowest files and where its
 * processor time goes.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { mainProjects, otherProjects } from '../test/support/sets.ts';
import { type ProcessorTimes, sampleProcessorTimes } from './suite/processor-times.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
const projects = Object.keys(values.all ? { ...mainProjects, ...otherProjects } : mainProjects);
const slowestMax = 15;

const results = z.object({
  numTotalTests: z.int(),
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
});

interface Measured {
  readonly project: string;
  readonly seconds: number;
  readonly tests: number;
  readonly files: readonly { readonly name: string; readonly seconds: number }[];
  /** Seconds by kind of thread; empty where the system has no /proc. */
  readonly processor: ProcessorTimes;
}

const measured: Measured[] = [];
for (const project of projects) {
  console.error(`running the project ${project}`);
  measured.push(await measure(project));
}
console.log(page(measured));

async function measure(project: string): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-suite-'));
  const outputFile = join(folder, 'results.json');
  const startedAt = performance.now();
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--project', project, '--reporter=json', `--outputFile=${outputFile}`];
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const processor = await sampleProcessorTimes(child);
    if (!existsSync(outputFile)) throw new Error(`Vitest ended without results for the project ${project}`);
    const { numTotalTests, testResults } = results.parse(JSON.parse(readFileSync(outputFile, 'utf8')));
    return {
      project,
      seconds: (performance.now() - startedAt) / 1000,
      tests: numTotalTests,
      files: testResults.map(({ name, startTime, endTime }) => ({
        name: relative(root, name),
        seconds: (endTime - startTime) / 1000,
      })),
      processor,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function page(all: readonly Measured[]): string {
  const kinds = [...new Set(all.flatMap(({ processor }) => Object.keys(processor)))];
  const totalOf = ({ processor }: Measured) => Object.values(processor).reduce((sum, one) => sum + one, 0);
  const row = (name: string, values: readonly number[]) => {
    const sum = values.reduce((total, one) => total + one, 0);
    return { sum, text: `| ${[name, ...[...values, sum].map((one) => one.toFixed(0))].join(' | ')} |` };
  };
  const rows = kinds
    .map((kind) =>
      row(
        kind,
        all.map(({ processor }) => processor[kind] ?? 0),
      ),
    )
    .sort((a, b) => b.sum - a.sum);
  const files = all
    .flatMap(({ project, files: own }) => own.map((file) => ({ ...file, project })))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, slowestMax);
  return [
    `Measured by \`npm run measure:suite\` on ${new Date().toISOString().slice(0, 10)} with ${availableParallelism()} cores and ` +
      `Node ${process.versions.node}, one project at a time.`,
    '',
    `| Seconds | ${all.map(({ project, tests }) => `${project} (${tests} tests)`).join(' | ')} | all |`,
    `|---|${'---|'.repeat(all.length + 1)}`,
    row(
      'elapsed',
      all.map(({ seconds }) => seconds),
    ).text,
    row('**processor time**', all.map(totalOf)).text,
    ...rows.map(({ text }) => text),
    '',
    '| Slowest files | Project | Seconds |',
    '|---|---|---|',
    ...files.map(({ name, project, seconds }) => `| \`${name}\` | ${project} | ${seconds.toFixed(1)} |`),
  ].join('\n');
}
