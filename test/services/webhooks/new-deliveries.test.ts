/** New deliveries, which are in a message only until their first attempt (docs/decisions/0043-webhook-dispatch.md). */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import type { EventId } from '../../../lib/core/ids.ts';
import type { DeliverWebhook } from '../../../lib/core/queue-messages.ts';
import { newTeardown } from '../../../lib/core/teardown.ts';
import { newDelivery } from '../../../lib/core/webhooks/delivery.ts';
import type { StoredEvent } from '../../../lib/core/webhooks/event.ts';
import { newHealth } from '../../../lib/core/webhooks/health.ts';
import type { Lane } from '../../../lib/core/webhooks/lane.ts';
import { presentV1Webhook } from '../../../lib/http/presenters/v1/webhook.ts';
import { createSpace } from '../../../lib/services/spaces/spaces.ts';
import { announceDeliveries, deliverMessage } from '../../../lib/services/webhooks/announce-delivery.ts';
import { deliverDue } from '../../../lib/services/webhooks/deliver-due.ts';
import { deliveryPorts } from '../../../lib/services/webhooks/delivery-ports.ts';
import type { DispatchPorts } from '../../../lib/services/webhooks/dispatch-ports.ts';
import { createEndpoint } from '../../../lib/services/webhooks/endpoints.ts';
import { findDelivery } from '../../../lib/storage/deliveries.ts';
import { listDeliveries } from '../../../lib/storage/delivery-lists.ts';
import { listDueEntries } from '../../../lib/storage/due-deliveries.ts';
import {
  acquireEndpoint,
  findDispatchState,
  findEndpointState,
  releaseEndpoint,
} from '../../../lib/storage/endpoint-states.ts';
import { deleteEndpoint } from '../../../lib/storage/endpoints.ts';
import { storeEvent } from '../../../lib/storage/events.ts';
import { deleteSpace } from '../../../lib/storage/teardowns.ts';
import { ownCalls } from '../../support/calls.ts';
import { deletionOf, tag } from '../../support/deleted-space.ts';
import { storedEvent } from '../../support/events.ts';
import { workspace } from '../../support/workspace.ts';

/** The lease of another worker. */
const another = { token: 'another', lane: 'slow', endsWith: null, idleAfter: null } as const;

/** An endpoint whose receiver answers `status`, and a new delivery to it. */
async function begin({ status = 200, ...change }: Partial<StoredEvent> & { status?: number } = {}) {
  const { id: workspaceId } = await workspace();
  const settings = { url: 'https://hooks.example/', routing: [], enabled: true, maxConcurrency: 2 };
  const { endpoint } = await createEndpoint(workspaceId, { ...settings, subscriptions: ['email.sent'] });
  const of = { workspaceId, endpointId: endpoint.id };
  const event = await storeEvent(workspaceId, storedEvent(change));
  const delivery = newDelivery(event, endpoint.id, now());
  const posted: EventId[] = [];
  const sent: DeliverWebhook[] = [];
  const ports: DispatchPorts = {
    ...deliveryPorts(presentV1Webhook),
    async post(_, __, attempt) {
      posted.push(attempt.delivery.eventId);
      const answer = { statusCode: status, error: null, response: '', retryAfter: null };
      return { ...answer, durationMs: 1, requestedAtMs: now() };
    },
    send: async (...messages) => void sent.push(...messages),
    setTimer: async () => {},
  };
  const occupy = () => acquireEndpoint(workspaceId, endpoint.id, another, now());
  return {
    of,
    event,
    delivery,
    ports,
    posted,
    sent,
    /** Processes the message that hands the delivery over. */
    deliver: (token = 'message') =>
      deliverDue(ports, deliverMessage(of, 'slow', [delivery]), `${delivery.id}-${token}`),
    find: () => findDelivery(workspaceId, endpoint.id, delivery.id),
    /** Ids of the deliveries that have a due entry. */
    due: async () => {
      const { fresh, retries } = await listDueEntries(workspaceId, endpoint.id, 10);
      return [...fresh, ...retries].map(({ deliveryId }) => deliveryId);
    },
    /** Another worker has the lease. */
    occupy,
    /** It has released it, and has left the endpoint in a lane. */
    async rest(lane: Lane) {
      await occupy();
      const found = { health: { ...newHealth, lane }, wakeAt: null };
      await releaseEndpoint(workspaceId, endpoint.id, another.token, found, { isHandedOver: false });
    },
  };
}

