/** Who takes an event by its type alone (docs/concepts/webhooks.md#routing). */
import type { WorkspaceId } from '../../core/ids.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { once } from '../../core/work/once.ts';
import { listAllEndpoints } from '../../storage/webhooks/endpoints.ts';
import { findWorkspaceSettings } from '../../storage/workspaces/workspaces.ts';

/** Who takes the events of one batch. */
export interface EventTakers {
  /** The enabled endpoints that subscribe to events of a type. */
  subscribed(workspaceId: WorkspaceId, type: EventType): Promise<readonly Endpoint[]>;
  /** Whether the event log of the workspace is on: events that no endpoint takes are stored, too. */
  hasEventLog(workspaceId: WorkspaceId): Promise<boolean>;
}

/**
 * Reads each workspace once. For one batch of events: they happened before the batch was received, so that a read for the
 * first of them finds every endpoint that the others need.
 */
export function eventTakersOfBatch(): EventTakers {
  const endpointsOf = once(listAllEndpoints);
  const settingsOf = once(findWorkspaceSettings);
  return {
    async subscribed(workspaceId, type) {
      const endpoints = await endpointsOf(workspaceId);
      return endpoints.filter(({ enabled, subscriptions }) => enabled && subscriptions.includes(type));
    },
    async hasEventLog(workspaceId) {
      const { eventLog } = await settingsOf(workspaceId);
      return eventLog;
    },
  };
}
