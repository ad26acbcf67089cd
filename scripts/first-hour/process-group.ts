/** A command as a user runs it in a terminal: in a process group of its own, with the environment of the user. */
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { atExit } from './leftovers.ts';

const pollMs = 10;
const endSecondsMax = 30;

/** What stopped the script; printed without a stack. */
export class Failed extends Error {}

export interface ProcessGroup {
  /** Of the first process, and of the group. */
  readonly pid: number;
  /** All that was printed. */
  output(): string;
  write(text: string): void;
  /**
   * Waits until a pattern is printed, below what the wait before has found.
   *
   * @throws Failed with the output, where the command ends or the time is over before
   */
  until(pattern: RegExp, secondsMax: number): Promise<void>;
  /** Waits for exit code 0. @throws Failed with the output, where the command fails or the time is over before */
  succeeded(secondsMax: number): Promise<void>;
  /** Sends a signal to all processes, as Ctrl-C does, and waits until their output is closed. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** @param given.env beside that of the user */
export function startGroup(
  command: string,
  args: readonly string[],
  given: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): ProcessGroup {
  const child = spawn(command, args, {
    cwd: given.cwd,
    env: { ...userEnvironment(), ...given.env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { pid = 0 } = child;
  let output = '';
  let found = 0;
  let outcome: string | null = null;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  // The command has ended: `outcome` says so.
  child.stdin.on('error', () => {});
  child.once('error', ({ message }) => (outcome = `cannot run: ${message}`));
  child.once('close', (code, signal) => (outcome ??= `ended with ${code ?? signal}`));
  const kill = (signal: NodeJS.Signals) => {
    if (pid !== 0 && outcome === null) killGroup(pid, signal);
  };
  atExit(() => kill('SIGKILL'));
  const failed = (what: string) => new Failed(`${[command, ...args].join(' ')} ${what}\n${output}`);
  const over = async (isOver: () => boolean, secondsMax: number) => {
    const deadline = performance.now() + secondsMax * 1000;
    while (!isOver() && performance.now() < deadline) await wait(pollMs);
    return isOver();
  };
  return {
    pid,
    output: () => output,
    write: (text) => void child.stdin.write(text),
    async until(pattern, secondsMax) {
      const match = () => pattern.exec(output.slice(found));
      await over(() => match() !== null || outcome !== null, secondsMax);
      const { index, 0: text } = match() ?? {};
      if (index === undefined || text === undefined)
        throw failed(outcome ?? `did not print ${pattern} within ${secondsMax} s:`);
      found += index + text.length;
    },
    async succeeded(secondsMax) {
      const isOver = await over(() => outcome !== null, secondsMax);
      if (!isOver) throw failed(`did not end within ${secondsMax} s:`);
      if (child.exitCode !== 0) throw failed(`${outcome}:`);
    },
    async end(signal) {
      kill(signal);
      if (await over(() => outcome !== null, endSecondsMax)) return;
      kill('SIGKILL');
      throw failed(`did not end within ${endSecondsMax} s of ${signal}:`);
    },
  };
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Its processes have just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Without what `npm run` adds: the packaged Node before the machine's own, and settings of this project. */
function userEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'));
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return { ...Object.fromEntries(kept), PATH: path.join(':') };
}
