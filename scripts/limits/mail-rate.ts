/** The rate of emails that the event sources carry at a quota of the account. */
import { executionsOf, workerConcurrency } from '../../lib/constructs/concurrency.ts';
import type { WorkerContract } from '../../lib/core/work/worker.ts';
import type { MailRate } from '../../lib/core/work/worker-load.ts';

/** Emails a second that the event sources carry in both directions at the same time. */
export function mailRateOf(workers: readonly WorkerContract[], concurrentExecutions: number): MailRate {
  const { maximumOf, pollersOf } = workerConcurrency(workers, concurrentExecutions);
  const rateOf = (direction: keyof MailRate) =>
    Math.min(
      ...workers
        .filter((worker) => executionsOf(worker, { sent: 0, received: 0, [direction]: 1 }) > 0)
        .filter(({ load }) => load && 'execution' in load)
        .map(
          (worker) =>
            maximumOf(worker) / executionsOf(worker, { sent: 1, received: 1 }, pollersOf(worker) !== null),
        ),
    );
  return { sent: rateOf('sent'), received: rateOf('received') };
}
