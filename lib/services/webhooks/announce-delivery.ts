/** Brings a delivery that is due to a worker: by a message, or by an entry that a worker finds (docs/decisions/0043-webhook-dispatch.md). */
import { allDone, valuesOf } from '../../core/all-done.ts';
import type { DeliverWebhook } from '../../core/queue-messages.ts';
import { type Delivery, factsOf, unattempted } from '../../core/webhooks/delivery.ts';
import { announcementFor, type DispatchState, session } from '../../core/webhooks/dispatch.ts';
import type { Lane } from '../../core/webhooks/lane.ts';
import type { AnnouncePorts, EndpointRef, NamedDelivery } from './dispatch-ports.ts';

/** A worker releases its lease and another one takes it between two reads: rare, and rarer each time. */
const triesMax = 5;

/**
 * @param named new deliveries, before their first attempt, and ids of others
 * @param idleAfter the number of sessions after which the endpoint was seen without a worker
 */
export function deliverMessage(
  { workspaceId, endpointId }: EndpointRef,
  lane: Lane,
  named: readonly NamedDelivery[] = [],
  idleAfter: number | null = null,
): DeliverWebhook {
  const drafts = named.filter((one) => typeof one !== 'string');
  return {
    kind: 'deliver-webhook',
    v: 5,
    workspaceId,
    endpointId,
    lane,
    deliveryIds: named.filter((one) => typeof one === 'string'),
    newDeliveries: drafts.map(factsOf).map(({ endpointId: _, ...facts }) => facts),
    idleAfter,
  };
}

/** The deliveries that a message names. */
export function deliveriesOf({ endpointId, deliveryIds, newDeliveries }: DeliverWebhook): NamedDelivery[] {
  return [...deliveryIds, ...newDeliveries.map((facts) => unattempted({ ...facts, endpointId }))];
}

/** A new delivery that is to be brought to a worker. */
export interface Announcement {
  readonly of: EndpointRef;
  /** An earlier try may have stored it. */
  readonly draft: Delivery;
  /** The state of its endpoint, as read before: the same for all deliveries to it. */
  readonly state: DispatchState;
}

/**
 * Brings new deliveries to workers. At an idle endpoint the message has what the delivery is made of, and the worker
 * stores it with its first attempt; such messages are sent together. Repeated, it may call a worker once more, which finds
 * nothing to do.
 */
export async function announceDeliveries(
  ports: AnnouncePorts,
  announcements: readonly Announcement[],
): Promise<void> {
  const isHandedOver = (one: Announcement) => nextStep(ports, one.of, one.state) === 'hand over';
  const { true: idle = [], false: busy = [] } = Object.groupBy(
    announcements,
    (one) => `${isHandedOver(one)}`,
  );
  await allDone([handOver(ports, idle), storeDue(ports, busy)]);
}

/** Stores deliveries, then their entries, then calls a worker to each endpoint. @throws the first error */
async function storeDue(ports: AnnouncePorts, busy: readonly Announcement[]): Promise<void> {
  const stored = await Promise.allSettled(
    busy.map(async ({ of, draft }) => ({ ...of, delivery: await ports.store({ ...of, delivery: draft }) })),
  );
  const waiting = stored
    .flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    // After an attempt it has an entry, or is complete.
    .filter(({ delivery: { state, attempts } }) => state === 'pending' && attempts.length === 0);
  if (waiting.length > 0) await ports.addDue(...waiting);
  const endpoints = new Map(waiting.map((one) => [one.endpointId, one]));
  await allDone([...endpoints.values()].map((of) => callWorker(ports, of)));
  valuesOf(stored);
}

const nextStep = ({ handOvers, now }: AnnouncePorts, { endpointId }: EndpointRef, state: DispatchState) =>
  announcementFor(state, handOvers.get(endpointId) ?? null, now());

/**
 * Sends a message to each endpoint that names its deliveries, then remembers it. The table needs no note until an entry is added:
 * unlike a message without deliveries, such a one does not end before a session has begun.
 */
async function handOver(ports: AnnouncePorts, idle: readonly Announcement[]): Promise<void> {
  if (idle.length === 0) return;
  const endpoints = [...Map.groupBy(idle, ({ of }) => of.endpointId).values()];
  const messages = endpoints.flatMap((all) => {
    const [first] = all;
    const drafts = all.map(({ draft }) => draft);
    if (!first) return [];
    const { of, state } = first;
    return [deliverMessage(of, state.health.lane, drafts, state.lease ? null : state.sessions)];
  });
  await ports.send(...messages);
  const until = ports.now() + session.callMs;
  for (const { of, state } of idle) {
    ports.handOvers.set(of.endpointId, { sessions: state.sessions, until });
  }
}

/** Sees to it that a worker looks at the due entries of an endpoint that were written before. */
async function callWorker(ports: AnnouncePorts, of: EndpointRef): Promise<void> {
  for (let tries = 1; ; tries++) {
    const state = await ports.findState(of);
    const announcement = nextStep(ports, of, state);
    if (announcement === 'wait') return;
    const isCall = announcement === 'call' || announcement === 'hand over';
    if (isCall || tries === triesMax) return await call(ports, of, state);
    if (announcement === 'note' && (await noteHandOver(ports, of, state))) return;
    if (announcement === 'ask again' && (await askAgain(ports, of, state))) return;
  }
}

/**
 * Asks the worker at an endpoint to look again. False where it is there no longer.
 *
 * The record of a delivery ends a session without a look at the state. So its delivery is stored for it: a worker that finds it stored
 * has to release its lease. One that has recorded it meanwhile has ended.
 */
export async function askAgain(
  ports: AnnouncePorts,
  of: EndpointRef,
  { lease, sessions }: DispatchState,
): Promise<boolean> {
  if (!lease || !(await ports.askAgain(of, lease.token))) return false;
  if (!lease.endsWith) return true;
  const { endedSession } = await ports.store({ ...of, delivery: unattempted(lease.endsWith) });
  return endedSession !== sessions;
}

/** Notes that the message of the last hand-over is in the queue. False where a session has begun meanwhile. */
async function noteHandOver(
  ports: AnnouncePorts,
  of: EndpointRef,
  { sessions }: DispatchState,
): Promise<boolean> {
  const until = ports.handOvers.get(of.endpointId)?.until ?? 0;
  return await ports.noteCall(of, sessions, until);
}

/** Sends a message, then notes it: noted before, it would be missing where the publisher dies in between. */
async function call(
  ports: AnnouncePorts,
  of: EndpointRef,
  { health, sessions }: DispatchState,
): Promise<void> {
  await ports.send(deliverMessage(of, health.lane));
  await ports.noteCall(of, sessions, ports.now() + session.callMs);
}
