/**
 * Does what a newcomer does, and writes `bench/first-hour.md`: clones the repository into a new folder, installs it with
 * an empty npm cache, starts it, and pastes the printed steps into a shell until the first webhook arrives.
 *
 * `--no-clone` uses this folder as it is; `--keep` leaves the clone; `--free-ports` starts on free ports.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { portOptions } from '../bin/local/options.ts';
import { measureInstall } from './first-hour/install.ts';
import { pasteSteps, startParley, stepsOf } from './first-hour/newcomer.ts';
import { type Figures, firstHourPage, megabytesMax, webhookSecondsMax } from './first-hour/page.ts';
import { measureStartAndMemory } from './first-hour/start-and-memory.ts';

const root = join(import.meta.dirname, '..');

const { values: options } = parseArgs({
  options: {
    'no-clone': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    'free-ports': { type: 'boolean', default: false },
  },
});

if (options['no-clone']) {
  console.log(await runIn(root));
} else {
  const figures = await firstHour();
  const startAndMemory = await measureStartAndMemory(console.error);
  writeFileSync(join(root, 'bench/first-hour.md'), firstHourPage(figures, startAndMemory));
  const missed = missedTargets(figures);
  for (const target of missed) console.error(target);
  // Connections of SDK clients stay open.
  process.exit(missed.length === 0 ? 0 : 1);
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
    const steps = stepsOf(started.greeting);
    const [webhookAt = Number.NaN] = await pasteSteps(folder, [
      { commands: steps.slice(0, -1).join('\n'), until: /email\.received Thank you!/ },
      { commands: steps.slice(-1).join('\n'), until: /"message_count":2\b/ },
    ]);
    const { firstLineSeconds, readySeconds } = started;
    return {
      firstLineSeconds,
      readySeconds,
      webhookAt,
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
