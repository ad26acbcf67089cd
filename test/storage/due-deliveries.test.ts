/** The due entries of an endpoint. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { type DeliveryId, idTime } from '../../lib/core/ids.ts';
import { type Delivery, unattempted } from '../../lib/core/webhooks/delivery.ts';
import { addDueEntries, listDueEntries, removeDueEntries } from '../../lib/storage/due-deliveries.ts';
import { ownCalls } from '../support/calls.ts';

const newDelivery = (): Delivery => {
  const id = newId('dlv');
  const facts = { id, endpointId: newId('whk'), eventId: newId('evt'), eventType: 'email.sent' } as const;
  return unattempted({ ...facts, createdAt: idTime(id), expiresAt: null });
};

const retry = (after: number): Delivery => {
  const delivery = newDelivery();
  return { ...delivery, attemptDue: 2, nextAttemptAt: delivery.createdAt + after };
};

const idsOf = (of: readonly { deliveryId: DeliveryId }[]) => of.map(({ deliveryId }) => deliveryId);

describe('listDueEntries', () => {
  it.each([
    { fresh: 0, retries: 0, limit: 10, queries: 1 },
    { fresh: 0, retries: 3, limit: 1, queries: 1 },
    { fresh: 2, retries: 2, limit: 10, queries: 1 },
    { fresh: 2, retries: 0, limit: 2, queries: 2 },
    { fresh: 3, retries: 2, limit: 1, queries: 2 },
    { fresh: 2, retries: 3, limit: 3, queries: 2 },
  ])(
    'lists up to $limit of each kind in $queries queries when $fresh are new and $retries are retried',
    async ({ fresh, retries, limit, queries }) => {
      const [workspaceId, endpointId] = [newId('wks'), newId('whk')];
      const all = [
        Array.from({ length: fresh }, newDelivery),
        Array.from({ length: retries }, (_, at) => retry(at)),
      ].map((some) => some.map((delivery) => ({ ...delivery, endpointId })));
      await Promise.all(all.flat().map((delivery) => addDueEntries([{ workspaceId, delivery }])));
      const calls = await ownCalls(async () => {
        const found = await listDueEntries(workspaceId, endpointId, limit);
        const [first = [], others = []] = all.map((some) => some.map(({ id }) => id));
        expect(idsOf(found.fresh)).toEqual(first.toSorted().slice(0, limit));
        expect(idsOf(found.retries)).toEqual(others.slice(0, limit));
      });
      expect(calls).toEqual(Array.from({ length: queries }, () => 'Query'));
    },
  );
});

describe('removeDueEntries', () => {
  it.each([
    { count: 0, left: 3, expected: [] },
    { count: 1, left: 2, expected: ['DeleteItem'] },
    { count: 3, left: 0, expected: ['BatchWriteItem'] },
  ])('removes $count of 3 entries by $expected', async ({ count, left, expected }) => {
    const [workspaceId, endpointId] = [newId('wks'), newId('whk')];
    const all = Array.from({ length: 3 }, () => ({
      workspaceId,
      delivery: { ...newDelivery(), endpointId },
    }));
    await addDueEntries(all);
    const { fresh } = await listDueEntries(workspaceId, endpointId, 10);
    const over = fresh.slice(0, count);
    expect(await ownCalls(() => removeDueEntries(over))).toEqual(expected);
    expect((await listDueEntries(workspaceId, endpointId, 10)).fresh).toHaveLength(left);
    // Missing ones are no error.
    await removeDueEntries(over);
  });
});
