/** The store of webhook deliveries. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { EndpointId, WorkspaceId } from '../../../lib/core/ids.ts';
import { limits } from '../../../lib/core/limits.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type Delivery,
  newDelivery,
} from '../../../lib/core/webhooks/delivery.ts';
import type { StoredEvent } from '../../../lib/core/webhooks/event.ts';
import {
  createAttempted,
  createDelivery,
  findDelivery,
  recordAttempt,
} from '../../../lib/storage/webhooks/deliveries.ts';
import { listDeliveries } from '../../../lib/storage/webhooks/delivery-lists.ts';
import { storeEvent } from '../../../lib/storage/webhooks/events.ts';
import { storedEvent } from '../../support/events.ts';

const attempt = (statusCode: number): Attempt => ({
  id: newId('atp'),
  attemptedAt: now(),
  statusCode,
  error: null,
  durationMs: 3,
  response: '',
});
const delivered = { state: 'delivered', nextAttemptAt: null } as const;
const again = { state: 'pending', nextAttemptAt: now() + 3_600_000 } as const;

const recordOf = (made: Attempt | null, after: AttemptOutcome) => ({ attempt: made, after, messages: [] });

/** A new endpoint, with a function that creates deliveries for it. */
function endpoint() {
  const workspaceId: WorkspaceId = newId('wks');
  const endpointId: EndpointId = newId('whk');
  const make = async (change: Partial<StoredEvent> = {}): Promise<Delivery> => {
    const event = await storeEvent(workspaceId, storedEvent(change));
    const delivery = newDelivery(event, endpointId, now());
    expect(await createDelivery(workspaceId, delivery)).toBe(true);
    return delivery;
  };
  const list = async (state?: Delivery['state'], limit = 10, after: string | null = null) => {
    const page = await listDeliveries(workspaceId, endpointId, state, { limit, after });
    return { ...page, ids: page.items.map(({ delivery }) => delivery.id) };
  };
  const find = (id: Delivery['id']) => findDelivery(workspaceId, endpointId, id);
  return { workspaceId, endpointId, make, list, find };
}

