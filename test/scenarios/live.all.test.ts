/** Live events: filters, other workspaces, ended access, malformed messages, failures, and 500 events while a client reconnects. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventId } from '../../lib/core/ids.ts';
import { idTime } from '../../lib/core/ids.ts';
import { memberId } from '../../lib/core/workspaces/workspace.ts';
import { deleteKey, listKeys } from '../../lib/services/api-keys/api-keys.ts';
import { removeMember } from '../../lib/services/members/members.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { signedIn } from '../support/console.ts';
import { connected, type LiveSocket, liveUrl, openSocket } from '../support/live-socket.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

let ours: TestWorkspace;
beforeEach(async () => {
  ours = await workspace();
});

/** Causes an event of its own: a thread and an email to an address that SES takes. */
async function send(client: Api, change: object = {}): Promise<{ id: string; thread_id: string }> {
  const { status, body } = await client.post<{ id: string; thread_id: string }>('/emails', {
    from: `desk@${ours.providedDomain}`,
    to: 'success@simulator.amazonses.com',
    subject: 'Hello',
    text: 'Hello there',
    ...change,
  });
  expect(status).toBe(201);
  return body;
}

const typesOf = ({ events }: LiveSocket) => new Set(events.map(({ type }) => type));

describe('a subscription', () => {
  it('has the events of its types, of its space, or of none', async () => {
    const client = api(ours);
    const { body: space } = await client.post('/spaces', { name: 'Acme' });
    const domain = await verifiedDomain(client, space.id);
    const [delivered, inSpace, outside] = await Promise.all([
      connected(ours),
      connected(ours),
      connected(ours),
    ]);
    await delivered.subscribe({ types: ['email.delivered'] });
    await inSpace.subscribe({ space_id: space.id });
    await outside.subscribe({ space_id: 'none', types: ['email.sent'] });
    await send(client, { from: `desk@${domain.name}` });
    await send(client);
    await cloud().waitForQuiescence();
    await delivered.until(() => delivered.events.length === 2);
    expect(typesOf(delivered)).toEqual(new Set(['email.delivered']));
    await inSpace.until(() => typesOf(inSpace).has('email.delivered'));
    expect(new Set(inSpace.events.map(({ space_id }) => space_id))).toEqual(new Set([space.id]));
    await outside.until(() => outside.events.length > 0);
    expect(outside.events.map(({ space_id, type }) => [space_id, type])).toEqual([[null, 'email.sent']]);
  });

  it('has the events of threads with all of its labels', async () => {
    const client = api(ours);
    const { thread_id } = await send(client);
    await send(client);
    await cloud().waitForQuiescence();
    await client.patch(`/threads/${thread_id}`, { labels: { add: ['billing', 'new'] } });
    const both = await connected(ours);
    await both.subscribe({ labels: ['new', 'billing'], after: '2026-01-01T00:00:00Z' });
    const other = await connected(ours);
    await other.subscribe({ labels: ['new', 'other'], after: '2026-01-01T00:00:00Z' });
    await both.until(() => typesOf(both).has('email.delivered'));
    expect(new Set(both.events.map(({ data }) => data.thread_id))).toEqual(new Set([thread_id]));
    await cloud().waitForQuiescence();
    expect(other.events).toEqual([]);
  });

  it('replaces the one before', async () => {
    const client = await connected(ours);
    await client.subscribe({ types: ['email.bounced'] });
    await client.subscribe({ types: ['thread.created'] });
    await send(api(ours));
    await cloud().waitForQuiescence();
    await client.until(() => client.events.length > 0);
    expect(typesOf(client)).toEqual(new Set(['thread.created']));
  });

  it('has nothing of another workspace, whose ids it may name', async () => {
    const theirs = await workspace();
    const { body: space } = await api(theirs).post('/spaces', { name: 'Theirs' });
    await send(api(ours));
    await cloud().waitForQuiescence();
    const { body: log } = await api(ours).get('/events');
    const client = await connected(theirs);
    await client.subscribe({ after: log.data.at(-1)?.id });
    await send(api(ours));
    await cloud().waitForQuiescence();
    expect(client.events).toEqual([]);
    const mine = await connected(ours);
    mine.send({ action: 'subscribe', space_id: space.id });
    expect((await mine.until(({ type }) => type === 'problem')).problem).toMatchObject({ code: 'not_found' });
  });
});

