/** The ports of delivery in a deployment: table, queues, timers and receivers. */
import { pause } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { HttpExchange } from '../../adapters/outbound-http.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { random } from '../../adapters/random.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Attempt, AttemptOutcome, Delivery } from '../../core/webhooks/delivery.ts';
import { isBuiltAtSend, v1BodyBytesMax } from '../../core/webhooks/v1-format.ts';
import { count } from '../../observability/count.ts';
import { findAttemptRecords } from '../../storage/attempt-records.ts';
import { createAttempted, recordAttempt } from '../../storage/deliveries.ts';
import { type DueEntry, isEntryOf, listDueEntries, removeDueEntries } from '../../storage/due-deliveries.ts';
import * as states from '../../storage/endpoint-states.ts';
import { findEndpoint } from '../../storage/endpoints.ts';
import { commit } from '../../storage/transactions.ts';
import { endpointWakes } from '../../storage/wake-index.ts';
import { announcePorts } from './announce-ports.ts';
import type { DispatchPorts, EndpointRef, LoadedDeliveries, NamedDelivery } from './dispatch-ports.ts';
import { buildV1Body, countV1Outcome, type PresentV1, postAttempt } from './post-attempt.ts';

/** @param presentV1 presents the body of a webhook of format `v1` */
export const deliveryPorts = (presentV1: PresentV1): DispatchPorts => ({
  ...announcePorts,
  // A function has 1,024 file descriptors ("Lambda quotas"). A large body takes about five times its bytes while it is built.
  attempts: { running: 0, max: 500, bodyBytes: 0, bodyBytesMax: 10 * v1BodyBytesMax },
  /** Through the outbox, unlike the messages of publishers: a worker that calls the next one begins a new chain. */
  async send(...messages) {
    for (const [workspaceId, own] of Map.groupBy(messages, (message) => message.workspaceId)) {
      await commit(
        workspaceId,
        [],
        own.map((message) => ({ message })),
      );
    }
  },
  pause,
  random,
  acquireLease: ({ workspaceId, endpointId }, request) =>
    states.acquireEndpoint(workspaceId, endpointId, request, announcePorts.now()),
  clearAgain: ({ workspaceId, endpointId }, token) =>
    states.clearEndpointAgain(workspaceId, endpointId, token),
  releaseLease: ({ workspaceId, endpointId }, token, found, options) =>
    states.releaseEndpoint(workspaceId, endpointId, token, found, options),
  removeState: ({ workspaceId, endpointId }) => states.removeEndpointState(workspaceId, endpointId),
  listDue: ({ workspaceId, endpointId }, limit) => listDueEntries(workspaceId, endpointId, limit),
  removeDue: (...entries) => removeDueEntries(entries),
  isEntryOf: (entry, { workspaceId, delivery }) => isEntryOf(entry, workspaceId, delivery),
  load,
  findEndpoint: ({ workspaceId, endpointId }) => findEndpoint(workspaceId, endpointId),
  bodyOf: async ({ workspaceId }, { endpoint }, posted) =>
    isBuiltAtSend(endpoint, posted.delivery)
      ? await buildV1Body(workspaceId, endpoint, posted, presentV1)
      : posted.body,
  post: ({ workspaceId }, found, posted) => postAttempt(workspaceId, found, posted),
  async record({ workspaceId, delivery, isStored, endsSession }, { endpoint }, exchange, after) {
    const attempt = exchange && attemptOf(exchange);
    const created = { ...delivery, endedSession: endsSession };
    const isCreated = !isStored && (await createAttempted(workspaceId, created, attempt, after));
    if (!isCreated && !(await recordAttempt(workspaceId, delivery, attempt, after))) return 'known';
    countOutcome(workspaceId, exchange, after);
    if (exchange) await countV1Outcome(workspaceId, endpoint, { ...delivery, ...after });
    return isCreated ? 'created' : 'updated';
  },
  reportOutage: ({ workspaceId, endpointId }, failingSince) =>
    sendToQueue({ kind: 'report-outage', v: 1, workspaceId, endpointId, failingSince }, ''),
  setTimer: (message, at) => endpointWakes.setTimer({ ...message, at }, message),
  removeWake: ({ workspaceId, endpointId }, at) => endpointWakes.remove({ workspaceId, endpointId, at }),
});

async function load(
  { workspaceId, endpointId }: EndpointRef,
  entries: readonly DueEntry[],
  named: readonly NamedDelivery[],
): Promise<LoadedDeliveries> {
  const ids = named.map((one) => (typeof one === 'string' ? one : one.id));
  const wanted = [...ids, ...entries.map(({ deliveryId }) => deliveryId)];
  const eventIds = named.flatMap((one) => draftOf(one)?.eventId ?? []);
  const { endpoint, deliveries, bodies } = await findAttemptRecords(
    workspaceId,
    endpointId,
    wanted,
    eventIds,
  );
  const due = deliveries.map((stored, at) => {
    const delivery = stored ?? draftOf(named[at]);
    const body = delivery && (delivery.body ?? bodies.get(delivery.eventId) ?? null);
    const isStored = stored !== null;
    // Without its event nothing is stored of a new delivery: its space may be deleted.
    const isGone = !isStored && body === null;
    return { delivery: isGone ? null : delivery, isStored, body, entry: entries[at - ids.length] ?? null };
  });
  return { found: endpoint, due };
}

const draftOf = (named: NamedDelivery | undefined): Delivery | null =>
  typeof named === 'object' ? named : null;

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
