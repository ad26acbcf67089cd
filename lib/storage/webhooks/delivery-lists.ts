/** Lists of the deliveries of an endpoint, with the bodies of their events. */
import { now } from '../../adapters/clock.ts';
import { endWithin } from '../../core/emails/response-size.ts';
import type { EndpointId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { Delivery, DeliveryState } from '../../core/webhooks/delivery.ts';
import { deliveries, deliveriesInState } from '../table/keys.ts';
import { type ListInput, listFiltered, listPage } from '../table/paging.ts';
import type { Item } from '../table/table.ts';
import { findDeletedSpaces } from '../workspaces/deleted-spaces.ts';
import { deliveryCodec } from './deliveries.ts';
import { findEvents, findIdsInDeletedSpaces } from './events.ts';

/** A delivery as it is listed. */
export interface ListedDelivery {
  readonly delivery: Delivery;
  /** The JSON that was posted; null before the first attempt. */
  readonly body: string | null;
}

/**
 * A page of an endpoint's deliveries with attempts and bodies, newest first. It ends early at `limits.pageBytes`; with
 * `state` it may also be short where a delivery changed its state meanwhile, and always where deliveries are of deleted spaces.
 *
 * @param state undefined: every state
 */
export async function listDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  state: DeliveryState | undefined,
  paging: Paging,
): Promise<Page<ListedDelivery>> {
  const input = { pk: deliveries(workspaceId, endpointId), order: 'newest first', ...paging } as const;
  const [page, deleted] = await Promise.all([
    readState(workspaceId, endpointId, state, input),
    findDeletedSpaces(workspaceId),
  ]);
  const found = page.items.map(deliveryCodec.decode);
  const kept = found.filter(({ expiresAt }) => now() < expiresAt);
  // Behind the newest expired delivery, all are expired.
  const next = kept.length < found.length ? null : page.next;
  const inState = kept.filter((delivery) => state === undefined || delivery.state === state);
  const hidden = await findIdsInDeletedSpaces(
    workspaceId,
    deleted,
    inState.map(({ eventId }) => eventId),
  );
  const shown = inState.filter(({ eventId }) => !hidden.has(eventId));
  return truncatePage(await withBodies(workspaceId, shown), next);
}

/** The items of a state. Those that are delivered are in no index. */
async function readState(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  state: DeliveryState | undefined,
  input: ListInput,
): Promise<Page<Item>> {
  if (state === undefined) return await listPage(input);
  // Most are delivered.
  if (state === 'delivered') return await listFiltered(input, (item) => item.state === state, 'most');
  return await listPage({ ...input, pk: deliveriesInState(workspaceId, endpointId, state), index: 'GSI2' });
}

/** Deliveries as they are listed. */
export async function withBodies(
  workspaceId: WorkspaceId,
  listed: readonly Delivery[],
): Promise<readonly ListedDelivery[]> {
  const attempted = listed.filter(({ attempts, body }) => attempts.length > 0 && body === null);
  const events = await findEvents(
    workspaceId,
    attempted.map(({ eventId }) => eventId),
  );
  return listed.map((delivery) => {
    const body = delivery.body ?? events.get(delivery.eventId)?.body ?? null;
    return { delivery, body: delivery.attempts.length > 0 ? body : null };
  });
}

function truncatePage(found: readonly ListedDelivery[], next: string | null): Page<ListedDelivery> {
  const end = endWithin(found, limits.pageBytes);
  const isCut = end < found.length;
  return { items: found.slice(0, end), next: isCut ? (found[end - 1]?.delivery.id ?? null) : next };
}
