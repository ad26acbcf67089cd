/** The event log. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { composeId, type EventId, type SpaceId } from '../../../lib/core/ids.ts';
import type { StoredEvent } from '../../../lib/core/webhooks/event.ts';
import { changeSettings } from '../../../lib/services/workspaces/workspaces.ts';
import { storeEvent } from '../../../lib/storage/webhooks/events.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { domainEvent } from '../../support/events.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

const time = Date.UTC(2026, 8, 1, 12);

/** An id of the millisecond `atMs`. */
const idAt = (atMs: number, tail = 7): EventId => composeId('evt', atMs, new Uint8Array(10).fill(tail));
const iso = (atMs: number): string => new Date(atMs).toISOString();

/** A workspace with events one second apart, the oldest first. */
async function withEvents(count: number, change: (at: number) => Partial<StoredEvent> = () => ({})) {
  const ours = await workspace();
  const ids: EventId[] = [];
  for (let at = 0; at < count; at++) {
    const id = idAt(time + at * 1000);
    await storeEvent(ours.id, domainEvent({ id, expiresAt: now() + 60_000, ...change(at) }));
    ids.push(id);
  }
  const client = api(ours);
  const list = async (query = '') => {
    const { status, body } = await client.get(`/events${query}`);
    expect([status, body.code]).toEqual([200, undefined]);
    return { ids: body.data.map(({ id }) => id), cursor: body.next_cursor };
  };
  return { ours, client, ids, list };
}

async function spaceOf(ours: TestWorkspace): Promise<SpaceId> {
  return (await api(ours).post<{ id: SpaceId }>('/spaces', { name: 'Acme' })).body.id;
}

