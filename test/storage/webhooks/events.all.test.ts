/** The store of events. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { composeId, type EventId, type WorkspaceId } from '../../../lib/core/ids.ts';
import { eventIdsAt, type StoredEvent } from '../../../lib/core/webhooks/event.ts';
import { eventKey } from '../../../lib/storage/table/keys.ts';
import { getMany } from '../../../lib/storage/table/reads.ts';
import {
  type EventFilter,
  findEvent,
  findEvents,
  listEvents,
  storeEvent,
} from '../../../lib/storage/webhooks/events.ts';
import { storedEvent } from '../../support/events.ts';

const at = now();
/** Ids that differ in their last digit only, with each value of it. */
const ids = Array.from({ length: 16 }, (_, n) => composeId('evt', at, new Uint8Array(10).fill(n, 9)));
const idOf = (n: number): EventId => ids[n] ?? newId('evt');

/** A workspace with an event for each of `ids`. */
async function filled(change: (n: number) => Partial<StoredEvent> = () => ({})) {
  const workspaceId: WorkspaceId = newId('wks');
  const made = ids.map((id, n) => storedEvent({ id, ...change(n) }));
  await Promise.all(made.map((event) => storeEvent(workspaceId, event)));
  const list = async (filter: EventFilter, order: 'oldest first' | 'newest first', limit = 100) => {
    const found: number[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(workspaceId, filter, order, {
        limit,
        after,
      });
      found.push(...page.items.map(({ id }) => ids.indexOf(id)));
      after = page.next;
    } while (after);
    return found;
  };
  return { workspaceId, made, list };
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('storeEvent', () => {
  it('keeps the first body and returns it when the event is stored again', async () => {
    const workspaceId: WorkspaceId = newId('wks');
    const first = storedEvent({ body: '{"n":1}', spaceId: newId('spc') });
    expect(await storeEvent(workspaceId, first)).toEqual(first);
    expect(await storeEvent(workspaceId, { ...first, body: '{"n":2}' })).toEqual(first);
    expect(await findEvent(workspaceId, first.id)).toEqual(first);
  });
});

describe('the body of an event', () => {
  it('is compressed where that saves write units, and read as it was', async () => {
    const workspaceId: WorkspaceId = newId('wks');
    const bodies = ['{"n":1}', JSON.stringify({ text: 'Where is my order? '.repeat(100) })];
    const made = bodies.map((body) => storedEvent({ body }));
    for (const event of made) await storeEvent(workspaceId, event);
    const items = await getMany(made.map(({ id }) => eventKey(workspaceId, id)));
    expect(items.map((item) => typeof item?.body)).toEqual(['string', 'object']);
    const found = await findEvents(
      workspaceId,
      made.map(({ id }) => id),
    );
    expect([...found.values()].map(({ body }) => body)).toEqual(bodies);
  });
});

describe('findEvent', () => {
  it('returns null when the event is of another workspace or has expired', async () => {
    const workspaceId: WorkspaceId = newId('wks');
    const { id } = await storeEvent(workspaceId, storedEvent());
    expect(await findEvent(newId('wks'), id)).toBeNull();
    const expired = await storeEvent(workspaceId, storedEvent({ expiresAt: now() - 1 }));
    expect(await findEvent(workspaceId, expired.id)).toBeNull();
    const bodies = await findEvents(workspaceId, [id, expired.id, newId('evt')]);
    expect([...bodies.keys()]).toEqual([id]);
  });
});

describe('listEvents', () => {
  it.each([1, 5, 100])('lists by id in either order when a page has %i events', async (limit) => {
    const { list } = await filled();
    expect(await list({}, 'oldest first', limit)).toEqual(numbers(0, 15));
    expect(await list({}, 'newest first', limit)).toEqual(numbers(0, 15).reverse());
  });

  it.each([1, 3, 100])('lists what is between two ids, without them, on pages of %i', async (limit) => {
    const { list } = await filled();
    const cases = [
      [undefined, undefined],
      [0, undefined],
      [undefined, 15],
      [0, 15],
      [9, 10],
      [8, 10],
      [10, 9],
      [15, 0],
      [4, 4],
    ] as const;
    for (const [after, before] of cases) {
      const range = {
        after: after === undefined ? undefined : idOf(after),
        before: before === undefined ? undefined : idOf(before),
      };
      const expected = numbers(0, 15).filter((n) => n > (after ?? -1) && n < (before ?? 16));
      expect(await list({ range }, 'oldest first', limit)).toEqual(expected);
      expect(await list({ range }, 'newest first', limit)).toEqual(expected.reverse());
    }
  });

  it('lists what happened between two times', async () => {
    const { list } = await filled();
    const inside = { after: eventIdsAt(at - 1).last, before: eventIdsAt(at + 1).first };
    expect(await list({ range: inside }, 'oldest first')).toEqual(numbers(0, 15));
    expect(await list({ range: { after: eventIdsAt(at).last } }, 'oldest first')).toEqual([]);
    expect(await list({ range: { before: eventIdsAt(at).first } }, 'newest first')).toEqual([]);
  });

  it('lists the events of some types, of a space or of the workspace itself', async () => {
    const spaceId = newId('spc');
    const { list } = await filled((n) => ({
      type: n % 2 === 0 ? 'email.sent' : 'email.received',
      spaceId: n < 8 ? spaceId : null,
    }));
    expect(await list({ types: ['email.received'] }, 'oldest first', 3)).toEqual([1, 3, 5, 7, 9, 11, 13, 15]);
    expect(await list({ spaceId, types: ['email.sent'] }, 'newest first', 3)).toEqual([6, 4, 2, 0]);
    expect(await list({ spaceId: null }, 'oldest first', 3)).toEqual(numbers(8, 15));
  });

  it('leaves out expired events', async () => {
    const { list } = await filled((n) => (n < 5 ? { expiresAt: now() - 1 } : {}));
    for (const filter of [{}, { types: ['email.sent'] }] as const) {
      expect(await list(filter, 'oldest first', 4)).toEqual(numbers(5, 15));
      expect(await list(filter, 'newest first', 4)).toEqual(numbers(5, 15).reverse());
    }
  });
});
