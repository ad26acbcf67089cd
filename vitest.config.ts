/** Projects of the test suite; `test/support/sets.ts` has the files of each. */
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';
import { patternsOf } from './test/support/sets.ts';

/** Names the tests that passed at their second try only, and prints the totals as the last line, for programs. */
const totals: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        counts[test.result().state] += 1;
        if (test.diagnostic()?.flaky) console.log(`Unstable: ${module.relativeModuleId} > ${test.fullName}`);
      }
      // A file that fails to load has no tests, and one whose hook fails skips them.
      const hasFailure = tests.some((test) => test.result().state === 'failed');
      if (!hasFailure && module.state() === 'failed') counts.failed += 1;
    }
    console.log(
      `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped + counts.pending} skipped`,
    );
  },
};

// The HTTP parser of `fetch` is WebAssembly, one for all threads of a process. V8 compiles a callback of it anew after 1,000 calls
// and has aborted a whole run there ("Check failed: jit_page.has_value()", in the release of the code that this replaces);
// crashes of this kind are known: https://github.com/nodejs/node/issues/64500
setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647');

const onCloud = {
  setupFiles: ['test/support/use-cloud.ts'],
  runner: 'test/support/runner.ts',
};

export default defineConfig({
  // The examples of the library import it by its name; tests need no build of it.
  resolve: {
    alias: { 'parley-client': join(import.meta.dirname, 'clients/typescript/src/index.ts') },
  },
  test: {
    reporters: ['default', totals],
    pool: 'threads',
    // A fresh module graph for each file costs ten times as much as the tests (measured).
    isolate: false,
    // All projects share one queue and two workers, each with a cloud of its own, so that both cores are busy until the end.
    // Vitest sorts the queue by project name and, within a project, by the duration of the last run; `rules` is last.
    maxWorkers: 2,
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/support/random-cases.ts'],
    // For a test that hangs: one that is slow on a busy machine is not wrong. Longer ones say so.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // One unstable test of thousands is named at the end, and does not hide what the others say.
    retry: process.env.CI ? 1 : 0,
    projects: [
      { extends: true, test: { name: 'rules', ...patternsOf('rules') } },
      { extends: true, test: { name: 'rules-all', ...patternsOf('rules-all') } },
      { extends: true, test: { name: 'cloud', ...patternsOf('cloud'), ...onCloud } },
      { extends: true, test: { name: 'cloud-all', ...patternsOf('cloud-all'), ...onCloud } },
      // Moving the clock fires timers that other files left.
      { extends: true, test: { name: 'clock', ...patternsOf('clock'), ...onCloud } },
      { extends: true, test: { name: 'clock-all', ...patternsOf('clock-all'), ...onCloud } },
      // Days of the clock, or counts of what a whole cloud does: each file has a cloud of its own.
      { extends: true, test: { name: 'long', ...patternsOf('long'), ...onCloud, isolate: true } },
    ],
  },
});
