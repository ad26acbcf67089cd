/**
 * A workspace that is spread from a time on (docs/decisions/0088-spread-workspaces.md): mail of a deployment without the setting, of
 * one that has it before the time, and after it. Lists, threads, deletion, retention and erasure cover all of it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { timestamp } from '../../lib/adapters/clock.ts';
import type { Item } from '../../lib/storage/table/table.ts';
import { type Api, api } from '../support/api.ts';
import { recordedCalls } from '../support/calls.ts';
import { cloud } from '../support/cloud.ts';
import { finishDeletion } from '../support/marked-thread.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';
import { receiver } from '../support/receiver.ts';
import { keysOf, naming } from '../support/stored.ts';
import { verifiedDomain } from '../support/verified-domain.ts';

type Workspace = Awaited<ReturnType<OwnCloud['workspace']>>;

let dataFolder: string;
let own: OwnCloud;
afterAll(async () => {
  await own.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Other files may have moved the clock of the shared cloud. */
const ownTime = async () => Number(await own.operate('../../lib/adapters/clock.ts', 'now'));

interface Sent {
  readonly id: string;
  readonly thread_id: string;
}

interface Mailing {
  readonly client: Api;
  readonly from: string;
  readonly sent: Sent[];
}

let people = 0;
const nextPerson = () => `person-${++people}@people.example.test`;

async function send({ client, from, sent }: Mailing, to = nextPerson()): Promise<Sent> {
  const { status, body } = await client.post<Sent>('/emails', { from, to, subject: `To ${to}`, text: 'Hi' });
  expect(status).toBe(201);
  sent.push(body);
  return body;
}

const sendMany = async (mailing: Mailing, number: number) => {
  await Promise.all(Array.from({ length: number }, () => send(mailing)));
  await cloud().waitForQuiescence();
};

/** A person answers the last email that was sent to them, and gets a reply in the same thread. */
async function converse(mailing: Mailing): Promise<Sent> {
  const { client, from } = mailing;
  const person = nextPerson();
  const sent = await send(mailing, person);
  await cloud().waitForQuiescence();
  await answer(mailing, person, sent);
  await cloud().sendMail({ from: nextPerson(), to: [from], subject: 'Question', text: 'Hello?' });
  await cloud().waitForQuiescence();
  const { body } = await client.get<{ data: Sent[] }>(`/emails?thread_id=${sent.thread_id}`);
  expect(body.data).toHaveLength(3);
  return sent;
}

async function answer(
  { client, from }: Mailing,
  person: string,
  { id, thread_id: thread }: Sent,
): Promise<void> {
  const before = (await client.get(`/emails?thread_id=${thread}`)).body.data.length;
  const { body: sent } = await client.get(`/emails/${id}`);
  await cloud().sendMail({
    from: person,
    to: [from],
    subject: 'Re: Hi',
    text: 'Thank you',
    inReplyTo: String(sent.message_id),
  });
  await cloud().waitForQuiescence();
  expect((await client.post(`/threads/${thread}/reply`, { text: 'Welcome' })).status).toBe(201);
  await cloud().waitForQuiescence();
  expect((await client.get(`/emails?thread_id=${thread}`)).body.data).toHaveLength(before + 2);
}

