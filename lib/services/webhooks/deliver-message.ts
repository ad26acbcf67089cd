/** The messages of the dispatch of deliveries. */

import type { DeliverWebhook, ResumeEndpoint } from '../../core/queue-messages.ts';
import type { Delivery } from '../../core/webhooks/delivery.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import type { WaitingAttempt } from '../../storage/webhooks/waiting-deliveries.ts';

type Attempt = Pick<WaitingAttempt, 'deliveryId' | 'eventId' | 'createdAt' | 'replay' | 'attempt'>;

/** The message of an attempt that waits. */
export function attemptMessage(
  { workspaceId, endpointId }: EndpointRef,
  { deliveryId, eventId, createdAt, replay, attempt }: Attempt,
): DeliverWebhook {
  return {
    kind: 'deliver-webhook',
    v: 1,
    workspaceId,
    endpointId,
    deliveryId,
    eventId,
    createdAt,
    replay,
    attempt,
  };
}

/** The message of the attempt that is due of a delivery. */
export function deliverMessage(
  of: EndpointRef,
  { id: deliveryId, eventId, createdAt, replay, attemptDue: attempt }: Delivery,
): DeliverWebhook {
  return attemptMessage(of, { deliveryId, eventId, createdAt, replay, attempt });
}

export function resumeMessage({ workspaceId, endpointId }: EndpointRef): ResumeEndpoint {
  return { kind: 'resume-endpoint', v: 1, workspaceId, endpointId };
}
