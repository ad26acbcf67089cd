/** The table as the dispatch of one endpoint sees it, in memory: state, deliveries, waiting entries, with the conditions of their writes. */
import {
  composeId,
  type DeliveryId,
  type EndpointId,
  type EventId,
  idTime,
  type WorkspaceId,
} from '../../lib/core/ids.ts';
import type { DeliverWebhook } from '../../lib/core/queue-messages.ts';
import { type AttemptOutcome, type Delivery, deadlineOf } from '../../lib/core/webhooks/delivery.ts';
import { type DispatchState, newDispatchState } from '../../lib/core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../lib/core/webhooks/endpoint.ts';
import type { Health } from '../../lib/core/webhooks/health.ts';
import type { DueDelivery } from '../../lib/services/webhooks/dispatch-ports.ts';
import type { ReturnedUnits, StateChange, TakenUnits } from '../../lib/storage/webhooks/endpoint-states.ts';
import type { FoundEndpoint } from '../../lib/storage/webhooks/endpoints.ts';
import type { WaitingAttempt } from '../../lib/storage/webhooks/waiting-deliveries.ts';

/** The random part of an id with a number. */
const bytes = (n: number): Uint8Array => {
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint32(6, n);
  return random;
};
/** The number of a delivery, from its id. */
export const numberOf = (id: DeliveryId): number => Number.parseInt(id.slice(-8), 16);

const workspaceId: WorkspaceId = composeId('wks', 0, bytes(0));
const eventId: EventId = composeId('evt', 0, bytes(0));

/** Deliveries that only wait: any number of them, which exist by their number. */
export interface Arrivals {
  /** When number n was created; Unix milliseconds. */
  createdAt(n: number): number;
  /** Numbers below have arrived. */
  end(): number;
}

export type MemoryEndpoint = ReturnType<typeof memoryEndpoint>;

/** A model of an endpoint. Each method is one call of the table, and takes effect at once. */
export function memoryEndpoint(number: number, maxConcurrency: number, arrivals?: Arrivals) {
  const endpointId: EndpointId = composeId('whk', 0, bytes(number));
  const of: EndpointRef = { workspaceId, endpointId };
  const deliveries = new Map<DeliveryId, Delivery>();
  const delivered = new Set<number>();
  const entries = new Map<string, WaitingAttempt>();
  const unseen = unseenNumbers(arrivals);

  function delivery(n: number, createdAt: number): Delivery {
    return {
      id: composeId('dlv', createdAt, bytes(n)),
      endpointId,
      eventId,
      eventType: 'email.sent',
      state: 'pending',
      createdAt,
      expiresAt: Number.POSITIVE_INFINITY,
      body: null,
      replay: 0,
      replayStartedAt: createdAt,
      attemptDue: 1,
      nextAttemptAt: createdAt,
      attempts: [],
    };
  }

  function find(id: DeliveryId): Delivery | null {
    const n = numberOf(id);
    const known = deliveries.get(id);
    if (known) return known;
    if (delivered.has(n)) return { ...delivery(n, idTime(id)), state: 'delivered', nextAttemptAt: null };
    return unseen.has(n) ? delivery(n, idTime(id)) : null;
  }

  const keyOf = ({ deadlineAt, deliveryId, replay, attempt }: WaitingAttempt) =>
    `${String(deadlineAt).padStart(15, '0')}#${deliveryId}#${replay}#${attempt}`;

  function waitingOf(one: Delivery): WaitingAttempt {
    const { id: deliveryId, replay, attemptDue: attempt, createdAt } = one;
    return {
      deliveryId,
      replay,
      attempt,
      eventId,
      createdAt,
      deadlineAt: deadlineOf(one),
    };
  }

  function removeOne(attempt: WaitingAttempt): void {
    if (entries.delete(keyOf(attempt))) return;
    const n = numberOf(attempt.deliveryId);
    if (!unseen.has(n)) return;
    unseen.take(n);
    deliveries.set(attempt.deliveryId, delivery(n, attempt.createdAt));
  }

  const has = (attempt: WaitingAttempt) =>
    entries.has(keyOf(attempt)) || (attempt.attempt === 1 && unseen.has(numberOf(attempt.deliveryId)));

  return Object.assign(stateCalls(), {
    of,
    found: foundEndpoint(endpointId, maxConcurrency) as FoundEndpoint | null,
    deliveries,
    delivered,
    entries,
    unseen,
    delivery,
    find,
    store(drafts: readonly Delivery[]): readonly Delivery[] {
      return drafts.map((draft) => {
        const existing = find(draft.id);
        if (!existing) deliveries.set(draft.id, draft);
        return existing ?? draft;
      });
    },
    addWaiting(all: readonly Delivery[]): void {
      for (const one of all) entries.set(keyOf(waitingOf(one)), waitingOf(one));
    },
    removeWaiting: (all: readonly WaitingAttempt[]): void => all.forEach(removeOne),
    replaceWaiting(all: readonly WaitingAttempt[]): boolean {
      const isThere = all.every(has);
      if (isThere) all.forEach(removeOne);
      return isThere;
    },
    listWaiting(limit: number): readonly WaitingAttempt[] {
      const first = unseen.first(limit).map((n) => waitingOf(delivery(n, arrivals?.createdAt(n) ?? 0)));
      const all = [...entries.values(), ...first].map((one) => ({ key: keyOf(one), one }));
      return all
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, limit)
        .map(({ one }) => one);
    },
    load(messages: readonly DeliverWebhook[]): DueDelivery[] {
      const ids = Map.groupBy(messages, ({ deliveryId }) => deliveryId);
      return [...ids].flatMap(([id, of]) => {
        const stored = find(id);
        const due = stored ?? delivery(numberOf(id), of[0]?.createdAt ?? 0);
        const isOfDue = ({ attempt, replay }: DeliverWebhook) =>
          attempt === due.attemptDue && replay === due.replay;
        const isDue = due.state === 'pending' && of.some(isOfDue);
        return isDue ? [{ delivery: due, isStored: stored !== null, body: '{}', emailId: null }] : [];
      });
    },
    /** False where the attempt is recorded already. */
    record({ delivery: before }: DueDelivery, after: AttemptOutcome): boolean {
      const current = find(before.id) ?? before;
      if (current.state !== 'pending' || current.attemptDue !== before.attemptDue) return false;
      unseen.take(numberOf(before.id));
      if (after.state === 'delivered' && arrivals) {
        deliveries.delete(before.id);
        delivered.add(numberOf(before.id));
      } else deliveries.set(before.id, { ...current, ...after, attemptDue: before.attemptDue + 1 });
      return true;
    },
  });
}

