/** What a start that failed prints: a sentence for what the user can mend, else the whole error. */
import { Refused, Usage } from '../options.ts';

export interface Failure {
  readonly text: string;
  readonly exitCode: 1 | 2;
}

/** @param repairable further classes of errors whose message is for the user */
export function failureOf(
  error: unknown,
  repairable: readonly (new (text: string) => Error)[] = [],
): Failure {
  if (error instanceof Usage) return { text: `${error.message} See npm start -- --help.`, exitCode: 2 };
  if ([Refused, ...repairable].some((type) => error instanceof type)) {
    return { text: (error as Error).message, exitCode: 1 };
  }
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  // Of the system: a full disk, a missing permission.
  if (code && syscall) return { text: `Parley cannot start: ${message}.`, exitCode: 1 };
  return { text: (error as Error).stack ?? String(error), exitCode: 1 };
}
