/** The commands of `bin/` as processes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../..');

export interface Outcome {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/**
 * Runs a command until it ends.
 *
 * @param name of its file in `bin/`
 * @param given.env beside what a process needs; compiled code is kept, which halves the start
 */
export async function runCommandProcess(
  name: string,
  args: readonly string[],
  given: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [join(root, 'bin', `${name}.ts`), ...args], {
    ...(given.cwd !== undefined && { cwd: given.cwd }),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(root, '.local/compile-cache'),
      ...given.env,
    },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, output, errors };
}
