import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../bin/local/failure.ts';
import { Refused, UsageError } from '../../../clients/cli/src/terminal/exit.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}

describe('failureOf', () => {
  it.each([
    [new UsageError('--port is missing.'), '--port is missing. See npm start -- --help.', 2],
    [new Refused('Port 1 is in use.'), 'Port 1 is in use.', 1],
    [
      Object.assign(new Error("Cannot find package 'zod'"), { code: 'ERR_MODULE_NOT_FOUND' }),
      'A package is missing: run npm ci first.',
      1,
    ],
    [
      thrownBy(() => mkdirSync('/dev/null/x')),
      "Parley cannot start: ENOTDIR: not a directory, mkdir '/dev/null/x'.",
      1,
    ],
  ])('is a sentence for what the user can mend', (error, text, exitCode) => {
    expect(failureOf(error)).toEqual({ text, exitCode });
  });

  it('is the whole error for a fault of the program', () => {
    expect(failureOf(new Error('no such case')).text).toMatch(/^Error: no such case\n {4}at /);
  });
});
