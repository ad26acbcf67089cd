/** What a start that failed prints: a sentence for what the user can mend, else the whole error. */
import { Refused, UsageError } from '../../clients/cli/src/terminal/exit.ts';

export interface Failure {
  readonly text: string;
  readonly exitCode: 1 | 2;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return { text: `${error.message} See npm start -- --help.`, exitCode: 2 };
  if (error instanceof Refused) return { text: error.message, exitCode: 1 };
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  // Before the first `npm ci`, or after a change of package.json.
  if (code === 'ERR_MODULE_NOT_FOUND')
    return { text: 'A package is missing: run npm ci first.', exitCode: 1 };
  // Of the system: a full disk, a missing permission.
  if (code && syscall) return { text: `Parley cannot start: ${message}.`, exitCode: 1 };
  return { text: (error as Error).stack ?? String(error), exitCode: 1 };
}
