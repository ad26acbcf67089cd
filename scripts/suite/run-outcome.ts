/** What the output of a run of the test suite tells. */

export interface RunOutcome {
  readonly isGreen: boolean;
  /** As the reporter of `vitest.config.ts` prints them; null: the run ended before, as at a finding of the linter. */
  readonly counts: string | null;
  readonly seconds: number;
  /** Names of the tests and files that failed, each once. */
  readonly failures: readonly string[];
}

export function outcomeOf(output: string, hasSucceeded: boolean, seconds: number): RunOutcome {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
  const lines = output.replace(/\u001b\[[\d;]*m/g, '').split('\n');
  const counts = lines.findLast((line) => /^\d+ passed, \d+ failed, \d+ skipped$/.test(line)) ?? null;
  const failures = lines.flatMap((line) => /^ *FAIL +(.+?) *$/.exec(line)?.[1] ?? []);
  return {
    isGreen: hasSucceeded && counts !== null && / 0 failed,/.test(counts),
    counts,
    seconds,
    failures: [...new Set(failures)],
  };
}
