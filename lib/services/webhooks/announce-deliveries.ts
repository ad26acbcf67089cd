/** Brings new deliveries to workers: by a message each, or to the table where their endpoint is busy or closed. */

import type { Delivery } from '../../core/webhooks/delivery.ts';
import { type DispatchState, isQueued, mustBringBack } from '../../core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import { allDone } from '../../core/work/all-done.ts';
import { deliverMessage, resumeMessage } from './deliver-message.ts';
import type { AnnouncePorts, WaitPorts } from './dispatch-ports.ts';

/** A new delivery that is to be brought to a worker. */
export interface Announcement {
  readonly of: EndpointRef;
  /** An earlier try may have stored it. */
  readonly draft: Delivery;
  /** The state of its endpoint, as read before: the same for all deliveries to it. */
  readonly state: DispatchState;
}

/** Brings new deliveries to workers; messages are sent together. Repeated, it may send a message again, and workers are idempotent. */
export async function announceDeliveries(
  ports: AnnouncePorts,
  announcements: readonly Announcement[],
): Promise<void> {
  const at = ports.now();
  const { true: sent = [], false: waiting = [] } = Object.groupBy(
    announcements,
    ({ state }) => `${isQueued(state, at)}`,
  );
  const endpoints = [...Map.groupBy(waiting, ({ of }) => of.endpointId).values()];
  await allDone([
    sent.length > 0 ? ports.send(sent.map(({ of, draft }) => deliverMessage(of, draft))) : undefined,
    ...endpoints.map((all) => waitTogether(ports, all)),
  ]);
}

/** Lets deliveries to one endpoint wait, and calls a worker where none is left that sees them. */
async function waitTogether(ports: AnnouncePorts, all: readonly Announcement[]): Promise<void> {
  const [first] = all;
  if (!first) return;
  const drafts = all.map(({ draft }) => draft);
  const state = await letWait(ports, first.of, drafts, []);
  if (state && mustBringBack(state, false, ports.now())) await ports.send([resumeMessage(first.of)]);
}

/**
 * Lets deliveries wait in the table: each is stored, then its entry, then the endpoint is marked. The state after that shows whether a worker is
 * left that sees the mark; null where none of them waits.
 *
 * @param drafts not known to be stored
 */
export async function letWait(
  ports: WaitPorts,
  of: EndpointRef,
  drafts: readonly Delivery[],
  stored: readonly Delivery[],
): Promise<DispatchState | null> {
  const found = drafts.length > 0 ? await ports.store(of, drafts) : [];
  // One that was stored before may have been attempted since.
  const fresh = found.filter(
    ({ state, replay, attemptDue }) => state === 'pending' && replay + attemptDue === 1,
  );
  const waiting = [...fresh, ...stored];
  if (waiting.length === 0) return null;
  await ports.addWaiting(of, waiting);
  return await ports.markBacklog(of);
}
