/**
 * Does what a newcomer does, and writes `bench/first-hour.md`: clones the repository into a new folder, installs it with
 * an empty npm cache, starts it, and pastes the printed steps into a shell until the first webhook arrives.
 *
 * `--no-clone` uses this folder as it is; `--keep` leaves the clone; `--free-ports` starts on free ports.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { portOptions } from '../bin/local/options.ts';
import { type Install, measureInstall } from './first-hour/install.ts';
import { pasteSteps, startParley, stepsOf } from './first-hour/newcomer.ts';

const webhookSecondsMax = 180;
const megabytesMax = 600;
const root = join(import.meta.dirname, '..');

const { values: options } = parseArgs({
  options: {
    'no-clone': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    'free-ports': { type: 'boolean', default: false },
  },
});

interface Figures {
  readonly cloneSeconds: number;
  readonly install: Install;
  readonly firstLineSeconds: number;
  readonly readySeconds: number;
  /** Since the beginning of the clone. */
  readonly webhookSeconds: number;
  readonly stopSeconds: number;
}

if (options['no-clone']) {
  console.log(await runIn(root));
} else {
  const figures = await firstHour();
  writeFileSync(join(root, 'bench/first-hour.md'), page(figures));
  const missed = missedTargets(figures);
  for (const target of missed) console.error(target);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

async function firstHour(): Promise<Figures> {
  const began = performance.now();
  // A user's folder may have a space in its name.
  const parent = mkdtempSync(join(tmpdir(), 'parley first hour '));
  const folder = join(parent, 'parley');
  try {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, folder], { stdio: 'inherit' });
    const cloneSeconds = (performance.now() - began) / 1000;
    checkReadme(folder);
    const install = await measureInstall(folder);
    const { webhookAt, ...run } = await runIn(folder);
    return { cloneSeconds, install, ...run, webhookSeconds: (webhookAt - began) / 1000 };
  } finally {
    if (options.keep) console.log(`The clone is ${folder}`);
    else rmSync(parent, { recursive: true });
  }
}

/** @throws Error where the README begins with other commands than this script runs */
function checkReadme(folder: string): void {
  const [, block = ''] = /```sh\n([^`]*)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
  const commands = block.split(/\n|&&/).map((command) => command.trim());
  const wanted = ['npm ci', 'npm start'];
  if (commands.filter((command) => command !== '').join('\n') === wanted.join('\n')) return;
  throw new Error(`the README begins with other commands than ${wanted.join(', ')}:\n${block}`);
}

/** Starts Parley in a folder and follows what it prints. @returns `webhookAt`: when the first webhook arrived */
async function runIn(folder: string) {
  const args = options['free-ports'] ? portOptions.flatMap((option) => [`--${option}`, '0']) : [];
  const started = await startParley(folder, args);
  try {
    const { atMs } = await pasteSteps(folder, stepsOf(started.greeting), [
      /^email\.received Thank you!$/m,
      /"message_count":2\b/,
    ]);
    const { firstLineSeconds, readySeconds } = started;
    return {
      firstLineSeconds,
      readySeconds,
      webhookAt: atMs[0] ?? Number.NaN,
      stopSeconds: await started.stop(),
    };
  } catch (error) {
    await started.stop();
    throw error;
  }
}

function missedTargets({ webhookSeconds, install }: Figures): string[] {
  return [
    ...(webhookSeconds <= webhookSecondsMax ? [] : [`the first webhook took ${webhookSeconds.toFixed(0)} s`]),
    ...install.warnings.map((warning) => `npm ci warns: ${warning}`),
    ...(install.megabytes <= megabytesMax ? [] : [`node_modules has ${install.megabytes.toFixed(0)} MB`]),
  ];
}

function page(figures: Figures): string {
  const { cloneSeconds, install, firstLineSeconds, readySeconds, webhookSeconds, stopSeconds } = figures;
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  const rows = [
    ['clone', seconds(cloneSeconds), ''],
    ['`npm ci`, empty cache', seconds(install.seconds), ''],
    ['its warnings', String(install.warnings.length), '0'],
    ['`node_modules`', `${install.megabytes.toFixed(0)} MB`, `${megabytesMax} MB`],
    ['`npm start`: first line', seconds(firstLineSeconds), '1 s'],
    ['ready, nothing built before', seconds(readySeconds), '10 s'],
    ['**from the clone to the first webhook**', `**${seconds(webhookSeconds)}**`, `${webhookSecondsMax} s`],
    ['Ctrl-C until all has ended', seconds(stopSeconds), '1 s'],
  ];
  const node = execFileSync('node', ['--version'], { encoding: 'utf8' }).trim();
  return `# The first hour

Written by \`npm run first-hour\` on ${new Date().toISOString().slice(0, 10)}: a fresh clone, \`npm ci\` with an empty npm cache,
\`npm start\`, and its printed steps pasted into a shell, until the first webhook arrived. ${availableParallelism()} cores, Node ${node.slice(1)};
the times hold for this machine.

| | Measured | Target |
|---|---:|---:|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
}
