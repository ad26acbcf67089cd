/** Labels, read state and claims over the API and the stores: lists of such threads, limits, what is left. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { ThreadId } from '../../../lib/core/ids.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { addToThread, createThread, findThread, otherItemsOf } from '../../../lib/storage/threads/threads.ts';
import { api } from '../../support/api.ts';
import { itemsOf, keysOf } from '../../support/stored.ts';
import { buyer, fromBuyer } from '../../support/stored-mail.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

const mailbox = 'sales@acme.dev';

const message = (at: number, marksUnread = false) => ({
  emailId: newId('eml'),
  at,
  snippet: 'Where is my order?',
  ...fromBuyer,
  participants: [buyer],
  mailboxes: [mailbox],
  marksUnread,
});

async function begin(own: TestWorkspace, at: number, marksUnread = false): Promise<ThreadId> {
  const id = newId('thr');
  const about = { id, spaceId: null, subject: 'Order 7', mailbox, forwardOf: null };
  await commit(own.id, createThread(own.id, about, message(at, marksUnread)));
  return id;
}

async function join(own: TestWorkspace, id: ThreadId, at: number, marksUnread = false): Promise<void> {
  await commit(own.id, addToThread(own.id, await stored(own, id), message(at, marksUnread)));
}

async function stored(own: TestWorkspace, id: ThreadId) {
  const thread = await findThread(own.id, id);
  if (!thread) throw new Error('the thread is missing');
  return thread;
}

interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}
const list = async (own: TestWorkspace, query: string) => {
  const { status, body } = await api(own).get<Listed>(`/threads?${query}`);
  expect(status).toBe(200);
  return body.data.map(({ id }) => id);
};
const mark = (own: TestWorkspace, id: ThreadId, body: object) => api(own).patch(`/threads/${id}`, body);

it('threads are listed by labels, read state and claim, in the order of activity', async () => {
  const own = await workspace();
  const at = now() - 10_000;
  const [first, second, third] = [
    await begin(own, at),
    await begin(own, at + 1, true),
    await begin(own, at + 2),
  ];
  await mark(own, first, { labels: { add: ['billing', 'vip'] } });
  await mark(own, second, { labels: { add: ['billing'] } });
  const { status, body } = await mark(own, third, { labels: { add: ['vip'] }, read: false });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { id: third, labels: ['vip'], read: false, claim: null },
  });
  expect(await list(own, 'label=billing')).toEqual([second, first]);
  expect(await list(own, 'label=billing&label=vip')).toEqual([first]);
  expect(await list(own, 'label=vip&read=false')).toEqual([third]);
  expect(await list(own, `read=false&mailbox=${mailbox}`)).toEqual([third, second]);
  expect(await list(own, 'read=true')).toEqual([first]);
  await join(own, first, at + 3, true);
  expect(await list(own, 'label=billing')).toEqual([first, second]);
  expect(await list(own, 'read=false')).toEqual([first, third, second]);
  await mark(own, first, { labels: { remove: ['billing', 'unknown'] }, read: true });
  expect(await list(own, 'label=billing')).toEqual([second]);
  expect(await list(own, 'read=false')).toEqual([third, second]);
  await api(own).post(`/threads/${second}/claim`, { owner: 'a', ttl_seconds: 60 });
  expect(await list(own, 'claimed=true')).toEqual([second]);
  expect(await list(own, 'claimed=false&read=false')).toEqual([third]);
  await api(own).request('DELETE', `/api/v2/threads/${second}/claim`);
  expect(await list(own, 'claimed=true')).toEqual([]);
});

it('a listing by label shows each thread once while messages move threads', async () => {
  const own = await workspace();
  const at = now() - 100_000;
  const ids: ThreadId[] = [];
  for (let n = 0; n < 5; n++) {
    const id = await begin(own, at + n);
    await mark(own, id, { labels: { add: ['x'] } });
    ids.unshift(id);
  }
  const first = await api(own).get<Listed>('/threads?label=x&limit=2');
  await join(own, ids[4] as ThreadId, now() + 5000);
  await join(own, ids[0] as ThreadId, now() + 5000);
  const second = await api(own).get<Listed>(`/threads?label=x&limit=3&cursor=${first.body.next_cursor}`);
  expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
});

it('one more than each bound is refused', async () => {
  const own = await workspace();
  const id = await begin(own, now());
  const labels = Array.from({ length: 21 }, (_, n) => `l${n}`);
  const statusOf = async (body: object) => (await mark(own, id, body)).status;
  expect(await statusOf({ labels: { add: labels } })).toBe(422);
  expect(await statusOf({ labels: { add: labels.slice(0, 20) } })).toBe(200);
  const full = await mark(own, id, { labels: { add: ['one-more'] } });
  expect(full).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
  expect(await statusOf({ labels: { add: ['one-more'], remove: ['l0'] } })).toBe(200);
  expect(await statusOf({ labels: { add: ['a'.repeat(50)], remove: ['l1'] } })).toBe(200);
  for (const label of ['a'.repeat(51), '', 'Ä', 'Upper', 'a b', 'a#b']) {
    expect(await statusOf({ labels: { add: [label] } }), label).toBe(422);
  }
  expect(await statusOf({ labels: { add: ['x'], remove: ['x'] } })).toBe(422);
  expect(await statusOf({})).toBe(422);
  const query = (labelsOfQuery: readonly string[]) =>
    labelsOfQuery.map((label) => `label=${label}`).join('&');
  expect((await api(own).get(`/threads?${query(labels)}`)).status).toBe(400);
  expect((await api(own).get(`/threads?${query(labels.slice(0, 20))}`)).status).toBe(200);
  expect((await api(own).get('/threads?read=yes')).status).toBe(400);
  const claim = async (owner: string, ttl: number) =>
    (await api(own).post(`/threads/${id}/claim`, { owner, ttl_seconds: ttl })).status;
  for (const [owner, ttl, status] of [
    ['', 60, 422],
    ['a'.repeat(201), 60, 422],
    ['a', 9, 422],
    ['a', 3601, 422],
    ['a'.repeat(200), 10, 200],
    ['a'.repeat(200), 3600, 200],
  ] as const) {
    expect(await claim(owner, ttl), `${owner.length} ${ttl}`).toBe(status);
  }
  expect(
    (await api(own).post(`/threads/${newId('thr')}/claim`, { owner: 'a', ttl_seconds: 60 })).status,
  ).toBe(404);
});

it('a claim is of one owner until it is released', async () => {
  const own = await workspace();
  const id = await begin(own, now());
  const claim = (owner: string) => api(own).post(`/threads/${id}/claim`, { owner, ttl_seconds: 60 });
  const release = (query = '') => api(own).request('DELETE', `/api/v2/threads/${id}/claim${query}`);
  const first = await claim('a');
  expect(first).toMatchObject({ status: 200, body: { owner: 'a', expires_at: expect.any(String) } });
  expect((await claim('a')).status).toBe(200);
  const { claim: shown } = (await api(own).get<{ claim: { expires_at: string } }>(`/threads/${id}`)).body;
  const refusal = { code: 'thread_claimed', owner: 'a', expires_at: shown.expires_at };
  expect(await claim('b')).toMatchObject({ status: 409, body: refusal });
  expect(await release('?owner=b')).toMatchObject({ status: 409, body: refusal });
  expect((await release('?owner=a')).status).toBe(204);
  expect((await release('?owner=a')).status).toBe(204);
  expect((await claim('b')).status).toBe(200);
  expect((await release()).status).toBe(204);
  expect((await api(own).get(`/threads/${id}`)).body).toMatchObject({ claim: null });
});

it('a thread with 20 labels and 20 activity entries keeps what is listed of it in bounds, and leaves nothing', async () => {
  const own = await workspace();
  const before = keysOf(await itemsOf(own.id));
  const at = now() - 1000;
  const id = await begin(own, at, true);
  const labels = Array.from({ length: 20 }, (_, n) => `l${n}`);
  await mark(own, id, { labels: { add: labels } });
  await api(own).post(`/threads/${id}/claim`, { owner: 'a', ttl_seconds: 60 });
  for (let n = 1; n <= 30; n++) await join(own, id, at + n, n % 2 === 0);
  const thread = await stored(own, id);
  expect(thread.activity.length).toBeLessThanOrEqual(20);
  const entries = keysOf(await itemsOf(own.id)).filter((key) => key.includes('#LIST#'));
  expect(entries).toHaveLength(21 * thread.activity.length);
  const others = new Set(otherItemsOf(own.id, thread).map(({ pk, sk }) => `${pk} ${sk}`));
  expect(entries.filter((key) => !others.has(key))).toEqual([]);
  expect((await mark(own, id, { labels: { remove: labels }, read: true })).body).toMatchObject({
    labels: [],
    read: true,
  });
  await api(own).request('DELETE', `/api/v2/threads/${id}/claim`);
  const left = keysOf(await itemsOf(own.id)).filter((key) => !before.includes(key));
  expect(left.filter((key) => /#LIST#|#UNREAD#/.test(key))).toEqual([]);
  expect(left.filter((key) => /#A /.test(key) && !key.includes('#M#'))).toHaveLength(thread.activity.length);
});
