/** How a program ends: exit codes, and the errors that a person can mend. */

/** 0: done. 1: it failed, or was refused. 2: the command line is wrong. 130: interrupted. */
export type ExitCode = 0 | 1 | 2 | 130;

/** The command line is wrong: one sentence. Exit code 2. */
export class UsageError extends Error {}

/** The work cannot be done: one sentence, and what to do. Exit code 1. */
export class Refused extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** What a person is told of an error. */
export interface Explanation {
  /** One sentence. */
  readonly message: string;
  /** Stable, for programs. */
  readonly code?: string | undefined;
  readonly status?: number | null | undefined;
  /** The refused parts of a request. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[] | undefined;
  readonly requestId?: string | null | undefined;
  /** What to do, one sentence. */
  readonly hint?: string | undefined;
  /** Default: 1. */
  readonly exitCode?: ExitCode;
}
