/** How the tests run: rules by themselves, then what needs a cloud, on the one of its worker, a file at a time. */
import { defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';

/** Folders whose tests talk to a cloud; so do files named `*.cloud.test.ts` elsewhere. */
const onCloud = [
  'test/{faults,functions,operations,scenarios,services,storage}/**/*.test.ts',
  'test/**/*.cloud.test.ts',
];
/** Files that move the clock: a cloud of their own each, since what other files left there would move too. */
const onOwnCloud = ['test/**/*.clock.test.ts'];
/** The same, but too long for every run: `npm run test:long`. */
const long = ['test/**/*.long.test.ts'];
const isLong = process.env.PARLEY_LONG === 'on';

/** Ends the output with the one line that programs read. */
const totals: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state] += 1;
      // A file that could not even be loaded has no tests that could fail.
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
    // Fresh module graphs per file would cost ten times what the tests do (measured).
    isolate: false,
    maxWorkers: 2,
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [...onCloud, ...onOwnCloud, ...long],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'cloud',
          include: onCloud,
          exclude: [...onOwnCloud, ...long],
          setupFiles: ['test/support/use-cloud.ts'],
          // One cloud is busy enough: a second one beside it costs what it gains (measured).
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'clock',
          include: isLong ? [...onOwnCloud, ...long] : onOwnCloud,
          setupFiles: ['test/support/use-cloud.ts'],
          isolate: true,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