describe('a new delivery', () => {
  it('is listed from its first attempt on when its endpoint is idle', async () => {
    const { of, event, delivery, ports, sent, find, posted } = await begin();
    const list = async () => {
      const page = { limit: 10, after: null };
      const { items } = await listDeliveries(of.workspaceId, of.endpointId, undefined, page);
      return items.map(({ delivery: { id, state } }) => [id, state]);
    };
    const state = await findEndpointState(of.workspaceId, of.endpointId);
    await announceDeliveries(ports, [{ of, draft: delivery, state }]);
    expect(sent).toEqual([deliverMessage(of, 'slow', [delivery], 0)]);
    expect(await list()).toEqual([]);
    for (const message of sent) await deliverDue(ports, message, delivery.id);
    expect(await list()).toEqual([[delivery.id, 'delivered']]);
    expect(await find()).toMatchObject({
      ...delivery,
      state: 'delivered',
      nextAttemptAt: null,
      attemptDue: 2,
      attempts: [{ statusCode: 200 }],
    });
    expect(posted).toEqual([event.id]);
  });

  it.each([
    ['fast', ['BatchGetItem', 'PutItem', 'UpdateItem']],
    ['slow', ['BatchGetItem', 'PutItem', 'UpdateItem', 'UpdateItem']],
  ] as const)(
    'takes as few calls as it can when its endpoint is idle in the %s lane',
    async (lane, least) => {
      const { of, delivery, ports, rest, posted } = await begin();
      await rest(lane);
      const message = deliverMessage(of, lane, [delivery]);
      const calls = await ownCalls(() => deliverDue(ports, message, delivery.id));
      expect(posted).toHaveLength(1);
      expect(calls).toEqual(least);
    },
  );

  it('is handed over when the last session ended with the record of its delivery', async () => {
    const { of, delivery, ports, rest, sent, posted } = await begin();
    await rest('fast');
    await deliverDue(ports, deliverMessage(of, 'fast', [delivery]), delivery.id);
    const stored = await findEndpointState(of.workspaceId, of.endpointId);
    expect(stored.lease).toMatchObject({ token: delivery.id, endsWith: { id: delivery.id } });
    const state = await findDispatchState(of.workspaceId, of.endpointId);
    expect(state).toEqual({ ...stored, lease: null });
    const next = newDelivery(await storeEvent(of.workspaceId, storedEvent()), of.endpointId, now());
    await announceDeliveries(ports, [{ of, draft: next, state }]);
    expect(sent).toEqual([deliverMessage(of, 'fast', [next], stored.sessions)]);
    for (const message of sent) await deliverDue(ports, message, next.id);
    expect(posted).toEqual([delivery.eventId, next.eventId]);
    expect(await findEndpointState(of.workspaceId, of.endpointId)).toMatchObject({
      sessions: stored.sessions + 1,
      lease: { endsWith: { id: next.id } },
    });
  });

  it('is attempted by the session that its announcement met, which then releases its lease', async () => {
    const { of, delivery, ports, rest, find, due, posted } = await begin();
    await rest('fast');
    const next = newDelivery(await storeEvent(of.workspaceId, storedEvent()), of.endpointId, now());
    const { post } = ports;
    const during: DispatchPorts = {
      ...ports,
      async post(...attempt) {
        const state = await findDispatchState(of.workspaceId, of.endpointId);
        if (posted.length === 0) await announceDeliveries(ports, [{ of, draft: next, state }]);
        return await post(...attempt);
      },
    };
    await deliverDue(during, deliverMessage(of, 'fast', [delivery]), delivery.id);
    expect(posted).toEqual([delivery.eventId, next.eventId]);
    expect(await find()).toMatchObject({ state: 'delivered', endedSession: null });
    expect(await due()).toEqual([]);
    expect(await findEndpointState(of.workspaceId, of.endpointId)).toMatchObject({ lease: null });
  });

  it('is attempted once when its message is repeated', async () => {
    const { deliver, find, posted, due } = await begin();
    for (const token of ['one', 'one', 'two']) await deliver(token);
    expect(posted).toHaveLength(1);
    expect((await find())?.attempts).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it('waits for its retry when its first attempt fails, also when its message is repeated', async () => {
    const { delivery, deliver, find, posted, due } = await begin({ status: 500 });
    for (const token of ['one', 'two']) await deliver(token);
    expect(posted).toHaveLength(1);
    expect(await find()).toMatchObject({ state: 'pending', attemptDue: 2, attempts: [{ statusCode: 500 }] });
    expect(await due()).toEqual([delivery.id]);
  });

  it('is stored with a due entry when another worker has the lease', async () => {
    const { of, delivery, ports, deliver, find, posted, due, occupy } = await begin();
    await occupy();
    await deliver();
    expect(await find()).toEqual(delivery);
    expect(await due()).toEqual([delivery.id]);
    expect(posted).toEqual([]);
    const found = { health: newHealth, wakeAt: null };
    // It was asked to look again.
    const release = (isHandedOver: boolean) =>
      releaseEndpoint(of.workspaceId, of.endpointId, 'another', found, { isHandedOver });
    expect(await release(false)).toBe(false);
    expect(await release(true)).toBe(true);
    await deliverDue(ports, deliverMessage(of, 'slow'), `${delivery.id}-next`);
    expect(await find()).toMatchObject({ state: 'delivered' });
    expect(await due()).toEqual([]);
  });

  it('is recorded once when a repeated message stores it during its attempt', async () => {
    const { delivery, ports, deliver, find, due, of } = await begin();
    const { post } = ports;
    const during: DispatchPorts = {
      ...ports,
      async post(...attempt) {
        await deliver('repeated');
        expect(await due()).toEqual([delivery.id]);
        return await post(...attempt);
      },
    };
    await deliverDue(during, deliverMessage(of, 'slow', [delivery]), `${delivery.id}-first`);
    expect(await find()).toMatchObject({ state: 'delivered', attempts: [{ statusCode: 200 }] });
    expect(await due()).toEqual([]);
  });

  it.each([
    ['idle', false],
    ['busy', true],
  ])('is not stored when its endpoint was deleted while it was %s', async (_, isBusy) => {
    const { of, deliver, find, posted, due, occupy } = await begin();
    if (isBusy) await occupy();
    await deleteEndpoint(of.workspaceId, of.endpointId);
    await deliver();
    expect([await find(), await due(), posted]).toEqual([null, [], []]);
  });

  it.each([
    ['idle', false],
    ['busy', true],
  ])('is not stored when its space was deleted and its endpoint is %s', async (_, isBusy) => {
    const { of, posted, due, occupy, ports } = await begin();
    const space = await createSpace(of.workspaceId, { name: 'Acme', externalId: tag() });
    const spaceId = space.id;
    const event = await storeEvent(of.workspaceId, storedEvent({ spaceId }));
    await deleteSpace(of.workspaceId, space, newTeardown(spaceId, now()), deletionOf(spaceId), []);
    if (isBusy) await occupy();
    const ofSpace = newDelivery(event, of.endpointId, now());
    await deliverDue(ports, deliverMessage(of, 'slow', [ofSpace]), ofSpace.id);
    expect(await findDelivery(of.workspaceId, of.endpointId, ofSpace.id)).toBeNull();
    expect([await due(), posted]).toEqual([[], []]);
  });

  it('is stored without an attempt when its endpoint is disabled', async () => {
    const { of, delivery, ports, find, posted, due } = await begin();
    const disabled: DispatchPorts = {
      ...ports,
      async load(...wanted) {
        const { found, due } = await ports.load(...wanted);
        return { found: found && { ...found, endpoint: { ...found.endpoint, enabled: false } }, due };
      },
    };
    await deliverDue(disabled, deliverMessage(of, 'slow', [delivery]), delivery.id);
    expect(await find()).toMatchObject({ state: 'pending', attemptDue: 2, attempts: [] });
    expect(await due()).toEqual([delivery.id]);
    expect(posted).toEqual([]);
  });

  it('passes on to the slow lane with its message when its endpoint has become slow', async () => {
    const { of, delivery, ports, find, sent } = await begin();
    await deliverDue(ports, deliverMessage(of, 'fast', [delivery]), delivery.id);
    expect(sent).toEqual([deliverMessage(of, 'slow', [delivery])]);
    expect(await find()).toBeNull();
  });
});

describe('new deliveries to a busy endpoint', () => {
  /** Three of them, with the state of their endpoint. */
  async function threeOf({ of, delivery, occupy }: Awaited<ReturnType<typeof begin>>) {
    await occupy();
    const state = await findDispatchState(of.workspaceId, of.endpointId);
    const others = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const event = await storeEvent(of.workspaceId, storedEvent());
        return newDelivery(event, of.endpointId, now());
      }),
    );
    return [delivery, ...others].map((draft) => ({ of, draft, state }));
  }

  it('are stored, then their entries by one call, then its worker is asked once', async () => {
    const begun = await begin();
    const three = await threeOf(begun);
    const calls = await ownCalls(() => announceDeliveries(begun.ports, three));
    expect(calls).toEqual(['BatchWriteItem', 'GetItem', 'PutItem', 'PutItem', 'PutItem', 'UpdateItem']);
    expect((await begun.due()).toSorted()).toEqual(three.map(({ draft }) => draft.id).toSorted());
    expect(begun.sent).toEqual([]);
  });

  it('are announced but for the one that cannot be stored, of which the publisher hears', async () => {
    const begun = await begin();
    const three = await threeOf(begun);
    const lost = new Error('lost');
    const ports: DispatchPorts = {
      ...begun.ports,
      store: async (one) => {
        if (one.delivery.id === begun.delivery.id) throw lost;
        return await begun.ports.store(one);
      },
    };
    await expect(announceDeliveries(ports, three)).rejects.toBe(lost);
    expect(await begun.due()).toHaveLength(2);
    const found = { health: newHealth, wakeAt: null };
    const { workspaceId, endpointId } = begun.of;
    // The worker was asked to look again.
    expect(await releaseEndpoint(workspaceId, endpointId, 'another', found, { isHandedOver: false })).toBe(
      false,
    );
  });
});
