/** What a newcomer does in a fresh clone: starts Parley and pastes the printed steps into a second terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Longer than any machine needs that shall be measured. */
const printMsMax = 300_000;

/** Seconds since the command. */
export interface Start {
  /** Until the first line of the progress. */
  readonly firstLineSeconds: number;
  readonly readySeconds: number;
  /** What was printed. */
  readonly greeting: string;
  /** Presses Ctrl-C. @returns seconds until all has ended */
  stop(): Promise<number>;
}

/** @param args of `npm start` @throws Error with the output, where it ends before it is ready */
export async function startParley(folder: string, args: readonly string[]): Promise<Start> {
  const began = performance.now();
  const seconds = (since = began) => (performance.now() - since) / 1000;
  const npm = runInGroup('npm', ['start', ...(args.length > 0 ? ['--', ...args] : [])], folder);
  let firstLineSeconds = 0;
  const greeting = await untilPrinted(npm, /Press Ctrl-C to stop\./, (output) => {
    if (firstLineSeconds === 0 && output.includes('…')) firstLineSeconds = seconds();
  });
  return {
    firstLineSeconds,
    readySeconds: seconds(),
    greeting,
    async stop() {
      const asked = performance.now();
      await endGroup(npm, 'SIGINT');
      return seconds(asked);
    },
  };
}

/** The commands of each step that a greeting prints, without the titles above them. @throws Error where there are none */
export function stepsOf(greeting: string): string[] {
  const [, after = ''] = greeting.split('In a second terminal');
  const blocks = after.split('\n\n').slice(1, -1);
  if (blocks.length === 0) throw new Error(`npm start printed no steps:\n${greeting}`);
  return blocks.map((block) => block.slice(block.indexOf('\n') + 1));
}

/**
 * Pastes steps into a shell, each text when what it waits for is printed.
 *
 * @returns when the pattern of each text was printed, as `performance.now()`
 * @throws Error with what was printed, where a pattern is not
 */
export async function pasteSteps(
  folder: string,
  texts: readonly { readonly commands: string; readonly until: RegExp }[],
): Promise<readonly number[]> {
  const shell = runInGroup('bash', [], folder);
  try {
    const printedAt: number[] = [];
    for (const { commands, until } of texts) {
      const printed = untilPrinted(shell, until, () => {});
      shell.stdin?.write(`${commands}\n`);
      await printed;
      printedAt.push(performance.now());
    }
    return printedAt;
  } finally {
    await endGroup(shell, 'SIGTERM');
  }
}

/** As a terminal does, in a group of its own; with the environment of a user, not of `npm run`. */
function runInGroup(command: string, args: readonly string[], cwd: string): ChildProcess {
  return spawn(command, args, {
    cwd,
    env: userEnvironment(),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function userEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'));
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return { ...Object.fromEntries(kept), PATH: path.join(':') };
}

/** @throws Error with the output, where the process ends or the pattern is not printed in time */
async function untilPrinted(
  child: ChildProcess,
  pattern: RegExp,
  onOutput: (output: string) => void,
): Promise<string> {
  const found = Promise.withResolvers<string>();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
      onOutput(output);
      if (pattern.test(output)) found.resolve(output);
    });
  }
  child.once('error', found.reject);
  child.once('close', (code) =>
    found.reject(new Error(`${child.spawnfile} ended with ${code} too early:\n${output}`)),
  );
  const late = () =>
    found.reject(new Error(`${pattern} was not printed in ${printMsMax / 1000} s:\n${output}`));
  const timer = setTimeout(late, printMsMax);
  return await found.promise.finally(() => clearTimeout(timer));
}

async function endGroup(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, signal);
  await closed;
}