describe('a delivery', () => {
  it('is created once when it is created again', async () => {
    const { workspaceId, make, find } = endpoint();
    const delivery = await make();
    expect(await createDelivery(workspaceId, { ...delivery, createdAt: 1 })).toBe(false);
    expect(await find(delivery.id)).toEqual(delivery);
  });

  it('records an attempt once when two workers made it', async () => {
    const { workspaceId, make, find } = endpoint();
    const delivery = await make();
    const [first, second] = [attempt(500), attempt(200)];
    const outcomes = await Promise.all([
      recordAttempt(workspaceId, delivery, recordOf(first, again)),
      recordAttempt(workspaceId, delivery, recordOf(second, delivered)),
    ]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const [made, standing] = outcomes[0] ? [first, again] : [second, delivered];
    expect(await find(delivery.id)).toEqual({ ...delivery, ...standing, attempts: [made], attemptDue: 2 });
  });

  it('records no attempt of an earlier replay, nor one after it is complete', async () => {
    const { workspaceId, make, find } = endpoint();
    const delivery = await make();
    expect(await recordAttempt(workspaceId, { ...delivery, replay: 1 }, recordOf(attempt(500), again))).toBe(
      false,
    );
    await recordAttempt(workspaceId, delivery, recordOf(attempt(200), delivered));
    expect(await recordAttempt(workspaceId, delivery, recordOf(attempt(500), again))).toBe(false);
    const completed = { ...delivery, attemptDue: 2 };
    expect(await recordAttempt(workspaceId, completed, recordOf(attempt(500), again))).toBe(false);
    expect((await find(delivery.id))?.attempts).toHaveLength(1);
  });

  it('is created once with its first attempt when two workers made it', async () => {
    const { workspaceId, endpointId, find, list } = endpoint();
    const draft = newDelivery(storedEvent(), endpointId, now());
    const [first, second] = [attempt(500), attempt(200)];
    const outcomes = await Promise.all([
      createAttempted(workspaceId, draft, recordOf(first, again)),
      createAttempted(workspaceId, draft, recordOf(second, delivered)),
    ]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const [made, standing] = outcomes[0] ? [first, again] : [second, delivered];
    expect(await find(draft.id)).toEqual({ ...draft, ...standing, attempts: [made], attemptDue: 2 });
    // One that waits for a retry is in the index by state, as if it had been updated.
    expect((await list('pending')).ids).toEqual(outcomes[0] ? [draft.id] : []);
  });

  it('can skip an attempt', async () => {
    const { workspaceId, make, find } = endpoint();
    const delivery = await make();
    await recordAttempt(workspaceId, delivery, recordOf(null, again));
    expect(await find(delivery.id)).toEqual({ ...delivery, ...again, attempts: [], attemptDue: 2 });
  });
});

describe('the deliveries of an endpoint', () => {
  it('are listed newest first, page by page', async () => {
    const { make, list } = endpoint();
    const made = [];
    for (let at = 0; at < 5; at++) made.unshift((await make()).id);
    const first = await list(undefined, 3);
    const second = await list(undefined, 3, first.next);
    expect([...first.ids, ...second.ids]).toEqual(made);
    expect(second.next).toBeNull();
  });

  it('are found by state', async () => {
    const { workspaceId, make, list } = endpoint();
    const made = [];
    for (let at = 0; at < 7; at++) made.push(await make());
    const [one, two, three, four, five, six, seven] = made;
    const failed = { state: 'failed', nextAttemptAt: null } as const;
    for (const [delivery, after] of [
      [one, again],
      [two, delivered],
      [four, failed],
      [six, again],
    ] as const) {
      if (delivery) await recordAttempt(workspaceId, delivery, recordOf(attempt(500), after));
    }
    // The others wait for their first attempt.
    const pending = [seven, six, five, three, one].map((delivery) => delivery?.id);
    expect((await list('pending')).ids).toEqual(pending);
    for (const limit of [1, 2, 3]) {
      const found = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list('pending', limit, after);
        found.push(...page.ids);
        after = page.next;
      } while (after);
      expect(found).toEqual(pending);
    }
    expect((await list('delivered')).ids).toEqual([two?.id]);
    expect((await list('failed')).ids).toEqual([four?.id]);
  });

  it('exclude those of another endpoint', async () => {
    await endpoint().make();
    expect((await endpoint().list()).items).toEqual([]);
  });

  it('fit the response size on each page, and none is skipped', async () => {
    const { workspaceId, make, list } = endpoint();
    const made: string[] = [];
    const body = JSON.stringify({ text: 'x'.repeat(300_000) });
    for (let at = 0; at < 16; at++) {
      const delivery = await make({ body });
      await recordAttempt(workspaceId, delivery, recordOf(attempt(500), again));
      made.unshift(delivery.id);
    }
    for (const state of [undefined, 'pending'] as const) {
      const found: string[] = [];
      let next: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(state, 100, next);
        expect(JSON.stringify(page.items).length).toBeLessThan(limits.pageBytes + 10_000);
        found.push(...page.ids);
        next = page.next;
      } while (next);
      expect(found).toEqual(made);
    }
  });

  it('have the body of their event once an attempt was made', async () => {
    const { workspaceId, make, list } = endpoint();
    const delivery = await make({ body: '{"a":1}' });
    expect((await list()).items).toEqual([{ delivery, body: null }]);
    await recordAttempt(workspaceId, delivery, recordOf(attempt(200), delivered));
    expect((await list()).items).toMatchObject([{ delivery: { id: delivery.id }, body: '{"a":1}' }]);
    expect((await list('delivered')).items).toMatchObject([{ body: '{"a":1}' }]);
  });

  it('are not listed when they have expired, and end the list', async () => {
    const { make, list } = endpoint();
    const old = await make({ expiresAt: now() - 1 });
    const kept = await make();
    expect(old.id < kept.id).toBe(true);
    for (const state of [undefined, 'pending'] as const) {
      expect((await list(state)).ids).toEqual([kept.id]);
      expect(await list(state, 1, kept.id)).toMatchObject({ ids: [], next: null });
    }
  });
});
