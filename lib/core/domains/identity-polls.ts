/** How often SES is asked whether it has verified an identity (docs/concepts/domains.md#verification). */

const hourMs = 3_600_000;
const firstWaitMs = 5000;
const growth = 1.5;
const longestWaitMs = 3 * hourMs;
/** The least wait while domains wait for their set-up, of those whose mail waits and of the others. */
export const longPollMs = { ahead: 90_000, others: 10 * 60_000 };
/** SES looks for the records of an identity for 72 hours ("Creating and verifying identities in Amazon SES"). */
const pollsForMs = 72 * hourMs;

/**
 * The wait before the next poll: it grows to three hours. Null after 72 hours.
 *
 * @param polls number of polls so far
 */
export function pollWaitMs(polls: number): number | null {
  let waited = 0;
  for (let poll = 0; poll < polls && waited < pollsForMs; poll++) waited += plainWaitMs(poll);
  return waited < pollsForMs ? plainWaitMs(polls) : null;
}

function plainWaitMs(polls: number): number {
  return Math.min(longestWaitMs, firstWaitMs * growth ** Math.min(polls, 100));
}
