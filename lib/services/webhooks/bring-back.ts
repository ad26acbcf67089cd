/** Brings deliveries that wait in the table back to the queue. */

import {
  bringBackCount,
  type DispatchState,
  dispatch,
  isOverdue,
  mustBringBack,
} from '../../core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import { isClosed } from '../../core/webhooks/health.ts';
import { allDone } from '../../core/work/all-done.ts';
import type { WaitingAttempt } from '../../storage/webhooks/waiting-deliveries.ts';
import { attemptMessage } from './deliver-message.ts';
import type { DispatchPorts, Target } from './dispatch-ports.ts';
import { recordFailed } from './make-attempt.ts';

/** Entries that are looked at together, and overdue deliveries that are recorded together. */
const lookedAtOnce = 25;
const triesMax = 8;
/** Holders of units whose choice of entries is to differ. */
const othersMax = 20;

/**
 * Brings back deliveries that wait, the oldest ones, where it is due. Overdue ones are recorded as failed first, for a limited time; what is left
 * of them is brought back. Where nothing waits, the mark is removed.
 *
 * @param state as it is after the work of this worker
 * @param attempted attempts that this worker has just made; null: it held no units
 */
export async function bringBack(
  ports: DispatchPorts,
  target: Target,
  state: DispatchState,
  attempted: number | null,
): Promise<void> {
  const { of } = target;
  const until = ports.now() + dispatch.startsMs;
  let current = state;
  for (let tries = 0; tries < triesMax; ) {
    if (!mustBringBack(current, attempted !== null, ports.now())) return;
    const count = bringBackCount(current, attempted ?? 0);
    // Workers that end at the same time take different ones.
    const others = Math.min(current.holders.size, othersMax);
    const from = Math.floor(ports.random() * (others + 1)) * count;
    const waiting = await ports.listWaiting(of, Math.max(from + count, lookedAtOnce));
    const overdue = waiting.filter(({ deadlineAt }) => isOverdue(deadlineAt, ports.now()));
    if (waiting.length === 0) {
      // The next delivery to a closed endpoint is its probe.
      const health = isClosed(current.health) ? { ...current.health, nextProbeAt: ports.now() } : undefined;
      if (await ports.clearBacklog(of, current, health)) return;
    } else if (overdue.length > 0 && ports.now() < until) {
      await failOverdue(ports, target, overdue.slice(0, lookedAtOnce));
      continue;
    } else if (await takeBack(ports, of, waiting.slice(waiting.length > from ? from : 0).slice(0, count)))
      return;
    // Others work on the same entries.
    tries += 1;
    current = await ports.findState(of);
  }
  throw new Error('what waits has changed at every try');
}

async function takeBack(
  ports: DispatchPorts,
  of: EndpointRef,
  waiting: readonly WaitingAttempt[],
): Promise<boolean> {
  const messages = waiting.map((attempt) => ({ message: attemptMessage(of, attempt) }));
  return await ports.replaceWaiting(of, waiting, messages);
}

async function failOverdue(
  ports: DispatchPorts,
  target: Target,
  overdue: readonly WaitingAttempt[],
): Promise<void> {
  const { of } = target;
  const { due } = await ports.load(
    of,
    overdue.map((attempt) => attemptMessage(of, attempt)),
  );
  await allDone(due.map((one) => recordFailed(ports, target, one)));
  await ports.removeWaiting(of, overdue);
}
