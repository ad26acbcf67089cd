/** Takes the lease of an endpoint for a message, or leaves the work to the worker that holds it. */
import { allDone } from '../../core/all-done.ts';
import type { DeliveryId } from '../../core/ids.ts';
import type { DeliverWebhook } from '../../core/queue-messages.ts';
import { type Delivery, factsOf } from '../../core/webhooks/delivery.ts';
import { type DispatchState, isCalled, mayWait, nextSessionAt } from '../../core/webhooks/dispatch.ts';
import type { Lane } from '../../core/webhooks/lane.ts';
import { askAgain, deliveriesOf, deliverMessage } from './announce-delivery.ts';
import type { DispatchPorts, EndpointRef, NamedDelivery } from './dispatch-ports.ts';
import { clockToleranceMs, keep, lookAhead } from './due-work.ts';

const triesMax = 8;

export interface Claim {
  /** The state of the endpoint, as it was before the lease was taken. */
  readonly state: DispatchState;
  /** Whether due entries may wait. */
  readonly mayWait: boolean;
  /** The new delivery whose record may end the session; null: none may. */
  readonly endsWith: DeliveryId | null;
}

/**
 * Takes the lease; null where nothing is left to do for this message.
 *
 * @param token identifies the message across its deliveries by SQS
 * @throws Error where an earlier delivery of this message died with the lease, which has not expired: to be repeated
 */
export async function claimEndpoint(
  ports: DispatchPorts,
  message: DeliverWebhook,
  token: string,
): Promise<Claim | null> {
  let named: readonly NamedDelivery[] = deliveriesOf(message);
  // Deliveries are handed over to an idle endpoint: its lease is taken without a look at the state before.
  let isIdle = named.length > 0;
  let { idleAfter } = message;
  for (let tries = 0; tries < triesMax; tries++) {
    const endsWith = onlyNew(named, message.lane);
    const request = { token, lane: message.lane, endsWith: endsWith && factsOf(endsWith), idleAfter };
    const lease = isIdle ? await ports.acquireLease(message, request) : null;
    if (lease?.isTaken) {
      const { before: state } = lease;
      // A message without deliveries was sent for entries, and the other deliveries have got theirs.
      return { state, mayWait: named.length === 0 || mayWait(state), endsWith: endsWith?.id ?? null };
    }
    isIdle = false;
    const mayHaveEnded = lease?.before.lease?.endsWith;
    const state = lease && !mayHaveEnded ? lease.before : await ports.findState(message);
    idleAfter = state.lease ? null : state.sessions;
    if (state.lease && state.lease.until > ports.now()) {
      // Only this message remembers the work of a worker that died.
      if (state.lease.token === token) throw new Error('the lease of this message has not expired');
      // The state is read again after the entries are written: its holder may have looked before.
      if (named.length > 0) {
        await keepDeliveries(ports, message, named);
        named = [];
      } else if (state.again || (await askAgain(ports, message, state))) return null;
    } else if (state.health.lane === 'slow' && message.lane === 'fast') {
      await ports.send(deliverMessage(message, 'slow', named));
      return null;
    } else if (named.length === 0 && (await isNothingToDo(ports, message, state))) {
      return null;
    } else {
      isIdle = true;
    }
  }
  throw new Error('the lease changed hands at every try');
}

/**
 * The delivery whose record may end a session: it is new, and the only one. At an endpoint of the slow lane each answer changes the
 * state.
 */
function onlyNew(named: readonly NamedDelivery[], lane: Lane): Delivery | null {
  const [only] = named;
  return named.length === 1 && typeof only === 'object' && lane === 'fast' ? only : null;
}

/** Adds due entries for deliveries that a message names, and stores those that are not; none of a deleted endpoint. */
export async function keepDeliveries(
  ports: DispatchPorts,
  of: EndpointRef,
  named: readonly NamedDelivery[],
): Promise<void> {
  if (named.length === 0) return;
  const { found, due } = await ports.load(of, [], named);
  const isNew = due.some(({ delivery, isStored }) => delivery && !isStored);
  if (isNew && !found) return;
  await allDone(due.map((one) => keep(ports, of, one)));
}

/** Whether nothing is due, and a later timer is set for what waits: a repeated or late message costs no write. */
async function isNothingToDo(ports: DispatchPorts, of: EndpointRef, state: DispatchState): Promise<boolean> {
  const { health, wakeAt } = state;
  // A publisher relies on this message: the lease shows the next one that it is done.
  if (isCalled(state, ports.now())) return false;
  // A timer fires early by the difference of two clocks: one that is near is taken for this message.
  const soon = ports.now() + clockToleranceMs;
  const next = nextSessionAt(health, await lookAhead(ports, of, health), soon);
  if (wakeAt !== null && wakeAt <= soon) return false;
  return next === null || (wakeAt !== null && next > soon && wakeAt <= next);
}
