/** The receivable messages of a standard queue in the order of a fair queue, and the load of each of its tenants. */
import type { LocalClock } from './service.ts';
import {
  changeLoad,
  compareTenants,
  isNoisy,
  type Load,
  noLoad,
  type WaitingTenant,
} from './sqs-fairness.ts';

/** `undefined`: messages without a group id. */
type Tenant = string | undefined;

/** What can be received, in the order of delivery. Iteration needs each item to be deleted before the next is asked for. */
export interface DeliveryOrder<T> extends Iterable<T> {
  readonly size: number;
  add(item: T): void;
  delete(item: T): void;
}

export interface FairOrder<T> extends DeliveryOrder<T> {
  /** @param change messages that went in flight, or came back when negative */
  noteFlight(item: T, change: number): void;
}

/**
 * SQS takes each message without a group id for a tenant of its own, which has one message in flight at most: here they are
 * quiet whatever they do, and count in the load of the queue.
 */
export function createFairOrder<T>(
  clock: Pick<LocalClock, 'now'>,
  tenantOf: (item: T) => Tenant,
): FairOrder<T> {
  /** Waiting items of each tenant with their positions, first one first. */
  const waiting = new Map<Tenant, Map<T, number>>();
  const loads = new Map<Tenant, Load>();
  let queueLoad = noLoad;
  let size = 0;
  let position = 0;

  function next(): T | undefined {
    const now = clock.now();
    let best: (WaitingTenant & { readonly item: T }) | undefined;
    for (const [tenant, items] of waiting) {
      const load = (tenant !== undefined && loads.get(tenant)) || noLoad;
      const state = { isNoisy: isNoisy(load, queueLoad, now), inFlight: load.inFlight };
      const [first] = items;
      if (!first) continue;
      const candidate = { ...state, item: first[0], position: first[1] };
      if (best === undefined || compareTenants(candidate, best) < 0) best = candidate;
    }
    return best?.item;
  }

  return {
    get size() {
      return size;
    },
    add(item) {
      const items = waiting.get(tenantOf(item)) ?? new Map<T, number>();
      if (items.has(item)) return;
      waiting.set(tenantOf(item), items.set(item, position++));
      size += 1;
    },
    delete(item) {
      const items = waiting.get(tenantOf(item));
      if (!items?.delete(item)) return;
      size -= 1;
      if (items.size === 0) waiting.delete(tenantOf(item));
    },
    noteFlight(item, change) {
      const tenant = tenantOf(item);
      const now = clock.now();
      queueLoad = changeLoad(queueLoad, change, now);
      if (tenant !== undefined) loads.set(tenant, changeLoad(loads.get(tenant) ?? noLoad, change, now));
    },
    *[Symbol.iterator]() {
      for (let item = next(); item !== undefined; item = next()) yield item;
    },
  };
}