/** Ids of all pages of a list. */
async function listed({ client }: Mailing, path: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  do {
    const query: string = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`;
    const { status, body } = await client.get(`${path}${query}`);
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }) => id));
    cursor = body.next_cursor;
  } while (cursor);
  return ids;
}

/** Everything, once each, newest first, in pages of any size. */
async function expectLists(mailing: Mailing, endpoint: string): Promise<void> {
  const deliveries = `/webhook-endpoints/${endpoint}/deliveries`;
  for (const path of ['/emails', '/events', deliveries, '/emails?direction=inbound', '/threads']) {
    const all = await listed(mailing, path, 100);
    expect(new Set(all).size).toBe(all.length);
    for (const limit of [7, ...(/events|deliveries/.test(path) ? [] : [1])]) {
      expect(await listed(mailing, path, limit), `${path} ${limit}`).toEqual(all);
    }
    if (path !== '/threads') expect(all).toEqual(all.toSorted().reverse());
  }
}

/** Keys of items, as `#` and the ids of others are: by the list, and whether they are in one of the other partitions. */
async function listItems(workspace: Workspace) {
  const items = (await own.operate('stored.ts', 'itemsOf', workspace.id)) as Item[];
  const counts: Record<string, number> = {};
  for (const { pk } of items) {
    const [, prefix, , list] = /^W#[^#]+#(SPREAD#(\d)#)?(E|T|EVENTS|EP#[^#]+)$/.exec(pk) ?? [];
    if (list) {
      const name = `${prefix ? 'spread ' : ''}${list.split('#')[0]}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return { items, counts };
}

/** Write units of an email in the partitions of each list, as shares of all that the list gets. */
async function unitsOf(mailing: Mailing, { id }: Workspace, batches: number) {
  const units = new Map<string, number>();
  await cloud().control('POST', '/calls', { metering: true });
  for (let batch = 0; batch < batches; batch++) {
    const calls = await recordedCalls(() => sendMany(mailing, 8));
    for (const { action, consumed = [] } of calls) {
      if (!/Put|Update|Write/.test(action)) continue;
      for (const { partition, units: used } of consumed)
        units.set(partition, (units.get(partition) ?? 0) + used);
    }
  }
  await cloud().control('POST', '/calls', { metering: false });
  const of = (list: string) =>
    [...units].filter(
      ([pk]) => pk.startsWith(`W#${id}#SPREAD#`) && pk.split('#').slice(4).join('#') === list,
    );
  const inOne = (list: string) => units.get(`W#${id}#${list}`) ?? 0;
  return { of, inOne };
}

/** The first mail, of a deployment that does not have the setting. */
async function before() {
  dataFolder = mkdtempSync(join(tmpdir(), 'spread-'));
  own = await startOwnCloud({ dataFolder });
  const workspace = await own.workspace();
  const mailing = { client: api(workspace.key), from: `desk@${workspace.providedDomain}`, sent: [] };
  const hook = await receiver();
  const subscriptions = ['email.sent', 'email.delivered', 'email.received'];
  const { body } = await mailing.client.post('/webhook-endpoints', { url: hook.url, subscriptions });
  const old = await converse(mailing);
  await sendMany(mailing, 5);
  return { workspace, mailing, old, endpoint: body.id };
}

it('is one workspace to all who use it, before and after the time from which on it is spread', async () => {
  const { workspace, mailing: first, old, endpoint } = await before();
  const from = (await ownTime()) + 3_600_000;
  await own.close();
  own = await startOwnCloud({
    dataFolder,
    spreadWorkspaces: [{ workspace: workspace.id, from: new Date(from).toISOString() }],
  });
  const mailing = { ...first, client: api(workspace.key) };
  const { client } = mailing;
  await sendMany(mailing, 4);
  expect((await listItems(workspace)).counts).toEqual({
    E: 13,
    T: 11,
    EVENTS: expect.any(Number),
    EP: expect.any(Number),
  });

  await cloud().advance(2 * 3600);
  await cloud().waitForQuiescence();
  const { of, inOne } = await unitsOf(mailing, workspace, 16);
  for (const list of ['E', 'T', 'EVENTS', `EP#${endpoint}`]) {
    const shares = of(list).map(([, units]) => units);
    const all = shares.reduce((sum, units) => sum + units, 0);
    expect(all, list).toBeGreaterThanOrEqual(2 * 128);
    expect(inOne(list), list).toBe(0);
    // The share of one is 16 emails; 38 are five standard deviations above it, 0 is four below.
    expect(shares.length, list).toBe(8);
    expect(Math.max(...shares), list).toBeLessThan((38 / 128) * all);
  }
  const young = await converse(mailing);
  await answer(mailing, 'person-1@people.example.test', old);
  await expectLists(mailing, endpoint);
  const { counts } = await listItems(workspace);
  expect(counts).toMatchObject({ E: 13, T: 11, 'spread E': 128 + 4 + 2, 'spread T': 128 + 2 });

  await deleteSome(mailing, workspace, [old, young]);
  await eraseAPerson(workspace, mailing);
  await deleteASpace(workspace, client);
  await keepForADay(workspace, mailing);
  await eraseAll(workspace, mailing);
}, 600_000);

/** Deletes an email and a thread on either side of the time. */
async function deleteSome(mailing: Mailing, workspace: Workspace, threads: readonly Sent[]): Promise<void> {
  const { client, sent } = mailing;
  const emails = [sent[2], sent.at(-2)].map((one) => one?.id ?? '');
  for (const { thread_id } of threads)
    expect((await client.delete(`/threads/${thread_id}`)).status).toBe(204);
  for (const id of emails) expect((await client.delete(`/emails/${id}`)).status).toBe(204);
  await finishDeletion();
  const gone = [...threads.map(({ thread_id }) => thread_id), ...emails];
  const lists = await Promise.all(['/emails', '/threads'].map((path) => listed(mailing, path, 100)));
  expect(lists.flat().filter((id) => gone.includes(id))).toEqual([]);
  const { items } = await listItems(workspace);
  for (const id of gone) {
    expect(keysOf(items).filter((key) => key.includes(id))).toEqual([`W#${workspace.id}#ERASED ${id}`]);
  }
}

async function eraseAPerson({ slug }: Workspace, mailing: Mailing): Promise<void> {
  const address = nextPerson();
  const { id } = await send(mailing, address);
  await cloud().waitForQuiescence();
  const erase = (...more: string[]) =>
    own.operate('operator.ts', 'adminResult', [
      'person',
      'erase',
      '--workspace',
      slug,
      '--address',
      address,
      ...more,
    ]);
  expect(await erase('--confirm', address)).toMatchObject({ emails: 1 });
  await finishDeletion();
  expect((await mailing.client.get(`/emails/${id}`)).status).toBe(404);
  expect(await erase('--dry-run')).toMatchObject({ emails: 0, threads: 0, events: 0, deliveries: 0 });
}

async function deleteASpace(workspace: Workspace, client: Api): Promise<void> {
  const { body: space } = await client.post('/spaces', { name: 'Shop' });
  const { name } = await verifiedDomain(client, space.id);
  const mailing: Mailing = { client, from: `desk@${name}`, sent: [] };
  await sendMany(mailing, 6);
  expect(await listed(mailing, `/emails?space=${space.id}`, 4)).toHaveLength(6);
  expect((await client.delete(`/spaces/${space.id}`)).status).toBe(204);
  await finishDeletion();
  const { items } = await listItems(workspace);
  // The audit log and messages of the outbox expire by themselves.
  const left = [space.id, ...mailing.sent.map(({ id }) => id)].flatMap((id) => naming(items, id));
  expect(left.filter((key) => !/#(AUDIT|OUT) /.test(key))).toEqual([]);
}

async function keepForADay(workspace: Workspace, mailing: Mailing): Promise<void> {
  await own.operate('../../lib/services/retention/retention.ts', 'changeRetention', workspace.id, 1);
  await cloud().advance(26 * 3600);
  await cloud().waitForQuiescence();
  await finishDeletion();
  expect(await listed(mailing, '/emails', 100)).toEqual([]);
  expect(await listed(mailing, '/threads', 100)).toEqual([]);
}

async function eraseAll(workspace: Workspace, mailing: Mailing): Promise<void> {
  await send(mailing);
  const later = timestamp((await ownTime()) + 72 * 3_600_000);
  const { client, from } = mailing;
  await client.post('/emails', { from, to: nextPerson(), subject: 'Later', text: 'Hi', scheduled_at: later });
  await cloud().waitForQuiescence();
  expect((await listItems(workspace)).counts).toMatchObject({ 'spread E': 2 });
  await own.erase(workspace.id);
  await cloud().advance(2 * 3600);
  await cloud().waitForQuiescence();
  const { items } = await listItems(workspace);
  // Message-IDs of emails that were deleted before.
  expect(keysOf(items.filter(({ expiresAt }) => expiresAt === undefined))).toEqual([]);
}
