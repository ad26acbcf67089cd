/**
 * Does what a newcomer does, and writes `bench/first-hour.md`: clones the repository into a new folder, installs it with
 * an empty npm cache, starts it, and pastes the printed steps into a shell until the first webhook arrives.
 *
 * `--no-clone` uses this folder as it is, and writes no page; `--keep` leaves the clone; `--free-ports` uses free ports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureInstall } from './first-hour/install.ts';
import { temporaryFolder } from './first-hour/leftovers.ts';
import { freePorts } from './first-hour/local-run.ts';
import { atPort, pasteSteps, receiverPort, startParley, stepsOf } from './first-hour/newcomer.ts';
import { type Figures, firstHourPage, megabytesMax, webhookSecondsMax } from './first-hour/page.ts';
import { Failed, startGroup } from './first-hour/process-group.ts';
import { measureStartAndMemory } from './first-hour/start-and-memory.ts';

const root = join(import.meta.dirname, '..');
const cloneSecondsMax = 120;

const { values: options } = parseArgs({
  options: {
    'no-clone': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    'free-ports': { type: 'boolean', default: false },
  },
});

// Connections of SDK clients stay open.
process.exit(await main());

/** The exit code. */
async function main(): Promise<number> {
  try {
    const port = await portForReceiver();
    if (options['no-clone']) {
      console.log(await runIn(root, port, performance.now()));
      return 0;
    }
    const figures = await firstHour(port);
    const startAndMemory = await measureStartAndMemory(console.error);
    writeFileSync(join(root, 'bench/first-hour.md'), firstHourPage(figures, startAndMemory));
    const missed = missedTargets(figures);
    for (const target of missed) console.error(target);
    return missed.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Failed ? error.message : error);
    return 1;
  }
}

/** @throws Failed where another process has the port of the receiver */
async function portForReceiver(): Promise<number> {
  const server = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options['free-ports'] ? 0 : receiverPort, () =>
        resolve((server.address() as AddressInfo).port),
      );
    });
  } catch (error) {
    throw new Failed(
      `The receiver needs port ${receiverPort} (${(error as NodeJS.ErrnoException).code}): free it, or use npm run first-hour -- --free-ports`,
    );
  } finally {
    server.close();
  }
}

async function firstHour(port: number): Promise<Figures> {
  const began = performance.now();
  // A user's folder may have a space in its name.
  const parent = temporaryFolder('parley first hour ', { keep: options.keep });
  if (options.keep) console.error(`The clone stays in ${parent.path}`);
  const folder = join(parent.path, 'parley');
  console.error('clone');
  const git = startGroup('git', ['clone', '--no-hardlinks', root, folder], { cwd: parent.path });
  await git.succeeded(cloneSecondsMax);
  const cloneSeconds = (performance.now() - began) / 1000;
  checkReadme(folder);
  console.error('npm ci');
  const install = await measureInstall(folder);
  const run = await runIn(folder, port, began);
  parent.remove();
  return { cloneSeconds, install, ...run };
}

/** @throws Failed where the README begins with other commands than this script runs */
function checkReadme(folder: string): void {
  const [, block = ''] = /```sh\n([^`]*)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
  const commands = block.split(/\n|&&/).map((command) => command.trim());
  const wanted = ['npm ci', 'npm start'];
  if (commands.filter((command) => command !== '').join('\n') === wanted.join('\n')) return;
  throw new Failed(`the README begins with other commands than ${wanted.join(', ')}:\n${block}`);
}

/** Starts Parley in a folder and follows what it prints. @param began of `webhookSeconds` */
async function runIn(folder: string, port: number, began: number) {
  console.error('npm start');
  const started = await startParley(folder, options['free-ports'] ? freePorts : []);
  try {
    const steps = stepsOf(started.greeting);
    console.error('the printed steps');
    const webhookAt = await pasteSteps(folder, options['free-ports'] ? atPort(steps, port) : steps);
    const { firstLineSeconds, readySeconds } = started;
    const webhookSeconds = (webhookAt - began) / 1000;
    return { firstLineSeconds, readySeconds, webhookSeconds, stopSeconds: await started.stop() };
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
