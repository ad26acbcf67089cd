/** Who takes an event by its type alone (docs/concepts/webhooks.md#routing). */
import type { WorkspaceId } from '../../core/ids.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { listAllEndpoints } from '../../storage/endpoints.ts';
import { findWorkspaceSettings } from '../../storage/workspaces.ts';

/** Who takes events of a type: the enabled endpoints that subscribe to it, and the event log of the workspace if it is on. */
export async function eventTakers(workspaceId: WorkspaceId, type: EventType) {
  const [endpoints, { eventLog }] = await Promise.all([
    listAllEndpoints(workspaceId),
    findWorkspaceSettings(workspaceId),
  ]);
  const subscribed = endpoints.filter(
    ({ enabled, subscriptions }) => enabled && subscriptions.includes(type),
  );
  return { subscribed, eventLog, isTaken: subscribed.length > 0 || eventLog };
}
