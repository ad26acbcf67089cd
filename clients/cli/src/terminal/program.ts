/** Runs a command line from its words to its exit code: help, errors in words, interruption. */
import { cleanLine, toJson } from './clean.ts';
import type { Context } from './command.ts';
import { type ExitCode, type Explanation, Refused, UsageError } from './exit.ts';
import { CommandLineError, type Grammar, parse } from './parse.ts';
import { processTerminal, type Terminal } from './terminal.ts';

export interface Program extends Grammar {
  /** Puts the errors of the program's own libraries into words; null: an error of the program itself. */
  readonly explain?: (error: unknown) => Explanation | null;
}

/**
 * Runs a command line.
 *
 * @param args command line without node and script
 * @param signal is aborted when the person interrupts
 */
export async function runProgram(
  program: Program,
  args: readonly string[],
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
): Promise<ExitCode> {
  let path = program.name;
  try {
    const parsed = await parse(program, args, terminal.columns);
    if ('text' in parsed) {
      if (parsed.text) terminal.print(parsed.text);
      return 0;
    }
    const { command, values } = parsed;
    path = parsed.path;
    const work = command.run(values, { terminal, signal, command: path });
    const code = await (command.endsItself ? work : Promise.race([work, interruption(signal)]));
    return code ?? 0;
  } catch (error) {
    if (signal.aborted) return 130;
    const explanation = explanationOf(error, program, path);
    if (!explanation) throw error;
    tell(explanation, terminal, isJson(args));
    return explanation.exitCode ?? 1;
  }
}

/** Runs the command line of this process, and ends it. */
export async function runMain(program: Program, args = process.argv.slice(2)): Promise<never> {
  const stop = new AbortController();
  let exitCode: number = 130;
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(name, () => {
      // The second one does not wait for anything.
      if (stop.signal.aborted) process.exit(code);
      exitCode = code;
      stop.abort();
    });
  }
  const terminal = processTerminal(() => {
    exitCode = 0;
    stop.abort();
  });
  const code = await runProgram(program, args, { terminal, signal: stop.signal });
  await flushed();
  process.exit(code === 130 ? exitCode : code);
}

/** A pipe may still hold what was written. */
async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.destroyed) await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
}

function interruption(signal: AbortSignal): Promise<ExitCode> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(130);
    signal.addEventListener('abort', () => resolve(130), { once: true });
  });
}

/** Also where the command line could not be read. */
const isJson = (args: readonly string[]): boolean => args.includes('--json');

function explanationOf(error: unknown, program: Program, reached: string): Explanation | null {
  if (error instanceof UsageError) {
    const path = error instanceof CommandLineError ? error.path : reached;
    return { message: error.message, code: 'usage', hint: `See ${path} --help.`, exitCode: 2 };
  }
  if (error instanceof Refused) return { message: error.message, hint: error.hint };
  return program.explain?.(error) ?? null;
}

/** An error on stderr: lines for people, or a JSON line for programs. */
function tell(explanation: Explanation, terminal: Terminal, isForPrograms: boolean): void {
  const { message, code, status, issues = [], requestId, hint } = explanation;
  if (isForPrograms) {
    const error = { code: code ?? 'refused', status, detail: message, issues, request_id: requestId, hint };
    terminal.note(toJson({ error }, 0));
    return;
  }
  const { red, dim } = terminal.noteColors;
  const isNamed = code !== undefined && code !== 'usage';
  terminal.note(`${red('error:')} ${cleanLine(message)}${isNamed ? dim(` (${cleanLine(code)})`) : ''}`);
  for (const issue of issues) terminal.note(`  ${cleanLine(`${issue.path}: ${issue.message}`)}`);
  if (hint) terminal.note(`  ${cleanLine(hint)}`);
  if (requestId) terminal.note(dim(`  request ${cleanLine(requestId)}`));
}
