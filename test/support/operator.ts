/** `npm run admin` in this process, which works on what the environment names already. */
import { adminProgram } from '../../bin/admin/program.ts';
import { runProgram } from '../../clients/cli/src/terminal/program.ts';
import { logTo } from '../../lib/observability/log.ts';
import { recordedTerminal } from '../clients/support/recorded-terminal.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** @param args command line without node and script @param connect is called when the arguments are right */
export async function runAdmin(
  args: readonly string[],
  connect: Parameters<typeof adminProgram>[0] = async () => {},
): Promise<Ended> {
  const terminal = recordedTerminal();
  const { signal } = new AbortController();
  const code = await runProgram(adminProgram(connect), args, { terminal, signal });
  // A command sends log lines to its terminal, and is the last in its process.
  logTo((line) => process.stdout.write(line));
  return { code, out: terminal.out(), err: terminal.err() };
}

/** What a command that succeeds prints with `--json`. */
export async function adminResult(args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await runAdmin([...args, '--json']);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}
