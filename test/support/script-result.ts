/** The scripts of `scripts/` that print JSON, as processes: what they start is their own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** Runs a script until it ends, and shows what it says beside its result. @throws Error with its messages when it fails */
export async function scriptResult<T>(name: string, ...args: readonly string[]): Promise<T> {
  const command = [join(root, 'scripts', `${name}.ts`), ...args];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { cwd: root });
  if (stderr) console.error(stderr);
  return JSON.parse(stdout) as T;
}
