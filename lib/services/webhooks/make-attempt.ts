/** One attempt: the request, its record with the message of the next one, and what it says about the endpoint. */

import { afterAttempt, type Delivery } from '../../core/webhooks/delivery.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import type { AttemptResult } from '../../core/webhooks/health.ts';
import type { WebhookBody } from '../../core/webhooks/signature.ts';
import { afterV1Attempt } from '../../core/webhooks/v1-format.ts';
import { deliverMessage } from './deliver-message.ts';
import type { DispatchPorts, DueDelivery, Target } from './dispatch-ports.ts';

/** Makes an attempt and records it. @throws errors of its record */
export async function makeAttempt(
  ports: DispatchPorts,
  target: Target,
  due: DueDelivery,
): Promise<AttemptResult['outcome']> {
  const { delivery } = due;
  const { enabled, format } = target.found.endpoint;
  const attempt = { delivery, body: due.body ?? '', atMs: ports.now() };
  const body = enabled && due.body !== null ? await ports.bodyOf(target, attempt) : null;
  if (enabled && body === null) {
    await recordFailed(ports, target, due);
    return 'uncounted';
  }
  const exchange = body === null ? null : await ports.post(target, { ...attempt, body });
  const after =
    format === 'v1' ? afterV1Attempt(exchange) : afterAttempt(delivery, exchange, ports.now(), ports.random);
  const messages = after.state === 'pending' ? [nextOf(target.of, delivery, after.nextAttemptAt)] : [];
  await ports.record(target, withBody(due, body), { exchange, after, messages });
  if (!exchange) return 'skipped';
  if (delivery.replay > 0) return 'uncounted';
  return after.state === 'delivered' ? 'success' : 'failure';
}

/** A body that was built of event and email stays with the delivery: the next attempt posts it, and it is shown. */
function withBody(due: DueDelivery, posted: WebhookBody | null): DueDelivery {
  if (typeof posted !== 'string' || posted === due.body) return due;
  return { ...due, delivery: { ...due.delivery, body: posted } };
}

/** The message of the attempt that follows. */
function nextOf(of: EndpointRef, delivery: Delivery, nextAttemptAt: number | null) {
  const next = { ...delivery, attemptDue: delivery.attemptDue + 1 };
  return { message: deliverMessage(of, next), dueAt: nextAttemptAt ?? undefined };
}

/** Records a delivery as failed without a further attempt: it is overdue, or nothing is left to post. */
export async function recordFailed(
  ports: Pick<DispatchPorts, 'record'>,
  target: Target,
  due: DueDelivery,
): Promise<void> {
  const after = { state: 'failed', nextAttemptAt: null } as const;
  await ports.record(target, due, { exchange: null, after, messages: [] });
}
