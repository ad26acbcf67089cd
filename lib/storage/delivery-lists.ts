/** Lists of the deliveries of an endpoint, with the bodies of their events. */
import { now } from '../adapters/clock.ts';
import type { EndpointId, WorkspaceId } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import type { Page, Paging } from '../core/page.ts';
import { endWithin } from '../core/response-size.ts';
import type { Delivery, DeliveryState } from '../core/webhooks/delivery.ts';
import { findDeletedSpaces } from './deleted-spaces.ts';
import { deliveryCodec } from './deliveries.ts';
import { listWaitingIds } from './due-deliveries.ts';
import { findEventBodies, findIdsInDeletedSpaces } from './events.ts';
import { deliveries, deliveriesInState } from './keys.ts';
import { type ListInput, listEntries, listFiltered, listPage } from './paging.ts';
import { getMany } from './reads.ts';
import type { Item } from './table.ts';

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
  const inIndex = (of: 'failed' | 'pending'): ListInput => ({
    ...input,
    pk: deliveriesInState(workspaceId, endpointId, of),
    index: 'GSI2',
  });
  const [page, deleted] = await Promise.all([
    readState(workspaceId, endpointId, state, input, inIndex),
    findDeletedSpaces(workspaceId),
  ]);
  const found = page.items.map(deliveryCodec.decode);
  const kept = found.filter(({ expiresAt }) => expiresAt === null || now() < expiresAt);
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

/** The items of a state. Only those that failed, or wait after a failed attempt, are in the index. */
async function readState(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  state: DeliveryState | undefined,
  input: ListInput,
  inIndex: (of: 'failed' | 'pending') => ListInput,
): Promise<Page<Item>> {
  if (state === undefined) return await listPage(input);
  // Most are delivered.
  if (state === 'delivered') return await listFiltered(input, (item) => item.state === state, 'most');
  if (state === 'failed') return await listPage(inIndex(state));
  const indexed = await listEntries(inIndex(state));
  const waiting = await listWaitingIds(workspaceId, endpointId, input.after, input.limit + 1);
  const ids = new Set([...indexed.items.map(({ sk }) => sk), ...waiting]);
  const newest = [...ids].sort().reverse();
  const shown = newest.slice(0, input.limit);
  const isMore = indexed.next !== null || newest.length > shown.length;
  const items = await getMany(shown.map((sk) => ({ pk: input.pk, sk })));
  return { items: items.filter((item) => item !== null), next: isMore ? (shown.at(-1) ?? null) : null };
}

/** Deliveries as they are listed. */
export async function withBodies(
  workspaceId: WorkspaceId,
  listed: readonly Delivery[],
): Promise<readonly ListedDelivery[]> {
  const attempted = listed.filter(({ attempts, body }) => attempts.length > 0 && body === null);
  const bodies = await findEventBodies(
    workspaceId,
    attempted.map(({ eventId }) => eventId),
  );
  return listed.map((delivery) => {
    const body = delivery.body ?? bodies.get(delivery.eventId) ?? null;
    return { delivery, body: delivery.attempts.length > 0 ? body : null };
  });
}

function truncatePage(found: readonly ListedDelivery[], next: string | null): Page<ListedDelivery> {
  const end = endWithin(found, limits.pageBytes);
  const isCut = end < found.length;
  return { items: found.slice(0, end), next: isCut ? (found[end - 1]?.delivery.id ?? null) : next };
}
