/** What a newcomer does in a fresh clone: starts Parley and pastes the printed steps into a second terminal. */
import { Failed, startGroup } from './process-group.ts';

/** A busy machine takes 100 s to start. */
const startSecondsMax = 240;
const stepSecondsMax = 60;
/** Of `examples/receiver.mjs`. */
export const receiverPort = 4000;

/** What each step prints; the first prints nothing. */
const printed = [/^/, /listening/, /"id":"eml_/, /email\.received Thank you!/, /"message_count":2\b/];
const webhookStep = 3;

export interface Start {
  readonly pid: number;
  /** Seconds from the command until the first line of the progress. */
  readonly firstLineSeconds: number;
  readonly readySeconds: number;
  /** What was printed. */
  readonly greeting: string;
  /** Presses Ctrl-C. @returns seconds until all has ended */
  stop(): Promise<number>;
}

/** @param args of `npm start` @throws Failed with the output, where it is not ready */
export async function startParley(folder: string, args: readonly string[]): Promise<Start> {
  const began = performance.now();
  const npm = startGroup('npm', ['start', ...(args.length > 0 ? ['--', ...args] : [])], { cwd: folder });
  await npm.until(/…/, startSecondsMax);
  const firstLineSeconds = secondsSince(began);
  await npm.until(/Press Ctrl-C to stop\./, startSecondsMax);
  return {
    pid: npm.pid,
    firstLineSeconds,
    readySeconds: secondsSince(began),
    greeting: npm.output(),
    async stop() {
      const asked = performance.now();
      await npm.end('SIGINT');
      return secondsSince(asked);
    },
  };
}

/** The commands of each step that a greeting prints, without the titles above them. @throws Failed where there are others */
export function stepsOf(greeting: string): string[] {
  const [, after = ''] = /In a second terminal[^\n]*\n\n(.*)\n\nPress Ctrl-C/s.exec(greeting) ?? [];
  const blocks = after.split('\n\n');
  if (blocks.length !== printed.length)
    throw new Failed(`npm start printed ${blocks.length} steps instead of ${printed.length}:\n${greeting}`);
  return blocks.map((block) => block.slice(block.indexOf('\n') + 1));
}

/** The same steps with the receiver at another port. @throws Failed where they do not start it */
export function atPort(steps: readonly string[], port: number): string[] {
  const start = 'node examples/receiver.mjs &';
  if (!steps.some((step) => step.includes(start))) throw new Failed(`no step has ${start}`);
  const program = `$(sed 's/\\b${receiverPort}\\b/${port}/' examples/receiver.mjs)`;
  return steps.map((step) =>
    step
      .replaceAll(new RegExp(`127\\.0\\.0\\.1:${receiverPort}\\b`, 'g'), `127.0.0.1:${port}`)
      .replace(start, `node --input-type=module -e "${program}" &`),
  );
}

/**
 * Pastes the steps into a shell, each when the one before has printed what it should.
 *
 * @returns when the webhook arrived, as `performance.now()`
 * @throws Failed with what was printed, where a step prints something else
 */
export async function pasteSteps(folder: string, steps: readonly string[]): Promise<number> {
  const shell = startGroup('bash', [], { cwd: folder });
  const printedAt: number[] = [];
  try {
    for (const [step, pattern] of printed.entries()) {
      shell.write(`${steps[step]}\n`);
      await shell.until(pattern, stepSecondsMax);
      printedAt.push(performance.now());
    }
    return printedAt[webhookStep] ?? Number.NaN;
  } finally {
    await shell.end('SIGTERM');
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}