function foundEndpoint(id: EndpointId, maxConcurrency: number): FoundEndpoint {
  const endpoint = {
    id,
    url: 'https://receiver.example',
    enabled: true,
    format: 'v2',
    clickEvent: 'link_clicked',
    subscriptions: [],
    routing: [],
    maxConcurrency,
    include: [],
    consecutiveFailures: 0,
    previousSecretExpiresAt: null,
    createdAt: 0,
    updatedAt: 0,
  } as const;
  return { endpoint, secrets: { current: null, previous: null } };
}

/** Of all endpoints. */
let marks = 0;

/** The calls of the state, with the conditions of `lib/storage/webhooks/endpoint-states.ts`. */
function stateCalls() {
  const calls = {
    state: newDispatchState as DispatchState,
    takeUnits({ token, plan, until, before, health }: TakenUnits): StateChange {
      const { state } = calls;
      const isAsPlanned =
        !state.holders.has(token) &&
        state.healthVersion === before.healthVersion &&
        state.inUse + plan.units - plan.freed <= plan.limit &&
        plan.expired.every((one) => state.holders.has(one));
      if (!isAsPlanned) return { isDone: false, state };
      const holders = new Map([...state.holders].filter(([of]) => !plan.expired.includes(of)));
      holders.set(token, { units: plan.units, until });
      return change({ holders, inUse: state.inUse + plan.units - plan.freed }, health);
    },
    returnUnits({ token, units, before, health }: ReturnedUnits): StateChange {
      const { state } = calls;
      if (!state.holders.has(token) || state.healthVersion !== before.healthVersion) {
        return { isDone: false, state };
      }
      const holders = new Map([...state.holders].filter(([of]) => of !== token));
      return change({ holders, inUse: state.inUse - units }, health);
    },
    markBacklog(): DispatchState {
      return change({ backlog: `mark-${marks++}` }, undefined).state;
    },
    clearBacklog(before: DispatchState, health: Health | undefined): boolean {
      const { state } = calls;
      const isAsSeen = state.backlog === before.backlog && state.healthVersion === before.healthVersion;
      if (isAsSeen) change({ backlog: null }, health);
      return isAsSeen;
    },
  };
  function change(to: Partial<DispatchState>, health: Health | undefined): StateChange {
    const { state } = calls;
    calls.state = { ...state, ...to, ...(health && { health, healthVersion: state.healthVersion + 1 }) };
    return { isDone: true, state: calls.state };
  }
  return calls;
}

/** Numbers of deliveries that have only waited yet. */
function unseenNumbers(arrivals: Arrivals | undefined) {
  const taken = new Set<number>();
  let head = 0;
  const has = (n: number) => arrivals !== undefined && n >= head && n < arrivals.end() && !taken.has(n);
  return {
    has,
    take(n: number): void {
      if (n >= head) taken.add(n);
      while (taken.delete(head)) head += 1;
    },
    count: () => (arrivals ? Math.max(0, arrivals.end() - head) - taken.size : 0),
    first(limit: number): number[] {
      const found: number[] = [];
      const end = arrivals?.end() ?? 0;
      for (let n = head; n < end && found.length < limit; n++) if (!taken.has(n)) found.push(n);
      return found;
    },
  };
}
