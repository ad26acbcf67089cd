/** Waits between attempts that meet others. */
import { pause } from './clock.ts';
import { random } from './random.ts';

/** Waits with full jitter (AWS Builders' Library, "Timeouts, retries, and backoff with jitter"). @param round from 1 */
export function backOff(round: number): Promise<void> {
  return pause(random() * Math.min(1000, 20 * 2 ** round));
}
