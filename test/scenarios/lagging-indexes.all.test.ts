/** Lists that read secondary indexes, while these are up to two seconds behind the table. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';
import { receiver } from '../support/receiver.ts';
import { verifiedDomain } from '../support/verified-domain.ts';

interface Row {
  readonly id: string;
  readonly thread_id: string;
}

const people = Array.from({ length: 6 }, (_, at) => `person-${at}@people.example.test`);

let own: OwnCloud;
let client: Api;
let space: string;
/** Its domain is in the space. */
let sender: string;

beforeAll(async () => {
  own = await startOwnCloud({ anomalies: { seed: 1, indexLagMsMax: 2000 } });
  const { key } = await own.workspace();
  client = api(key);
  space = (await client.post('/spaces', { name: 'Shop' })).body.id;
  sender = `desk@${(await verifiedDomain(client, space)).name}`;
});
afterAll(async () => await own.close());

/** All rows of a list, in pages of two. */
async function rows(path: string): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | null = '';
  do {
    const more: string = cursor ? `&cursor=${cursor}` : '';
    const { status, body } = await client.get<{ data: Row[]; next_cursor: string | null }>(
      `${path}${path.includes('?') ? '&' : '?'}limit=2${more}`,
    );
    expect(status).toBe(200);
    all.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor);
  return all;
}

async function send(to: string): Promise<Row> {
  const { status, body } = await client.post<Row>('/emails', {
    from: sender,
    to,
    subject: `To ${to}`,
    text: 'Hi',
  });
  expect(status).toBe(201);
  return body;
}

/** What was made is listed once each: part of it while the index is behind, all of it when the index has caught up. */
async function expectListed(
  path: string,
  expected: readonly string[],
  field: keyof Row = 'id',
): Promise<void> {
  const early = (await rows(path)).map((row) => row[field]);
  expect(new Set(early).size).toBe(early.length);
  expect(expected).toEqual(expect.arrayContaining(early));
  await cloud().waitForQuiescence();
  const late = (await rows(path)).map((row) => row[field]);
  expect(late.toSorted()).toEqual(expected.toSorted());
}

describe('while indexes are behind', () => {
  it('the emails of a space are listed once each', async () => {
    expect(await rows('/emails?space=none')).toEqual([]);
    const before = (await rows(`/emails?space=${space}`)).map(({ id }) => id);
    const sent: string[] = [];
    for (const to of people) sent.push((await send(to)).id);
    await expectListed(`/emails?space=${space}`, [...before, ...sent]);
  });

  it('the emails and messages of a thread are listed once each', async () => {
    const first = await send(people[0] ?? '');
    const replies: string[] = [];
    for (let at = 0; at < 4; at++) {
      const { status, body } = await client.post<Row>(`/threads/${first.thread_id}/reply`, {
        from: sender,
        to: people[0],
        text: `Reply ${at}`,
      });
      expect(status).toBe(201);
      replies.push(body.id);
    }
    await expectListed(`/emails?thread_id=${first.thread_id}`, [first.id, ...replies]);
    const { body } = await client.get<{ messages: Row[] }>(`/threads/${first.thread_id}`);
    expect(body.messages.map(({ id }) => id)).toEqual([first.id, ...replies]);
  });

  it('the threads of a space and of a mailbox are listed once each', async () => {
    const before = (await rows(`/threads?space=${space}`)).map(({ id }) => id);
    const threads: string[] = [];
    for (const to of people) threads.push((await send(to)).thread_id);
    await expectListed(`/threads?space=${space}`, [...before, ...threads]);
    await expectListed(`/threads?mailbox=${encodeURIComponent(sender)}`, [...before, ...threads]);
  });

  it('suppressions are listed once each', async () => {
    const addresses = people.map((address) => `no-${address}`);
    const { status, body } = await client.post('/suppressions', { addresses });
    expect(status).toBe(201);
    await expectListed(
      '/suppressions',
      body.data.map(({ id }) => id),
    );
  });

  it('a deleted suppression is not listed, and one that was added again only with its new id', async () => {
    const addresses = people.map((address) => `gone-${address}`);
    const create = async () => (await client.post<{ data: Row[] }>('/suppressions', { addresses })).body.data;
    const listed = async () => (await rows('/suppressions?address=gone-')).map(({ id }) => id).toSorted();
    const first = await create();
    await cloud().waitForQuiescence();
    expect(await listed()).toHaveLength(people.length);
    for (const { id } of first) expect((await client.delete(`/suppressions/${id}`)).status).toBe(204);
    expect(await listed()).toEqual([]);
    const second = (await create()).map(({ id }) => id);
    for (const id of await listed()) expect(second).toContain(id);
    await cloud().waitForQuiescence();
    expect(await listed()).toEqual(second.toSorted());
  });

  it('emails of a space are listed as they are', async () => {
    const scheduled = {
      subject: 'Later',
      text: 'Hi',
      scheduled_at: new Date(now() + 3_600_000).toISOString(),
    };
    const { body } = await client.post<Row>('/emails', { from: sender, to: people[0], ...scheduled });
    await cloud().waitForQuiescence();
    const listed = async (status: string) =>
      (await rows(`/emails?space=${space}&status=${status}`)).map(({ id }) => id);
    expect(await listed('scheduled')).toEqual([body.id]);
    expect((await client.post(`/emails/${body.id}/cancel`, {})).status).toBe(200);
    expect(await listed('scheduled')).toEqual([]);
    expect(await listed('canceled')).toEqual([body.id]);
  });

  it('deliveries in a state are listed once each', async () => {
    const hook = await receiver();
    const body = { url: hook.url, subscriptions: ['email.sent'] };
    const { body: endpoint } = await client.post('/webhook-endpoints', body);
    for (const to of people) await send(to);
    const path = `/webhook-endpoints/${endpoint.id}/deliveries?state=delivered`;
    const early = (await rows(path)).map(({ id }) => id);
    expect(new Set(early).size).toBe(early.length);
    await cloud().waitForQuiescence();
    const late = (await rows(path)).map(({ id }) => id);
    expect(late).toEqual(expect.arrayContaining(early));
    expect(new Set(late).size).toBe(people.length);
    expect(late).toHaveLength(people.length);
  });
});
