/** Projects of the test suite: `rules` needs no cloud; `cloud` and `clock` run on the local cloud of their worker. */
import { defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';

/** Folders whose tests use a local cloud; so do files named `*.cloud.test.ts` elsewhere. */
const onCloud = [
  'test/{faults,functions,operations,scenarios,services,storage}/**/*.test.ts',
  'test/**/*.cloud.test.ts',
];
/** Files that move the clock. They share a cloud with each other only: moving the clock fires timers that other files left. */
const movesClock = ['test/**/*.clock.test.ts'];
/** Files that move the clock and take minutes: `npm run test:long`. */
const long = ['test/**/*.long.test.ts'];
const isLong = process.env.PARLEY_LONG === 'on';

/** Prints the totals as the last line, for programs. */
const totals: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state] += 1;
      // A file that fails to load has no tests.
      if (tests.length === 0 && module.state() === 'failed') counts.failed += 1;
    }
    console.log(
      `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped + counts.pending} skipped`,
    );
  },
};

export default defineConfig({
  test: {
    reporters: ['default', totals],
    pool: 'threads',
    // A fresh module graph for each file costs ten times as much as the tests (measured).
    isolate: false,
    // All projects share one queue and two workers, each with a cloud of its own, so that both cores are busy until the end.
    // Vitest sorts the queue by project name and, within a project, by the duration of the last run: clock, cloud, rules.
    maxWorkers: 2,
    globalSetup: ['test/global-setup.ts'],
    // For a test that hangs: one that is slow on a busy machine is not wrong. Longer ones say so.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [...onCloud, ...movesClock, ...long],
        },
      },
      {
        extends: true,
        test: {
          name: 'cloud',
          include: onCloud,
          exclude: [...movesClock, ...long],
          setupFiles: ['test/support/use-cloud.ts'],
          runner: 'test/support/runner.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'clock',
          include: isLong ? [...movesClock, ...long] : movesClock,
          setupFiles: ['test/support/use-cloud.ts'],
          runner: 'test/support/runner.ts',
          // The long files count what a whole cloud does.
          isolate: isLong,
        },
      },
    ],
  },
});
