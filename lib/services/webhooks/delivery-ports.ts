/** The ports of delivery in a deployment: table and receivers. */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { type HttpExchange, postToReceiver } from '../../adapters/outbound-http.ts';
import { random, secureBytes } from '../../adapters/random.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { DeliverWebhook } from '../../core/queue-messages.ts';
import { type AttemptOutcome, type Delivery, newDelivery } from '../../core/webhooks/delivery.ts';
import { dispatch } from '../../core/webhooks/dispatch.ts';
import type { Endpoint, EndpointRef } from '../../core/webhooks/endpoint.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';
import { includesContent } from '../../core/webhooks/included.ts';
import { isBuiltAtSend, v1FailuresMax } from '../../core/webhooks/v1-format.ts';
import { allDone } from '../../core/work/all-done.ts';
import { count, nameEmail } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { createAttempted, findDeliveries, recordAttempt } from '../../storage/webhooks/deliveries.ts';
import * as states from '../../storage/webhooks/endpoint-states.ts';
import * as endpoints from '../../storage/webhooks/endpoints.ts';
import { findEvents } from '../../storage/webhooks/events.ts';
import * as waiting from '../../storage/webhooks/waiting-deliveries.ts';
import type { PresentIncluded } from './build-included-body.ts';
import type { PresentV1 } from './build-v1-body.ts';
import type { DispatchPorts, DueDelivery, LoadedDeliveries, Posted } from './dispatch-ports.ts';
import { prepareAttempt } from './prepare-attempt.ts';
import { waitPorts } from './wait-ports.ts';

/** Loads what presents bodies that are built for an attempt: most functions never need it. */
export interface BodyPresenters {
  /** Of webhooks of format `v1`. */
  v1(): Promise<PresentV1>;
  included(): Promise<PresentIncluded>;
}

export const deliveryPorts = (presenters: BodyPresenters): DispatchPorts => ({
  ...waitPorts,
  now,
  random,
  newToken: () => secureBytes(6).toString('hex'),
  load,
  findState: ({ workspaceId, endpointId }) => states.findEndpointState(workspaceId, endpointId),
  findEndpoint: ({ workspaceId, endpointId }) => endpoints.findEndpoint(workspaceId, endpointId),
  takeUnits: states.takeUnits,
  returnUnits: states.returnUnits,
  clearBacklog: states.clearBacklog,
  removeEndpoint,
  listWaiting: waiting.listWaiting,
  removeWaiting: waiting.removeWaiting,
  replaceWaiting: waiting.replaceWaiting,
  async bodyOf({ of: { workspaceId }, found: { endpoint } }, posted) {
    const { delivery } = posted;
    if (includesContent(endpoint, delivery)) {
      const loading = [import('./build-included-body.ts'), presenters.included()] as const;
      const [{ buildIncludedBody }, present] = await Promise.all(loading);
      return await inTurn(posted, () => buildIncludedBody(workspaceId, endpoint, posted, present));
    }
    if (!isBuiltAtSend(endpoint, delivery)) return posted.body;
    const [{ buildV1Body }, presentV1] = await Promise.all([import('./build-v1-body.ts'), presenters.v1()]);
    return await inTurn(posted, () => buildV1Body(workspaceId, endpoint, posted, presentV1));
  },
  async post({ of, found }, { delivery, body, atMs }) {
    return await postToReceiver(
      await prepareAttempt(of.workspaceId, found, { id: delivery.eventId, body }, atMs),
    );
  },
  async record({ of: { workspaceId }, found: { endpoint } }, due, { exchange, after, messages }) {
    const { delivery, isStored, emailId } = due;
    const record = { attempt: exchange && { id: newId('atp'), ...exchange }, after, messages };
    const isCreated = !isStored && (await createAttempted(workspaceId, delivery, record));
    if (!isCreated && !(await recordAttempt(workspaceId, delivery, record))) return;
    countOutcome(workspaceId, exchange, after);
    if (emailId) nameEmail({ workspace_id: workspaceId, email_id: emailId, delivery_id: delivery.id });
    if (exchange) await countV1Outcome(workspaceId, endpoint, { ...delivery, ...after });
  },
});

let last: Promise<unknown> = Promise.resolve();

/** Bodies of emails are built one after another: an email takes ten times its size meanwhile (`bench/latest.md`, Memory). */
function inTurn<T>({ atMs }: Posted, build: () => Promise<T>): Promise<T> {
  const built = last.then(() => {
    if (now() > atMs + dispatch.startsMs) throw new Error('too late for this attempt to begin');
    return build();
  });
  last = built.catch(() => {});
  return built;
}

async function load(
  { workspaceId, endpointId }: EndpointRef,
  messages: readonly DeliverWebhook[],
): Promise<LoadedDeliveries> {
  const ofDelivery = [...Map.groupBy(messages, ({ deliveryId }) => deliveryId)];
  const [found, state, stored, events] = await allDone([
    endpoints.findEndpoint(workspaceId, endpointId),
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
  const emailId = event && 'emailId' in event.subject ? event.subject.emailId : null;
  return [{ delivery, isStored: stored !== null, body: delivery.body ?? event?.body ?? null, emailId }];
}

/** Entries that are removed together. */
const removedAtOnce = 100;

async function removeEndpoint(of: EndpointRef): Promise<void> {
  for (;;) {
    const left = await waiting.listWaiting(of, removedAtOnce);
    if (left.length === 0) break;
    await waiting.removeWaiting(of, left);
  }
  await states.removeEndpointState(of);
}

function countOutcome(
  workspaceId: WorkspaceId,
  exchange: HttpExchange | null,
  { state }: AttemptOutcome,
): void {
  if (!exchange) count('WebhookAttemptsSkipped', workspaceId);
  else if (state === 'delivered') count('WebhookAttemptsSucceeded', null);
  else count('WebhookAttemptsFailed', workspaceId);
  if (state === 'failed') count('WebhookDeliveriesFailed', workspaceId);
}

/**
 * Counts the outcome of a recorded attempt at an endpoint of format `v1`, and pauses the endpoint after
 * `v1FailuresMax` failures in a row. Replays do not count.
 */
async function countV1Outcome(
  workspaceId: WorkspaceId,
  endpoint: Endpoint,
  { replay, state }: Pick<Delivery, 'replay' | 'state'>,
): Promise<void> {
  if (endpoint.format !== 'v1' || replay > 0) return;
  const isPaused = await endpoints.countOutcome(workspaceId, endpoint, state === 'delivered', v1FailuresMax);
  if (isPaused) logEvent('webhook.endpoint_paused', { workspace_id: workspaceId, endpoint_id: endpoint.id });
}
