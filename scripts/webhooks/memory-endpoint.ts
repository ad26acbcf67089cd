/** The table as the dispatch of one endpoint sees it, in memory: state, due entries, deliveries with their conditions. */
import {
  composeId,
  type DeliveryId,
  type EndpointId,
  type EventId,
  idTime,
  type WorkspaceId,
} from '../../lib/core/ids.ts';
import { type AttemptOutcome, type Delivery, deadlineOf } from '../../lib/core/webhooks/delivery.ts';
import { type DispatchState, session } from '../../lib/core/webhooks/dispatch.ts';
import { newHealth } from '../../lib/core/webhooks/health.ts';
import type { DueDelivery, EndpointRef, NamedDelivery } from '../../lib/services/webhooks/dispatch-ports.ts';
import type { DueEntry } from '../../lib/storage/due-deliveries.ts';
import type { FoundEndpoint } from '../../lib/storage/endpoints.ts';

const bytes = (n: number): Uint8Array => {
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint32(6, n);
  return random;
};
/** The number of a delivery, from its id. */
export const numberOf = (id: DeliveryId): number => Number.parseInt(id.slice(-8), 16);
const workspaceId: WorkspaceId = composeId('wks', 0, bytes(0));
const eventId: EventId = composeId('evt', 0, bytes(0));

/** Deliveries that nothing has been done with yet: any number of them, which exist by their number only. */
export interface Backlog {
  /** When number n was created; Unix milliseconds. */
  createdAt(n: number): number;
  /** Numbers below wait with an entry, unless they are taken. */
  end(): number;
}

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
  const model = {
    of,
    found: found as FoundEndpoint | null,
    state: {
      lease: null,
      again: false,
      sessions: 0,
      calledUntil: null,
      wakeAt: null,
      health: newHealth,
    } as DispatchState,
    /** Deliveries that something has been done with, as long as they are not delivered. Those in messages are not stored. */
    deliveries: new Map<DeliveryId, Delivery>(),
    /** Numbers of those that are delivered; undefined: these stay in `deliveries`. */
    delivered: backlog || settings.isLarge ? new Set<number>() : undefined,
    entries: new Map<string, DueEntry>(),
    /** Numbers of the backlog that have no entry any more, or have one among `entries`. */
    taken: new Set<number>(),
    /** Numbers below are all taken. */
    head: 0,
    wakes: new Set<number>(),
    changed: () => {},

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
      };
    },
    find(id: DeliveryId): Delivery | null {
      const known = model.deliveries.get(id);
      const n = numberOf(id);
      if (known) return known;
      if (model.delivered?.has(n)) {
        return { ...model.delivery(n, idTime(id)), state: 'delivered', nextAttemptAt: null };
      }
      const isTaken = n < model.head || model.taken.has(n);
      return backlog && !isTaken ? model.delivery(n, backlog.createdAt(n)) : null;
    },
    store(delivery: Delivery): Delivery {
      const existing = model.find(delivery.id);
      if (!existing) model.deliveries.set(delivery.id, delivery);
      return existing ?? delivery;
    },
    take(n: number): void {
      if (n >= model.head) model.taken.add(n);
      while (model.taken.delete(model.head)) model.head += 1;
    },

    keyOf({ id, attemptDue, replay, nextAttemptAt }: Delivery): string {
      if (attemptDue === 1 && replay === 0) return `N#${id}`;
      return `R#${String(nextAttemptAt).padStart(15, '0')}#${id}`;
    },
    entryOf(delivery: Delivery): DueEntry {
      const sk = model.keyOf(delivery);
      const dueAt = sk.startsWith('N#') ? 0 : (delivery.nextAttemptAt ?? 0);
      return {
        key: { pk: endpointId, sk },
        deliveryId: delivery.id,
        dueAt,
        deadlineAt: deadlineOf(delivery),
      };
    },
    addDue(delivery: Delivery): void {
      const entry = model.entryOf(delivery);
      model.entries.set(entry.key.sk, entry);
    },
    removeDue({ key, deliveryId }: DueEntry): void {
      if (!model.entries.delete(key.sk) && backlog) model.take(numberOf(deliveryId));
    },
    listDue(limit: number): { fresh: DueEntry[]; retries: DueEntry[] } {
      const explicit = [...model.entries.values()].sort((a, b) => (a.key.sk < b.key.sk ? -1 : 1));
      const fresh = explicit.filter(({ key }) => key.sk.startsWith('N#'));
      const wanted = fresh.length + limit;
      for (let n = model.head; backlog && fresh.length < wanted && n < backlog.end(); n++) {
        if (!model.taken.has(n)) fresh.push(model.entryOf(model.delivery(n, backlog.createdAt(n))));
      }
      fresh.sort((a, b) => (a.key.sk < b.key.sk ? -1 : 1));
      const retries = explicit.filter(({ key }) => key.sk.startsWith('R#'));
      return { fresh: fresh.slice(0, limit), retries: retries.slice(0, limit) };
    },
    load(entries: readonly DueEntry[], named: readonly NamedDelivery[]): DueDelivery[] {
      const read = (one: NamedDelivery, entry: DueEntry | null): DueDelivery => {
        const stored = model.find(typeof one === 'string' ? one : one.id);
        const delivery = stored ?? (typeof one === 'string' ? null : one);
        return { delivery, isStored: stored !== null, body: '{}', entry };
      };
      return [
        ...named.map((one) => read(one, null)),
        ...entries.map((entry) => read(entry.deliveryId, entry)),
      ];
    },
    record(before: Delivery, isStored: boolean, after: AttemptOutcome): boolean {
      const current = model.find(before.id) ?? (isStored ? null : before);
      const isDue = current?.attemptDue === before.attemptDue && current.replay === before.replay;
      if (current?.state !== 'pending' || !isDue) return false;
      if (after.state === 'delivered' && model.delivered) {
        model.deliveries.delete(before.id);
        model.delivered.add(numberOf(before.id));
      } else {
        model.deliveries.set(before.id, { ...current, ...after, attemptDue: before.attemptDue + 1 });
      }
      return true;
    },

    acquire(token: string, nowMs: number): DispatchState | null {
      const { lease } = model.state;
      if (lease && lease.until > nowMs) return null;
      const { sessions } = model.state;
      const taken = { token, until: nowMs + session.leaseMs };
      model.state = { ...model.state, again: false, sessions: sessions + 1, calledUntil: null, lease: taken };
      model.changed();
      return model.state;
    },
    noteCall(sessions: number, untilMs: number): void {
      if (model.state.sessions !== sessions) return;
      model.state = { ...model.state, calledUntil: untilMs };
      model.changed();
    },
    askAgain(token: string): boolean {
      if (model.state.lease?.token !== token) return false;
      model.state = { ...model.state, again: true };
      model.changed();
      return true;
    },
    clearAgain(token: string): boolean {
      if (model.state.lease?.token !== token) return false;
      model.state = { ...model.state, again: false };
      model.changed();
      return true;
    },
    release(
      token: string,
      { health, wakeAt }: Pick<DispatchState, 'health' | 'wakeAt'>,
      isHandedOver: boolean,
    ): boolean {
      const { lease, again } = model.state;
      if (lease?.token !== token || (again && !isHandedOver)) return false;
      model.state = { ...model.state, lease: null, again: false, wakeAt, health };
      model.changed();
      return true;
    },
  };
  return model;
}

export type MemoryEndpoint = ReturnType<typeof memoryEndpoint>;
