/** Vitest's runner, in which the requests of a test end with it; see `vitest.config.ts`. */
import { type RunnerTestCase, TestRunner } from 'vitest';
import { withinTest } from './test-requests.ts';

export default class extends TestRunner {
  /** The test alone: its hooks clean up after it. */
  async runTask(test: RunnerTestCase): Promise<void> {
    await withinTest(test.context, async () => await TestRunner.getTestFn(test)());
  }
}
