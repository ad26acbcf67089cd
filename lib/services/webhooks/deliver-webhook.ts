/**
 * One attempt of a webhook delivery, in stages: load, prepare, send, decide, record (docs/concepts/webhooks.md).
 *
 * The stored delivery says which attempt is due, and an attempt is recorded in the transaction that schedules the next
 * one. A message that arrives twice, late or early changes nothing; a worker that dies between the receiver's answer and
 * the record repeats the attempt, as "at least once" allows.
 */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { type HttpExchange, postToReceiver, type WebhookPost } from '../../adapters/outbound-http.ts';
import { random } from '../../adapters/random.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { DeliverWebhook, OutboxMessage } from '../../core/queue-messages.ts';
import {
  type Attempt,
  type AttemptOutcome,
  afterAttempt,
  type Delivery,
  deliverWebhookMessage,
} from '../../core/webhooks/delivery.ts';
import type { Endpoint, EndpointSecrets } from '../../core/webhooks/endpoint.ts';
import { concurrencySlot } from '../../core/webhooks/slot.ts';
import { count } from '../../observability/count.ts';
import { findDelivery, recordAttempt } from '../../storage/deliveries.ts';
import { findEndpoint } from '../../storage/endpoints.ts';
import { commit } from '../../storage/transactions.ts';
import { prepareAttempt } from './prepare-attempt.ts';

/** An attempt that is due. */
interface Job {
  readonly workspaceId: WorkspaceId;
  readonly delivery: Delivery;
  readonly endpoint: Endpoint;
  readonly secrets: EndpointSecrets;
}

/** Processes a `deliver-webhook` message. Idempotent. */
export async function attemptDelivery(message: DeliverWebhook): Promise<void> {
  const job = await load(message);
  if (!job) return;
  if (isEarly(job.delivery) || message.slot !== currentSlot(job)) return await reschedule(job);
  const exchange = job.endpoint.enabled ? await postToReceiver(await requestOf(job)) : null;
  await record(job, exchange, afterAttempt(job.delivery, exchange, now(), random));
}

/** The attempt of a message, if it is the one that is due; else null. */
async function load(message: DeliverWebhook): Promise<Job | null> {
  const { workspaceId, endpointId, deliveryId, replay, attempt } = message;
  const [delivery, found] = await Promise.all([
    findDelivery(workspaceId, endpointId, deliveryId),
    findEndpoint(workspaceId, endpointId),
  ]);
  if (delivery?.state !== 'pending' || delivery.replay !== replay || delivery.attemptDue !== attempt)
    return null;
  if (found) return { workspaceId, delivery, ...found };
  // The endpoint was deleted: its pending deliveries end.
  await recordAttempt(workspaceId, delivery, null, { state: 'failed', nextAttemptAt: null }, []);
  return null;
}

/** Clocks of functions differ by milliseconds: an attempt that is early by less than this is due. */
const toleranceMs = 1000;

function isEarly({ nextAttemptAt }: Delivery): boolean {
  return nextAttemptAt !== null && now() < nextAttemptAt - toleranceMs;
}

/** The slot by the current `max_concurrency`: a change of it holds at once. */
function currentSlot({ delivery, endpoint }: Job): number {
  return concurrencySlot(delivery.id, endpoint.maxConcurrency);
}

function nextMessage(
  { workspaceId, delivery, endpoint }: Job,
  attempt: number,
  dueAt: number,
): OutboxMessage {
  return { message: deliverWebhookMessage(workspaceId, delivery, endpoint.maxConcurrency, attempt), dueAt };
}

/** Sends the message again at the right time and into the right slot. */
async function reschedule(job: Job): Promise<void> {
  const { attemptDue, nextAttemptAt } = job.delivery;
  await commit(job.workspaceId, [], [nextMessage(job, attemptDue, nextAttemptAt ?? now())]);
}

function requestOf({ workspaceId, delivery, endpoint, secrets }: Job): Promise<WebhookPost> {
  const { eventId: id, body } = delivery;
  return prepareAttempt(workspaceId, { endpoint, secrets }, { id, body });
}

async function record(job: Job, exchange: HttpExchange | null, after: AttemptOutcome): Promise<void> {
  const { workspaceId, delivery } = job;
  const { nextAttemptAt } = after;
  const messages = nextAttemptAt === null ? [] : [nextMessage(job, delivery.attemptDue + 1, nextAttemptAt)];
  await recordAttempt(workspaceId, delivery, exchange && attemptOf(exchange), after, messages);
  if (!exchange) count('WebhookAttemptsSkipped', workspaceId);
  else count(after.state === 'delivered' ? 'WebhookAttemptsSucceeded' : 'WebhookAttemptsFailed', workspaceId);
  if (after.state === 'failed') count('WebhookDeliveriesFailed', workspaceId);
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
