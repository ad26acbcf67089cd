/**
 * Runs the test suite again and again, also beside busy processes, and prints which runs and which tests failed. Arguments after a
 * second `--` are those of Vitest: `npm run test:repeat -- --script test:all -- --project cloud --sequence.shuffle.files`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './bench/figures.ts';
import { outcomeOf, type RunOutcome } from './suite/run-outcome.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How often. */
    runs: { type: 'string', default: '20' },
    /** The npm script: `test` or `test:all`. */
    script: { type: 'string', default: 'test' },
    /** Busy processes beside it. */
    load: { type: 'string', default: '0' },
  },
});
const [runs, load] = [Number(values.runs), Number(values.load)];
const folder = mkdtempSync(join(tmpdir(), 'parley-repeat-'));

const busy: readonly ChildProcess[] = Array.from({ length: load }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
process.on('exit', endLoad);
process.on('SIGINT', () => process.exit(130));

const outcomes: RunOutcome[] = [];
for (let number = 1; number <= runs; number++) {
  const outcome = await run(number);
  outcomes.push(outcome);
  console.log(`run ${number}: ${lineOf(outcome)}`);
}
console.log(`\n${tableOf(outcomes)}`);
process.exitCode = outcomes.every(({ isGreen }) => isGreen) ? 0 : 1;
endLoad();

function endLoad(): void {
  for (const child of busy) child.kill('SIGKILL');
}

async function run(number: number): Promise<RunOutcome> {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', values.script, '--', ...positionals], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  const output = Buffer.concat(chunks).toString();
  const outcome = outcomeOf(output, code === 0, (performance.now() - startedAt) / 1000);
  if (!outcome.isGreen) writeFileSync(join(folder, `run-${number}.log`), output);
  return outcome;
}

function lineOf({ isGreen, counts, seconds, failures }: RunOutcome): string {
  const parts = [isGreen ? 'green' : 'RED', counts ?? 'ended without counts', `${seconds.toFixed(0)} s`];
  return [parts.join(', '), ...failures.map((name) => `  ${name}`)].join('\n');
}

function tableOf(all: readonly RunOutcome[]): string {
  const seconds = all.map((one) => one.seconds);
  const red = all.filter(({ isGreen }) => !isGreen);
  const failed = Map.groupBy(
    red.flatMap(({ failures }) => failures),
    (name) => name,
  );
  return [
    '| Script | Busy processes | Runs | Green | Seconds: least | median | most |',
    '|---|---|---|---|---|---|---|',
    `| ${values.script} | ${load} | ${all.length} | ${all.length - red.length} | ` +
      `${[Math.min(...seconds), median(seconds), Math.max(...seconds)].map((one) => one.toFixed(0)).join(' | ')} |`,
    ...[...failed].map(([name, { length }]) => `\nfailed in ${length}: ${name}`),
    ...(red.length > 0 ? [`\nThe output of red runs is in ${folder}.`] : []),
  ].join('\n');
}
