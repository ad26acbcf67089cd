/**
 * The worker of deliveries: makes the attempts of a batch of messages, those of an endpoint together, within its `max_concurrency`
 * (docs/decisions/0066-webhooks-on-fair-queues.md).
 */

import type { DeliveryId } from '../../core/ids.ts';
import type { DeliverWebhook, ResumeEndpoint } from '../../core/queue-messages.ts';
import { deadlineOf } from '../../core/webhooks/delivery.ts';
import { type DispatchState, dispatch, isOverdue } from '../../core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import { attemptsAtOnce, isClosed } from '../../core/webhooks/health.ts';
import { allDone } from '../../core/work/all-done.ts';
import type { FoundEndpoint } from '../../storage/webhooks/endpoints.ts';
import { letWait } from './announce-deliveries.ts';
import { bringBack } from './bring-back.ts';
import type { DispatchPorts, DueDelivery, Target } from './dispatch-ports.ts';
import { giveBackUnits, type HeldUnits, noteResult, takeFreeUnits } from './hold-units.ts';
import { makeAttempt, recordFailed } from './make-attempt.ts';

/** Why attempts could not be recorded: their messages are to be repeated. */
export type Failures = ReadonlyMap<DeliveryId, unknown>;

/**
 * Processes messages of one endpoint. Idempotent.
 *
 * @throws where all messages are to be repeated
 */
export async function deliverTogether(
  ports: DispatchPorts,
  of: EndpointRef,
  messages: readonly (DeliverWebhook | ResumeEndpoint)[],
): Promise<Failures> {
  const attempts = messages.filter((message) => message.kind === 'deliver-webhook');
  const { found, state: before, due: loaded } = await ports.load(of, attempts);
  if (!found) {
    await ports.removeEndpoint(of);
    return new Map();
  }
  const target = { of, found };
  const at = ports.now();
  const isOver = ({ delivery, body }: DueDelivery) => body === null || isOverdue(deadlineOf(delivery), at);
  const { true: over = [], false: due = [] } = Object.groupBy(loaded, (one) => `${isOver(one)}`);
  await allDone(over.map((one) => recordFailed(ports, target, one)));
  const held = due.length > 0 ? await takeFreeUnits(ports, target, before, due.length) : null;
  const { left, errors } = held
    ? await attemptAll(ports, target, held, due)
    : { left: due, errors: new Map<DeliveryId, unknown>() };
  const state = await end(ports, of, held, left);
  await bringBack(ports, target, state ?? before, held?.results.length ?? null);
  return errors;
}

/** Makes attempts over the units that are held. @returns the deliveries that were not attempted, and errors of records */
async function attemptAll(
  ports: DispatchPorts,
  { of, found }: Target,
  held: HeldUnits,
  due: readonly DueDelivery[],
): Promise<{ readonly left: readonly DueDelivery[]; readonly errors: Failures }> {
  const errors = new Map<DeliveryId, unknown>();
  const until = ports.now() + dispatch.startsMs;
  const queue = [...due];
  let running = 0;
  const mayStart = () => {
    // A probe is made at a closed endpoint.
    if (running + held.results.length === 0) return true;
    const isOpen = !isClosed(held.health) && ports.now() < until;
    return isOpen && running < attemptsAtOnce(held.health, held.units);
  };
  const attempt = async (one: DueDelivery, at: FoundEndpoint) => {
    const { id, createdAt } = one.delivery;
    const isProbe = held.isProbe && held.results.length === 0;
    running += 1;
    const outcome = await makeAttempt(ports, { of, found: at }, one).catch((error: unknown) => {
      errors.set(id, error);
      return 'uncounted' as const;
    });
    running -= 1;
    noteResult(ports, held, { outcome, isProbe, createdAt });
  };
  const useUnit = async () => {
    for (let isFirst = true; queue.length > 0; isFirst = false) {
      // A change of the endpoint holds for the next attempt. With a lower `max_concurrency`, units must be taken anew.
      const at = isFirst ? found : await ports.findEndpoint(of);
      if (!at) return void queue.splice(0);
      if (at.endpoint.maxConcurrency < found.endpoint.maxConcurrency || !mayStart()) return;
      const next = queue.shift();
      if (next) await attempt(next, at);
    }
  };
  await allDone(Array.from({ length: held.units }, useUnit));
  return { left: queue, errors };
}

/**
 * Lets the deliveries wait that were not attempted, then returns the units: the state after that shows them.
 *
 * @returns null where the state was not changed
 */
async function end(
  ports: DispatchPorts,
  of: EndpointRef,
  held: HeldUnits | null,
  left: readonly DueDelivery[],
): Promise<DispatchState | null> {
  const { true: stored = [], false: drafts = [] } = Object.groupBy(left, ({ isStored }) => `${isStored}`);
  const deliveriesOf = (all: readonly DueDelivery[]) => all.map(({ delivery }) => delivery);
  let state: DispatchState | null = null;
  try {
    state = await letWait(ports, of, deliveriesOf(drafts), deliveriesOf(stored));
  } finally {
    if (held) state = await giveBackUnits(ports, of, held);
  }
  return state;
}
