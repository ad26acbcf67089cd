/** Optimistic concurrency: read, decide, write under a condition, and start again where the condition failed. */

import { backOff } from '../adapters/back-off.ts';
import { stopwatch } from '../adapters/clock.ts';
import { RecordContended } from '../core/work/table-busy.ts';
import { describeError, logEvent } from '../observability/log.ts';

/** What an attempt returns when another writer was faster. */
export const conflict = Symbol('conflict');

/** Most functions end after 15 seconds (`lib/stacks/operation-defaults.ts`). */
const patienceMsByDefault = 8_000;

/** Of messages that join a thread, of which many may do so at once; what sends or receives has 29 seconds or more. */
export const joinPatienceMs = 20_000;

/**
 * Runs `attempt` until it does not conflict. Each run must read again what it decides from: what was read before the wait is
 * outdated.
 *
 * @param what names the contended record in the log
 * @param patienceMs milliseconds of real time after which a conflict is the last one
 * @throws RecordContended
 */
export async function retryOnConflict<T>(
  what: string,
  attempt: () => Promise<T | typeof conflict>,
  patienceMs = patienceMsByDefault,
): Promise<T> {
  const elapsedMs = stopwatch();
  for (let tries = 1; ; tries++) {
    const result = await attempt().catch(asConflict);
    if (result !== conflict) return result;
    if (elapsedMs() >= patienceMs) throw givenUp(`${what} changed during ${tries} attempts to write it`);
    // At once where one other writer was faster; of many, only those that are apart get through.
    if (tries > 1) await backOff(tries);
  }
}

/** Transactions of others were in the way at each try of a commit. */
function asConflict(error: unknown): typeof conflict {
  if (error instanceof RecordContended) return conflict;
  throw error;
}

function givenUp(message: string): RecordContended {
  const error = new RecordContended(new Error(message));
  logEvent('table.record_contended', { error: describeError(error) });
  return error;
}
