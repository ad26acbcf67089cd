/** The body of an attempt in format `v1` (docs/concepts/webhooks.md#format-v1). Loaded for endpoints of this format only. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import { findEvent } from '../../storage/webhooks/events.ts';
import type { Posted } from './dispatch-ports.ts';
import { loadV1Event, type V1Event } from './load-v1-event.ts';

/** Presents the body of an attempt in format `v1`: `presentV1Webhook` of lib/http. */
export type PresentV1 = (
  event: V1Event,
  attempt: Pick<Endpoint, 'clickEvent'> & { readonly number: number; readonly atMs: number },
) => object;

/** The body of an event in format `v1`, as its email is now; null where the email is gone. */
export async function buildV1Body(
  workspaceId: WorkspaceId,
  endpoint: Endpoint,
  { delivery, atMs }: Posted,
  presentV1: PresentV1,
): Promise<Buffer | null> {
  const stored = await findEvent(workspaceId, delivery.eventId);
  const event = stored && (await loadV1Event(workspaceId, stored));
  const { clickEvent, consecutiveFailures } = endpoint;
  const attempt = { clickEvent, number: consecutiveFailures + 1, atMs };
  return event && Buffer.from(JSON.stringify(presentV1(event, attempt)));
}
