/** The delay before a failed queue message is delivered again. */

const firstSeconds = 10;
const longestSeconds = 15 * 60;

/**
 * Exponential backoff with jitter: 10 s after the first receive, doubled with each, at most 15 minutes; the second half of
 * the delay is random.
 *
 * @param receives how often the message was received, from 1
 * @param random a number in [0, 1)
 */
export function retryDelaySeconds(receives: number, random: number): number {
  const delay = Math.min(firstSeconds * 2 ** (Math.max(receives, 1) - 1), longestSeconds);
  return Math.ceil(delay / 2 + (delay / 2) * random);
}
