/**
 * The previous release beside this one: their functions work on one table, one set of queues and one SES, while they are updated one
 * by one, and rolled back (docs/releases.md). Mail, requests and webhooks go on meanwhile.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../lib/local/anomalies.ts';
import { artefactFile, releasesKept, unpackAssembly } from '../../scripts/release/artefact.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { connectMailbox } from '../support/emulated-mailbox.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';
import { receiver } from '../support/receiver.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { useNewFeatures } from './new-features.ts';
import {
  type Customer,
  expectAll,
  noFacts,
  readAll,
  refusingSome,
  settleAll,
  succeeded,
  threadsOf,
  traffic,
} from './traffic.ts';

const folder = mkdtempSync(join(tmpdir(), 'release-'));
const seed = 7;
let own: OwnCloud;

beforeAll(async () => {
  const previous = releasesKept().at(-1) ?? '';
  unpackAssembly(readFileSync(artefactFile(previous)), folder);
  own = await startOwnCloud({ otherRelease: folder, onMismatch: () => undefined });
});
afterAll(async () => {
  await own.close();
  rmSync(folder, { recursive: true, force: true });
});

const isWorker = (name: string): boolean => name.includes('-worker-');

type Release = Parameters<OwnCloud['useRelease']>[1];

/** Updates the functions of both releases, some with each call. @param order of their names */
function updates(release: Release, order: readonly string[], calls: number) {
  const left = [...order];
  const atOnce = Math.ceil(order.length / calls);
  return () => {
    for (const name of left.splice(0, atOnce)) own.useRelease(name, release);
  };
}

const shuffled = (names: readonly string[], random: () => number): string[] =>
  names
    .map((name) => [random(), name] as const)
    .sort(([one], [other]) => one - other)
    .map(([, name]) => name);

async function customer(random: () => number): Promise<Customer> {
  const workspace = await own.workspace();
  const client = api(workspace.key);
  const hook = await receiver(refusingSome(random));
  const { name: domain } = await verifiedDomain(client, null);
  const subscriptions = [
    'email.received',
    'email.sent',
    'email.delivered',
    'email.bounced',
    'email.failed',
    'email.unsubscribed',
    'thread.created',
    'domain.verified',
    'mailbox.connected',
  ];
  succeeded(await client.post('/webhook-endpoints', { url: hook.url, subscriptions }));
  const rule = {
    name: 'Slow',
    kind: 'limit',
    match: [{ field: 'to', pattern: '*@paced.example.test' }],
    limit: { scope: 'to_domain', amount: 1, per_seconds: 600 },
  };
  succeeded(await client.post('/pacing-rules', rule));
  const mailbox = await connectMailbox({ ...workspace, keyOf: async () => workspace.key }, 'google');
  return { workspaceId: workspace.id, client, domain, hook, mailbox };
}

const orders = {
  'workers first': (names: readonly string[], random: () => number) =>
    shuffled(names, random).sort((one, other) => Number(isWorker(other)) - Number(isWorker(one))),
  'the API first': (names: readonly string[], random: () => number) =>
    shuffled(names, random).sort((one, other) => Number(isWorker(one)) - Number(isWorker(other))),
  'in any order': shuffled,
} as const;

/** Kinds of the messages in dead-letter queues. */
async function deadLetters(): Promise<string[]> {
  const queues = await cloud().control<Record<string, { visible: number }>>('GET', '/queues');
  const names = Object.keys(queues).filter((name) => /dead-letters|undelivered/.test(name));
  const lists = await Promise.all(
    names.map((name) => cloud().control<{ data: { body: string }[] }>('GET', `/queues/${name}/messages`)),
  );
  const kinds = lists.flatMap(({ data }) =>
    data.map(({ body }) => /"kind":"([\w-]+)"/.exec(body)?.[1] ?? body),
  );
  return [...new Set(kinds)];
}

it.for(['workers first', 'in any order'] as const)(
  'an update with traffic, %s, loses nothing and sends nothing twice',
  async (order) => {
    const random = createRandom(seed);
    const names = own.functionsOfBoth;
    for (const name of names) own.useRelease(name, 'other');
    const one = await customer(random);
    const facts = noFacts();
    await traffic(one, facts, random);
    await traffic(one, facts, random, updates('this', orders[order](names, random), 20));
    for (const name of names) own.useRelease(name, 'this');
    await traffic(one, facts, random);
    await settleAll();
    await readAll(one);
    await expectAll(one, facts);
    expect(await deadLetters()).toEqual([]);
  },
);

it('a roll-back with traffic, after use of what is new, loses nothing and sends nothing twice', async () => {
  const random = createRandom(seed);
  const names = own.functionsOfBoth;
  for (const name of names) own.useRelease(name, 'this');
  const one = await customer(random);
  const facts = noFacts();
  const agent = await useNewFeatures(one, facts, random);
  await traffic(one, facts, random, updates('other', orders['the API first'](names, random), 20));
  for (const name of names) own.useRelease(name, 'other');
  expect((await agent.get('/emails')).status).toBe(200);
  await traffic(one, facts, random);
  await settleAll();
  await own.readAllThreads(one.workspaceId);
  await readAll(one);
  await expectAll(one, facts);
  expect(await threadsOf(one)).toEqual(expect.arrayContaining(facts.received));
  // The second pass of a deletion: the operator redrives it after the next update.
  expect(await deadLetters()).toEqual(['erase-mail']);
});