describe('a message', () => {
  it.each([
    ['nonsense', 'invalid_json'],
    ['', 'invalid_json'],
    ['[]', 'invalid_request'],
    ['{"action":"publish"}', 'invalid_request'],
    ['{"action":"subscribe","types":["email.unheard"]}', 'invalid_request'],
    ['{"action":"subscribe","labels":["UPPER"]}', 'invalid_request'],
    ['{"action":"subscribe","after":"yesterday"}', 'invalid_request'],
    ['{"action":"subscribe","space_id":"acme"}', 'not_found'],
    ['{"action":"subscribe","__proto__":{}}', 'invalid_request'],
    [`{"action":"ping","action":"ping"}`, 'invalid_json'],
  ])('is answered with a problem when it is %j', async (text, code) => {
    const client = await connected(ours);
    client.send(text);
    const { problem } = await client.until(({ type }) => type === 'problem');
    expect(problem).toMatchObject({ code, status: expect.any(Number), request_id: expect.any(String) });
  });

  it('closes the connection when it is larger than a frame', async () => {
    const client = await connected(ours);
    client.send({ action: 'ping', more: 'x'.repeat(33 * 1024) });
    expect(await client.closed).toBe(1009);
  });
});

describe('a connection', () => {
  it('is closed with the next event when its key is deleted, and with the next message', async () => {
    const key = await ours.keyOf('read');
    const [idle, asking] = [await connected(key), await connected(key)];
    await idle.subscribe();
    const { items } = await listKeys(ours.id, { limit: 100, after: null });
    const { id } = items.find(({ scope }) => scope === 'read') ?? { id: null };
    if (!id) throw new Error('no key');
    const late = await liveUrl(api(key));
    await deleteKey(ours.id, id);
    asking.send({ action: 'ping' });
    expect(await asking.until(({ type }) => type === 'closed')).toEqual({
      type: 'closed',
      code: 'unauthenticated',
    });
    await asking.closed;
    await send(api(ours));
    await idle.until(({ type }) => type === 'closed');
    await idle.closed;
    expect(idle.events).toEqual([]);
    expect(await openSocket(late)).toBe(403);
  });

  it('is closed when the member is removed whose session opened it', async () => {
    const browser = await signedIn(ours, 'viewer');
    const opened = await openSocket(await liveUrl(browser));
    if (typeof opened === 'number') throw new Error(`refused with ${opened}`);
    await opened.subscribe();
    await send(api(ours));
    await opened.until(({ event }) => event?.type === 'thread.created');
    const email = `viewer-${ours.slug}@people.example.test`;
    await removeMember(ours.id, memberId(email), 'operator');
    opened.send({ action: 'ping' });
    await opened.until(({ type }) => type === 'closed');
  });

  it('is sent what API Gateway did not take, once', async () => {
    const client = await connected(ours);
    await client.subscribe({ types: ['thread.created'] });
    await cloud().control('POST', '/faults', {
      service: 'execute-api',
      action: 'PostToConnection',
      match: 'thread.created',
      kind: 'throttle',
      times: 2,
    });
    const { thread_id } = await send(api(ours));
    await client.until(() => client.events.length > 0);
    await cloud().waitForQuiescence();
    expect(client.events.map(({ data }) => data.thread_id)).toEqual([thread_id]);
  });

  it('loses none of 500 events while its client reconnects, and resumes as the page says', async () => {
    const sends = 100;
    const sending = (async () => {
      for (let at = 0; at < sends; at += 10) {
        await Promise.all(Array.from({ length: 10 }, () => send(api(ours))));
      }
    })();
    const seen = new Set<string>();
    const order: string[] = [];
    const note = ({ events }: LiveSocket) => {
      for (const { id } of events) if (!seen.has(id)) order.push(id);
      for (const { id } of events) seen.add(id);
    };
    let isDone = false;
    void sending.then(() => cloud().waitForQuiescence()).then(() => (isDone = true));
    let after: string | null = '2026-01-01T00:00:00Z';
    while (!isDone) {
      const client = await connected(ours);
      await client.subscribe({ after });
      const had = client.events.length;
      await Promise.race([client.until(() => client.events.length > had + 20), sending]);
      client.close();
      await client.closed;
      note(client);
      const newest = order.toSorted().at(-1);
      after = newest ? new Date(idTime(newest as EventId) - 60_000).toISOString() : after;
    }
    await sending;
    await cloud().waitForQuiescence();
    const last = await connected(ours);
    await last.subscribe({ after });
    await cloud().waitForQuiescence();
    note(last);
    const all: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { body: { data: readonly { id: string }[]; next_cursor: string | null } } = await api(
        ours,
      ).get(`/events?order=asc&limit=100${cursor ? `&cursor=${cursor}` : ''}`);
      all.push(...page.body.data.map(({ id }) => id));
      cursor = page.body.next_cursor;
    } while (cursor);
    expect(all.length).toBeGreaterThanOrEqual(3 * sends);
    expect(order.toSorted()).toEqual(all);
  });
});
