/** The store of webhook deliveries. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { EndpointId, WorkspaceId } from '../../lib/core/ids.ts';
import { limits } from '../../lib/core/limits.ts';
import { type Attempt, type Delivery, newDelivery } from '../../lib/core/webhooks/delivery.ts';
import { createDelivery, findDelivery, listDeliveries, recordAttempt } from '../../lib/storage/deliveries.ts';

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

/** A new endpoint, with a function that creates deliveries for it. */
function endpoint() {
  const workspaceId: WorkspaceId = newId('wks');
  const endpointId: EndpointId = newId('whk');
  const make = async (body = '{}'): Promise<Delivery> => {
    const delivery = newDelivery({ id: newId('evt'), type: 'email.sent', body }, endpointId, now());
    expect(await createDelivery(workspaceId, delivery, [])).toBe(true);
    return delivery;
  };
  const list = (state?: Delivery['state'], limit = 10, after: string | null = null) =>
    listDeliveries(workspaceId, endpointId, state, { limit, after });
  const find = (id: Delivery['id']) => findDelivery(workspaceId, endpointId, id);
  return { workspaceId, endpointId, make, list, find };
}

describe('a delivery', () => {
  it('is created once when it is created again', async () => {
    const { workspaceId, make, find } = endpoint();
    const delivery = await make();
    expect(await createDelivery(workspaceId, { ...delivery, body: '{"other":1}' }, [])).toBe(false);
    expect(await find(delivery.id)).toEqual(delivery);
  });

  it('records an attempt once when two workers made it', async () => {
    const { workspaceId, make, find } = endpoint();
    const delivery = await make();
    const [first, second] = [attempt(500), attempt(200)];
    const outcomes = await Promise.all([
      recordAttempt(workspaceId, delivery, first, again, []),
      recordAttempt(workspaceId, delivery, second, delivered, []),
    ]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const [made, standing] = outcomes[0] ? [first, again] : [second, delivered];
    expect(await find(delivery.id)).toEqual({ ...delivery, ...standing, attempts: [made], attemptDue: 2 });
  });

  it('records no attempt of an earlier replay, nor one after it is complete', async () => {
    const { workspaceId, make, find } = endpoint();
    const delivery = await make();
    expect(await recordAttempt(workspaceId, { ...delivery, replay: 1 }, attempt(500), again, [])).toBe(false);
    await recordAttempt(workspaceId, delivery, attempt(200), delivered, []);
    expect(await recordAttempt(workspaceId, delivery, attempt(500), again, [])).toBe(false);
    const completed = { ...delivery, attemptDue: 2 };
    expect(await recordAttempt(workspaceId, completed, attempt(500), again, [])).toBe(false);
    expect((await find(delivery.id))?.attempts).toHaveLength(1);
  });

  it('can skip an attempt', async () => {
    const { workspaceId, make, find } = endpoint();
    const delivery = await make();
    await recordAttempt(workspaceId, delivery, null, again, []);
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
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
    expect(second.next).toBeNull();
  });

  it('are found by state', async () => {
    const { workspaceId, make, list } = endpoint();
    const [one, two] = [await make(), await make()];
    await recordAttempt(workspaceId, one, attempt(200), delivered, []);
    expect((await list('pending')).items.map(({ id }) => id)).toEqual([two.id]);
    expect((await list('delivered')).items.map(({ id }) => id)).toEqual([one.id]);
    expect((await list('failed')).items).toEqual([]);
  });

  it('exclude those of another endpoint', async () => {
    await endpoint().make();
    expect((await endpoint().list()).items).toEqual([]);
  });

  it('fit the response size on each page, and none is skipped', async () => {
    const { make, list } = endpoint();
    const made = [];
    const body = JSON.stringify({ text: 'x'.repeat(300_000) });
    for (let at = 0; at < 16; at++) made.unshift((await make(body)).id);
    for (const state of [undefined, 'pending'] as const) {
      const found = [];
      let next: string | null = null;
      do {
        const page = await list(state, 100, next);
        expect(JSON.stringify(page.items).length).toBeLessThan(limits.pageBytes + 10_000);
        found.push(...page.items.map(({ id }) => id));
        next = page.next;
      } while (next);
      expect(found).toEqual(made);
    }
  });
});
