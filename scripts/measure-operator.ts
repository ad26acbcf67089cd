/** `npm run measure:operator`: how long the operator's commands take, on the local run that `npm start` keeps up. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { median, table } from './bench/figures.ts';

const root = join(import.meta.dirname, '..');
const runs = 11;

/** Commands that load little, the table, most services, the SDK of one service, and that of all. */
const lines = [
  'admin --help',
  'admin workspace list --local',
  'admin workspace show --workspace demo --local',
  'admin queue list --local',
  'doctor --help',
  'doctor --local',
  'smoke --help',
];

/** Milliseconds from the start of the process to its end. */
function timeOf(line: string): number {
  const [name = '', ...args] = line.split(' ');
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(root, `bin/${name}.ts`), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: '.local/compile-cache' },
  });
  // The doctor of a local run finds alarms without subscribers.
  if (status !== 0 && line !== 'doctor --local') throw new Error(`${line} ended with ${status}: ${stderr}`);
  return Math.round(performance.now() - start);
}

const rows: string[][] = [];
for (const line of lines) {
  // The first call compiles.
  timeOf(line);
  const times = Array.from({ length: runs }, () => timeOf(line));
  rows.push([`\`${line}\``, ...[Math.min(...times), median(times), Math.max(...times)].map(String)]);
}
console.log(table([`Command, ${runs} runs`, 'Least, ms', 'Median, ms', 'Most, ms'], rows));
