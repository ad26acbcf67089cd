/** The ports of delivery in a deployment: table and receivers. */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { HttpExchange } from '../../adapters/outbound-http.ts';
import { random, secureBytes } from '../../adapters/random.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { DeliverWebhook } from '../../core/queue-messages.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type Delivery,
  newDelivery,
} from '../../core/webhooks/delivery.ts';
import { dispatch } from '../../core/webhooks/dispatch.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';
import { isBuiltAtSend } from '../../core/webhooks/v1-format.ts';
import { allDone } from '../../core/work/all-done.ts';
import { count } from '../../observability/count.ts';
import { createAttempted, findDeliveries, recordAttempt } from '../../storage/webhooks/deliveries.ts';
import * as states from '../../storage/webhooks/endpoint-states.ts';
import { findEndpoint } from '../../storage/webhooks/endpoints.ts';
import { findEvents } from '../../storage/webhooks/events.ts';
import * as waiting from '../../storage/webhooks/waiting-deliveries.ts';
import type { PresentV1 } from './build-v1-body.ts';
import type { DispatchPorts, DueDelivery, EndpointRef, LoadedDeliveries } from './dispatch-ports.ts';
import { countV1Outcome, postAttempt } from './post-attempt.ts';
import { waitPorts } from './wait-ports.ts';

/** @param loadPresentV1 loads what presents the body of a webhook of format `v1`: most functions never need it */
export const deliveryPorts = (loadPresentV1: () => Promise<PresentV1>): DispatchPorts => ({
  ...waitPorts,
  now,
  random,
  newToken: () => secureBytes(6).toString('hex'),
  load,
  findState: ({ workspaceId, endpointId }) => states.findEndpointState(workspaceId, endpointId),
  findEndpoint: ({ workspaceId, endpointId }) => findEndpoint(workspaceId, endpointId),
  takeUnits: ({ workspaceId, endpointId }, taken, messages) =>
    states.takeUnits(workspaceId, endpointId, taken, messages),
  returnUnits: ({ workspaceId, endpointId }, returned, messages) =>
    states.returnUnits(workspaceId, endpointId, returned, messages),
  clearBacklog: ({ workspaceId, endpointId }, before, health) =>
    states.clearBacklog(workspaceId, endpointId, before, health),
  removeEndpoint,
  listWaiting: ({ workspaceId, endpointId }, limit) => waiting.listWaiting(workspaceId, endpointId, limit),
  removeWaiting: ({ workspaceId, endpointId }, attempts) =>
    waiting.removeWaiting(workspaceId, endpointId, attempts),
  replaceWaiting: ({ workspaceId, endpointId }, attempts, messages) =>
    waiting.replaceWaiting(workspaceId, endpointId, attempts, messages),
  async bodyOf({ workspaceId }, { endpoint }, posted) {
    if (!isBuiltAtSend(endpoint, posted.delivery)) return posted.body;
    const [{ buildV1Body }, presentV1] = await Promise.all([import('./build-v1-body.ts'), loadPresentV1()]);
    return await inTurn(() => {
      if (now() > posted.atMs + dispatch.startsMs) throw new Error('too late for this attempt to begin');
      return buildV1Body(workspaceId, endpoint, posted, presentV1);
    });
  },
  post: ({ workspaceId }, found, posted) => postAttempt(workspaceId, found, posted),
  async record({ workspaceId }, { endpoint }, { delivery, isStored }, { exchange, after, messages }) {
    const record = { attempt: exchange && attemptOf(exchange), after, messages };
    const isCreated = !isStored && (await createAttempted(workspaceId, delivery, record));
    if (!isCreated && !(await recordAttempt(workspaceId, delivery, record))) return;
    countOutcome(workspaceId, exchange, after);
    if (exchange) await countV1Outcome(workspaceId, endpoint, { ...delivery, ...after });
  },
});

let last: Promise<unknown> = Promise.resolve();

/** Bodies of format `v1` are built one after another: an email takes ten times its size meanwhile (`bench/latest.md`, Memory). */
function inTurn<T>(build: () => Promise<T>): Promise<T> {
  const built = last.then(build);
  last = built.catch(() => {});
  return built;
}

async function load(
  { workspaceId, endpointId }: EndpointRef,
  messages: readonly DeliverWebhook[],
): Promise<LoadedDeliveries> {
  const ofDelivery = [...Map.groupBy(messages, ({ deliveryId }) => deliveryId)];
  const [found, state, stored, events] = await allDone([
    findEndpoint(workspaceId, endpointId),
    states.findEndpointState(workspaceId, endpointId),
    findDeliveries(
      workspaceId,
      endpointId,
      ofDelivery.map(([id]) => id),
    ),
    findEvents(
      workspaceId,
      messages.map(({ eventId }) => eventId),
    ),
  ]);
  const due = ofDelivery.flatMap(([, of], at) => dueOf(endpointId, of, stored[at] ?? null, events));
  return { found, state, due };
}

/** The delivery that messages name, where one of them names the attempt that is due. Of a new one without its event nothing is stored. */
function dueOf(
  endpointId: Delivery['endpointId'],
  messages: readonly DeliverWebhook[],
  stored: Delivery | null,
  events: ReadonlyMap<StoredEvent['id'], StoredEvent>,
): readonly DueDelivery[] {
  const [first] = messages;
  const event = first && events.get(first.eventId);
  const delivery = stored ?? (event ? newDelivery(event, endpointId, first.createdAt) : null);
  const isDue =
    delivery?.state === 'pending' &&
    messages.some(({ replay, attempt }) => replay === delivery.replay && attempt === delivery.attemptDue);
  if (!isDue) return [];
  return [{ delivery, isStored: stored !== null, body: delivery.body ?? event?.body ?? null }];
}

/** Entries that are removed together. */
const removedAtOnce = 100;

async function removeEndpoint({ workspaceId, endpointId }: EndpointRef): Promise<void> {
  for (;;) {
    const left = await waiting.listWaiting(workspaceId, endpointId, removedAtOnce);
    if (left.length === 0) break;
    await waiting.removeWaiting(workspaceId, endpointId, left);
  }
  await states.removeEndpointState(workspaceId, endpointId);
}

function attemptOf(exchange: HttpExchange): Attempt {
  return {
    id: newId('atp'),
    attemptedAt: exchange.requestedAtMs,
    statusCode: exchange.statusCode,
    error: exchange.error,
    durationMs: exchange.durationMs,
    response: exchange.response,
  };
}

function countOutcome(
  workspaceId: WorkspaceId,
  exchange: HttpExchange | null,
  { state }: AttemptOutcome,
): void {
  if (!exchange) count('WebhookAttemptsSkipped', workspaceId);
  else count(state === 'delivered' ? 'WebhookAttemptsSucceeded' : 'WebhookAttemptsFailed', workspaceId);
  if (state === 'failed') count('WebhookDeliveriesFailed', workspaceId);
}
