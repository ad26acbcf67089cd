/** The deliveries of one endpoint and their due entries, in memory. */
import { composeId, type DeliveryId, type EndpointId, type EventId, idTime } from '../../lib/core/ids.ts';
import { type AttemptOutcome, type Delivery, deadlineOf } from '../../lib/core/webhooks/delivery.ts';
import type { DueDelivery, NamedDelivery, Recorded } from '../../lib/services/webhooks/dispatch-ports.ts';
import type { DueEntry } from '../../lib/storage/due-deliveries.ts';

/** The random part of an id with a number. */
export const bytes = (n: number): Uint8Array => {
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint32(6, n);
  return random;
};
/** The number of a delivery, from its id. */
export const numberOf = (id: DeliveryId): number => Number.parseInt(id.slice(-8), 16);
const eventId: EventId = composeId('evt', 0, bytes(0));

/** Deliveries that nothing has been done with yet: any number of them, which exist by their number only. */
export interface Backlog {
  /** When number n was created; Unix milliseconds. */
  createdAt(n: number): number;
  /** Numbers below wait with an entry, unless they are taken. */
  end(): number;
}

/** What is stored of an endpoint's deliveries. */
export interface DeliveryItems {
  /** Deliveries that something has been done with, as long as they are not delivered. Those in messages are not stored. */
  readonly deliveries: Map<DeliveryId, Delivery>;
  /** Numbers of those that are delivered; undefined: these stay in `deliveries`. */
  readonly delivered: Set<number> | undefined;
  readonly entries: Map<string, DueEntry>;
  /** Numbers of the backlog that have no entry any more, or have one among `entries`. */
  readonly taken: Set<number>;
  /** Numbers below are all taken. */
  head: number;
  /** The delivered number whose record was the last to end a session. Earlier ones are not asked for. */
  lastEnded: { readonly n: number; readonly session: number } | null;
}

export function newDeliveryItems(keepsDelivered: boolean): DeliveryItems {
  return {
    deliveries: new Map(),
    delivered: keepsDelivered ? undefined : new Set(),
    entries: new Map(),
    taken: new Set(),
    head: 0,
    lastEnded: null,
  };
}

/** The calls of the table on deliveries and due entries; each takes effect at once. */
export function deliveryCalls(items: DeliveryItems, endpointId: EndpointId, backlog?: Backlog) {
  const calls = {
    delivery(n: number, createdAt: number): Delivery {
      return {
        id: composeId('dlv', createdAt, bytes(n)),
        endpointId,
        eventId,
        eventType: 'email.sent',
        state: 'pending',
        createdAt,
        expiresAt: null,
        body: '{}',
        replay: 0,
        replayStartedAt: createdAt,
        attemptDue: 1,
        nextAttemptAt: createdAt,
        attempts: [],
        endedSession: null,
      };
    },
    find(id: DeliveryId): Delivery | null {
      const known = items.deliveries.get(id);
      const n = numberOf(id);
      if (known) return known;
      if (items.delivered?.has(n)) {
        const endedSession = items.lastEnded?.n === n ? items.lastEnded.session : null;
        return { ...calls.delivery(n, idTime(id)), state: 'delivered', nextAttemptAt: null, endedSession };
      }
      const isTaken = n < items.head || items.taken.has(n);
      return backlog && !isTaken ? calls.delivery(n, backlog.createdAt(n)) : null;
    },
    store(delivery: Delivery): Delivery {
      const existing = calls.find(delivery.id);
      if (!existing) items.deliveries.set(delivery.id, delivery);
      return existing ?? delivery;
    },
    take(n: number): void {
      if (n >= items.head) items.taken.add(n);
      while (items.taken.delete(items.head)) items.head += 1;
    },

    keyOf({ id, attemptDue, replay, nextAttemptAt }: Delivery): string {
      if (attemptDue === 1 && replay === 0) return `N#${id}`;
      return `R#${String(nextAttemptAt).padStart(15, '0')}#${id}`;
    },
    entryOf(delivery: Delivery): DueEntry {
      const sk = calls.keyOf(delivery);
      const dueAt = sk.startsWith('N#') ? 0 : (delivery.nextAttemptAt ?? 0);
      return {
        key: { pk: endpointId, sk },
        deliveryId: delivery.id,
        dueAt,
        deadlineAt: deadlineOf(delivery),
      };
    },
    addDue(delivery: Delivery): void {
      const entry = calls.entryOf(delivery);
      items.entries.set(entry.key.sk, entry);
    },
    removeDue({ key, deliveryId }: DueEntry): void {
      if (!items.entries.delete(key.sk) && backlog) calls.take(numberOf(deliveryId));
    },
    listDue(limit: number): { fresh: DueEntry[]; retries: DueEntry[] } {
      const explicit = [...items.entries.values()].sort((a, b) => (a.key.sk < b.key.sk ? -1 : 1));
      const fresh = explicit.filter(({ key }) => key.sk.startsWith('N#'));
      const wanted = fresh.length + limit;
      for (let n = items.head; backlog && fresh.length < wanted && n < backlog.end(); n++) {
        if (!items.taken.has(n)) fresh.push(calls.entryOf(calls.delivery(n, backlog.createdAt(n))));
      }
      fresh.sort((a, b) => (a.key.sk < b.key.sk ? -1 : 1));
      const retries = explicit.filter(({ key }) => key.sk.startsWith('R#'));
      return { fresh: fresh.slice(0, limit), retries: retries.slice(0, limit) };
    },
    load(entries: readonly DueEntry[], named: readonly NamedDelivery[]): DueDelivery[] {
      const read = (one: NamedDelivery, entry: DueEntry | null): DueDelivery => {
        const stored = calls.find(typeof one === 'string' ? one : one.id);
        const delivery = stored ?? (typeof one === 'string' ? null : one);
        return { delivery, isStored: stored !== null, body: '{}', entry };
      };
      return [
        ...named.map((one) => read(one, null)),
        ...entries.map((entry) => read(entry.deliveryId, entry)),
      ];
    },
    record(before: Delivery, isStored: boolean, after: AttemptOutcome): Recorded {
      const stored = calls.find(before.id);
      const current = stored ?? (isStored ? null : before);
      const isDue = current?.attemptDue === before.attemptDue && current.replay === before.replay;
      if (current?.state !== 'pending' || !isDue) return 'known';
      const { endedSession: session } = current;
      if (session !== null) items.lastEnded = { n: numberOf(before.id), session };
      if (after.state === 'delivered' && items.delivered) {
        items.deliveries.delete(before.id);
        items.delivered.add(numberOf(before.id));
      } else {
        items.deliveries.set(before.id, { ...current, ...after, attemptDue: before.attemptDue + 1 });
      }
      return stored ? 'updated' : 'created';
    },
  };
  return calls;
}