describe('GET /events', () => {
  it('lists events newest first, and oldest first with order=asc, page by page', async () => {
    const { ids, list } = await withEvents(5);
    const newest = ids.toReversed();
    expect((await list()).ids).toEqual(newest);
    for (const [order, expected] of [
      ['desc', newest],
      ['asc', ids],
    ] as const) {
      const first = await list(`?limit=3&order=${order}`);
      const second = await list(`?limit=3&order=${order}&cursor=${first.cursor}`);
      expect([...first.ids, ...second.ids]).toEqual(expected);
      expect(second.cursor).toBeNull();
    }
  });

  it('has the events of a workspace without endpoints, as webhooks would deliver them', async () => {
    const ours = await workspace();
    const client = api(ours);
    const { body: email } = await client.post('/emails', {
      from: `desk@${ours.providedDomain}`,
      to: 'success@simulator.amazonses.com',
      subject: 'Hello',
      text: 'Hello there',
    });
    await cloud().waitForQuiescence();
    const { body } = await client.get('/events');
    expect(body.data.map(({ type }) => type).sort()).toEqual([
      'email.delivered',
      'email.sent',
      'thread.created',
    ]);
    const sent = body.data.find(({ type }) => type === 'email.sent');
    expect(sent).toMatchObject({ space_id: null, data: { email_id: email.id, subject: 'Hello' } });
    expect((await client.get(`/events/${sent?.id}`)).body).toEqual(sent);
  });

  it('begins and ends at an event or at a time, both excluded', async () => {
    const { ids, list } = await withEvents(5);
    const [, second, third, fourth] = ids;
    expect((await list(`?order=asc&after=${second}&before=${fourth}`)).ids).toEqual([third]);
    const [from, to] = [time + 1000, time + 3000].map((atMs) => encodeURIComponent(iso(atMs)));
    expect((await list(`?order=asc&after=${from}&before=${to}`)).ids).toEqual([third]);
    expect((await list(`?after=${encodeURIComponent('2026-09-01t14:00:02.000+02:00')}`)).ids).toEqual(
      ids.slice(3).reverse(),
    );
    expect((await list(`?before=1900-01-01T00:00:00Z`)).ids).toEqual([]);
    expect((await list(`?after=9999-01-01T00:00:00Z`)).ids).toEqual([]);
    // A client that was away continues after the last event that it knows.
    const first = await list(`?order=asc&limit=2&after=${ids[0]}`);
    const rest = await list(`?order=asc&limit=2&after=${ids[0]}&cursor=${first.cursor}`);
    expect([...first.ids, ...rest.ids]).toEqual(ids.slice(1));
  });

  it('lists the events of one or several types, of one space, and of no space', async () => {
    const ours = await workspace();
    const spaceId = await spaceOf(ours);
    const made = [
      domainEvent({ id: idAt(time), expiresAt: now() + 60_000 }),
      domainEvent({ id: idAt(time + 1), spaceId, expiresAt: now() + 60_000 }),
      domainEvent({ id: idAt(time + 2), type: 'domain.lost', spaceId, expiresAt: now() + 60_000 }),
    ];
    for (const event of made) await storeEvent(ours.id, event);
    const ids = async (query: string) =>
      (await api(ours).get(`/events?order=asc${query}`)).body.data.map(({ id }) => id);
    const [first, second, third] = made.map(({ id }) => id);
    expect(await ids('&type=domain.verified')).toEqual([first, second]);
    expect(await ids(`&space=${spaceId}`)).toEqual([second, third]);
    expect(await ids('&space=none')).toEqual([first]);
    expect(await ids(`&space=${spaceId}&type=domain.lost`)).toEqual([third]);
    expect(await ids('&type=email.sent')).toEqual([]);
    expect(await ids('&type=domain.lost&type=email.sent&type=domain.lost')).toEqual([third]);
    expect(await ids('&type=domain.lost&type=domain.verified')).toEqual([first, second, third]);
    const refused = await api(ours).get('/events?type=domain.lost&type=nothing&limit=1&limit=2');
    expect([refused.status, refused.body.issues]).toEqual([
      400,
      [{ path: 'limit', message: 'is given more than once' }],
    ]);
    const unknown = await api(ours).get('/events?type=domain.lost&type=nothing');
    expect(unknown.body.issues).toMatchObject([{ path: 'type' }]);
  });

  it('leaves out expired events, which are not found either', async () => {
    const { client, ids, list } = await withEvents(4, (at) => ({
      expiresAt: at < 2 ? now() - 1000 : now() + 60_000,
    }));
    expect((await list()).ids).toEqual([ids[3], ids[2]]);
    expect((await list('?order=asc')).ids).toEqual([ids[2], ids[3]]);
    expect((await client.get(`/events/${ids[0]}`)).body.code).toBe('not_found');
  });

  it.each([
    ['type', 'email.opend'],
    ['after', 'yesterday'],
    ['after', '2026-09-01T12:00:00'],
    ['before', newId('eml')],
    ['order', 'up'],
  ])('refuses %s=%s', async (name, value) => {
    const { client } = await withEvents(0);
    const { status, body } = await client.get(`/events?${name}=${encodeURIComponent(value)}`);
    expect([status, body.code]).toEqual([400, 'invalid_query']);
    expect(body.issues).toMatchObject([{ path: name }]);
  });

  it('has no events of another workspace', async () => {
    const [ours, theirs] = await Promise.all([withEvents(1), withEvents(0)]);
    expect((await theirs.list()).ids).toEqual([]);
    expect((await theirs.client.get(`/events/${ours.ids[0]}`)).status).toBe(404);
  });

  it('has only events that an endpoint takes when the event log is off', async () => {
    const ours = await workspace();
    await changeSettings(ours.id, { eventLog: false });
    const client = api(ours);
    await client.post('/webhook-endpoints', { url: 'https://hooks.example/', subscriptions: ['email.sent'] });
    await client.post('/emails', {
      from: `desk@${ours.providedDomain}`,
      to: 'success@simulator.amazonses.com',
      subject: 'Hello',
      text: 'Hello there',
    });
    await cloud().waitForQuiescence();
    expect((await client.get('/events')).body.data).toMatchObject([{ type: 'email.sent' }]);
  });
});
