/** Makes the attempt of a delivery in the format of its endpoint (docs/concepts/webhooks.md#format-v1). */
import { type HttpExchange, postToReceiver } from '../../adapters/outbound-http.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Delivery } from '../../core/webhooks/delivery.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import { v1FailuresMax } from '../../core/webhooks/v1-format.ts';
import { logEvent } from '../../observability/log.ts';
import { countOutcome, type FoundEndpoint } from '../../storage/webhooks/endpoints.ts';
import type { Posted } from './dispatch-ports.ts';
import { prepareAttempt } from './prepare-attempt.ts';

/** Posts a body in the format of its endpoint, with signature. */
export async function postAttempt(
  workspaceId: WorkspaceId,
  found: FoundEndpoint,
  { delivery: { eventId: id }, body, atMs }: Posted,
): Promise<HttpExchange> {
  return await postToReceiver(await prepareAttempt(workspaceId, found, { id, body }, atMs));
}

/**
 * Counts the outcome of a recorded attempt at an endpoint of format `v1`, and pauses the endpoint after
 * `v1FailuresMax` failures in a row. Replays do not count.
 */
export async function countV1Outcome(
  workspaceId: WorkspaceId,
  endpoint: Endpoint,
  { replay, state }: Pick<Delivery, 'replay' | 'state'>,
): Promise<void> {
  if (endpoint.format !== 'v1' || replay > 0) return;
  const isPaused = await countOutcome(workspaceId, endpoint, state === 'delivered', v1FailuresMax);
  if (isPaused) logEvent('webhook.endpoint_paused', { workspace_id: workspaceId, endpoint_id: endpoint.id });
}
