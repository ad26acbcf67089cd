/** Who takes an event by its type alone (docs/concepts/webhooks.md#routing). */
import type { WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { listAllEndpoints } from '../../storage/endpoints.ts';
import { findWorkspaceSettings } from '../../storage/workspaces.ts';

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

/** Who takes an event: where its message says that the event log is on, the workspace is not read for it. */
export function takersOf({ hasEventLog }: PublishEvent, takers: EventTakers): EventTakers {
  return hasEventLog ? { ...takers, hasEventLog: async () => true } : takers;
}

/**
 * The message of an event with what the relay learned of its takers; null where nobody takes it. The item of the workspace,
 * which much else reads, is read where no endpoint subscribes to the event.
 */
export async function ifTaken(message: PublishEvent, takers: EventTakers): Promise<PublishEvent | null> {
  const { workspaceId, type } = message;
  if ((await takers.subscribed(workspaceId, type)).length > 0) return message;
  return (await takers.hasEventLog(workspaceId)) ? { ...message, hasEventLog: true } : null;
}

/** A read that is made once for each workspace, and again where it failed. */
function once<T>(read: (workspaceId: WorkspaceId) => Promise<T>): (workspaceId: WorkspaceId) => Promise<T> {
  const reads = new Map<WorkspaceId, Promise<T>>();
  return async (workspaceId) => {
    const begun = reads.get(workspaceId) ?? read(workspaceId);
    reads.set(workspaceId, begun);
    try {
      return await begun;
    } catch (error) {
      reads.delete(workspaceId);
      throw error;
    }
  };
}
