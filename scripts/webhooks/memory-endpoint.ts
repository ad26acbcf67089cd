/** The table as the dispatch of one endpoint sees it, in memory: state, due entries, deliveries with their conditions. */
import { composeId, type EndpointId, type WorkspaceId } from '../../lib/core/ids.ts';
import { type DispatchState, withoutEndedLease } from '../../lib/core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../lib/services/webhooks/dispatch-ports.ts';
import type { FoundEndpoint } from '../../lib/storage/endpoints.ts';
import { type Backlog, bytes, deliveryCalls, newDeliveryItems } from './memory-deliveries.ts';
import { leaseCalls, newLeaseItem } from './memory-lease.ts';

const workspaceId: WorkspaceId = composeId('wks', 0, bytes(0));

/** A model of an endpoint. Each method is one call of the table, and takes effect at once. */
export function memoryEndpoint(
  number: number,
  settings: { maxConcurrency: number; isLarge?: boolean },
  backlog?: Backlog,
) {
  const endpointId: EndpointId = composeId('whk', 0, bytes(number));
  const of: EndpointRef = { workspaceId, endpointId };
  const found: FoundEndpoint = {
    endpoint: {
      id: endpointId,
      url: 'https://receiver.example',
      enabled: true,
      format: 'v2',
      clickEvent: 'link_clicked',
      subscriptions: [],
      routing: [],
      maxConcurrency: settings.maxConcurrency,
      consecutiveFailures: 0,
      previousSecretExpiresAt: null,
      createdAt: 0,
      updatedAt: 0,
    },
    secrets: { current: null, previous: null },
  };
  const items = {
    of,
    found: found as FoundEndpoint | null,
    wakes: new Set<number>(),
    ...newLeaseItem(),
    ...newDeliveryItems(!(backlog || settings.isLarge)),
  };
  const deliveries = deliveryCalls(items, endpointId, backlog);
  return Object.assign(items, leaseCalls(items), deliveries, {
    /** The state without a lease that has ended. */
    currentState(): DispatchState {
      const id = items.state.lease?.endsWith?.id;
      return withoutEndedLease(items.state, id ? deliveries.find(id) : null);
    },
  });
}

export type MemoryEndpoint = ReturnType<typeof memoryEndpoint>;
