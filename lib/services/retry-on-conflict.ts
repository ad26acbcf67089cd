/** Optimistic concurrency: read, decide, write under a condition, and start again where the condition failed. */

import { backOff } from '../adapters/back-off.ts';

/** What an attempt returns when another writer was faster. */
export const conflict = Symbol('conflict');

const triesMaxByDefault = 5;

/**
 * Runs `attempt` until it does not conflict. Each run must read again what it decides from.
 *
 * @param what names the contended record in the error
 * @throws Error after `triesMax` conflicts
 */
export async function retryOnConflict<T>(
  what: string,
  attempt: () => Promise<T | typeof conflict>,
  triesMax = triesMaxByDefault,
): Promise<T> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const result = await attempt();
    if (result !== conflict) return result;
    // At once where one other writer was faster; of many, only those that are apart get through.
    if (tries > 1 && tries < triesMax) await backOff(tries);
  }
  throw new Error(`${what} changed during ${triesMax} attempts to write it`);
}
