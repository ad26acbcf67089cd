/** Commands of the operator against a deployment, one after the other, in a thread of their own. */
import { doctorProgram } from '../../bin/doctor/program.ts';
import { runProgram } from '../../clients/cli/src/terminal/program.ts';
import { useTarget } from '../../lib/adapters/operator-target.ts';
import { recordedTerminal } from '../clients/support/recorded-terminal.ts';
import { type Ended, runAdmin } from './operator.ts';

/** @param lines of `npm run admin --`, or `doctor`; `$id` is the `id` that the last command with one printed */
export async function runCommands(lines: readonly string[]): Promise<(Ended & { readonly line: string })[]> {
  const ended: (Ended & { readonly line: string })[] = [];
  let id = '';
  for (const line of lines) {
    const args = `${line.replace('$id', id)} --region us-east-1 --json`.split(' ');
    const result = await (args[0] === 'doctor' ? doctor(args) : runAdmin(args, useTarget));
    ended.push({ line, ...result });
    id = /"id": ?"([^"]+)"/.exec(result.out)?.[1] ?? id;
  }
  return ended;
}

async function doctor([, ...args]: readonly string[]): Promise<Ended> {
  const terminal = recordedTerminal();
  const code = await runProgram(doctorProgram(), args, { terminal, signal: new AbortController().signal });
  return { code, out: terminal.out(), err: terminal.err() };
}
