/** Asynchronous invocations of functions ("How Lambda handles errors and retries with asynchronous invocation", AWS Lambda Developer Guide). */
import type { LocalClock } from './aws/service.ts';
import type { BackgroundTask } from './background-task.ts';
import { InvocationFailed } from './function-thread.ts';
import { type Functions, throttled } from './functions.ts';

export interface AsyncInvocations extends BackgroundTask {
  /** Invokes a function now, and again where it fails; in the end, the event is dropped. */
  invoke(functionArn: string, event: object): void;
}

/** Waits after failures. */
const failedMs = [60_000, 120_000];
/** Waits after throttling, which grow; for six hours. */
const throttledMs = { first: 1000, max: 300_000, total: 6 * 3_600_000 };

/** @param options.onProgress called after each invocation */
export function createAsyncInvocations(options: {
  readonly clock: Pick<LocalClock, 'at' | 'now'>;
  readonly invoke: Functions['invoke'];
  readonly onProgress: () => void;
}): AsyncInvocations {
  const { clock } = options;
  let running = 0;
  let isClosed = false;

  async function attempt(
    arn: string,
    event: object,
    state: { readonly failures: number; readonly pauseMs: number; readonly until: number },
  ): Promise<void> {
    if (isClosed) return;
    running += 1;
    try {
      await options.invoke(arn, event);
    } catch (error) {
      const { failures, pauseMs, until } = state;
      const isThrottled = error instanceof InvocationFailed && error.errorType === throttled;
      const waitMs = isThrottled ? pauseMs : failedMs[failures];
      const next = isThrottled
        ? { ...state, pauseMs: Math.min(2 * pauseMs, throttledMs.max) }
        : { ...state, failures: failures + 1 };
      const at = clock.now() + (waitMs ?? Number.POSITIVE_INFINITY);
      if (at <= until) clock.at(at, () => void attempt(arn, event, next));
    } finally {
      running -= 1;
      options.onProgress();
    }
  }

  return {
    invoke(arn, event) {
      const until = clock.now() + throttledMs.total;
      void attempt(arn, event, { failures: 0, pauseMs: throttledMs.first, until });
    },
    pendingWork: () => (running > 0 ? `${running} asynchronous invocations` : null),
    async close() {
      isClosed = true;
    },
  };
}
