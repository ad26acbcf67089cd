/**
 * One event for each fact (docs/concepts/webhooks.md#delivery-guarantees), in a cloud that repeats everything: SES its notifications, SNS
 * its deliveries, the relay the messages of its outbox items, and SQS what publishes an event.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EventType, eventTypes, eventTypeTable } from '../../lib/core/webhooks/event-types.ts';
import { clearFaults, inject, put, type WorkerName } from '../faults/kit.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { browse, giveConsent } from '../support/connect-mailbox.ts';
import { linkIn, onlyMailTo } from '../support/mail-links.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';
import { type DomainBody, publish } from '../support/published-domain.ts';
import { type Receiver, receiver } from '../support/receiver.ts';

let own: OwnCloud;
beforeAll(async () => {
  own = await startOwnCloud({ anomalies: { seed: 1, sesDuplicates: 1, snsDuplicates: 1 } });
});
afterAll(async () => await own.close());

interface World {
  readonly client: Api;
  readonly hook: Receiver;
  readonly address: string;
  /** Sends an email and returns its id. */
  send(to: string, more?: object): Promise<string>;
}

async function newWorld(): Promise<World & { readonly path: string }> {
  const { key, providedDomain } = await own.workspace();
  const client = api(key);
  const hook = await receiver();
  const { body } = await client.post('/webhook-endpoints', { url: hook.url, subscriptions: eventTypes });
  const address = `desk@${providedDomain}`;
  return {
    client,
    hook,
    address,
    path: `/webhook-endpoints/${body.id}`,
    async send(to, more = {}) {
      const sent = await client.post('/emails', { from: address, to, subject: 'Hello', text: 'Hi', ...more });
      expect(sent.status).toBe(201);
      await cloud().waitForQuiescence();
      return sent.body.id;
    },
  };
}

/** Repeats the next messages of the relay, its next stream record, and the next event that it stores. */
async function repeatEverything(): Promise<void> {
  const repeat = (worker: WorkerName, service: 'sqs' | 'dynamodb', kind: 'timeout-after' | 'kill-after') =>
    inject({ worker, service, kind, ...(service === 'dynamodb' && { action: 'PutItem' }) });
  // The SDK sends again what it got no response to.
  await repeat('relay', 'sqs', 'timeout-after');
  await repeat('relay', 'sqs', 'kill-after');
  await repeat('relay', 'dynamodb', 'kill-after');
}

/** Sends an open or click of SES twice. */
async function engage({ address }: World, to: string, eventType: 'Open' | 'Click', content: object) {
  const mail = (await cloud().sentTo(to)).find(({ from }) => from.includes(address));
  if (!mail) throw new Error(`SES accepted nothing for ${to}`);
  const timestamp = new Date(Date.parse(mail.at) + 60_000).toISOString();
  const tags = Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]]));
  const body = JSON.stringify({
    eventType,
    [eventType.toLowerCase()]: { timestamp, ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0', ...content },
    mail: { timestamp: mail.at, messageId: mail.id, tags },
  });
  await Promise.all([put('provider-events', body), put('provider-events', body)]);
}

async function unsubscribe({ address, send }: World): Promise<void> {
  const to = `anna@${address.split('@')[1]}.example.test`;
  await send(to, { unsubscribe: true, html: '<p>News</p>' });
  const { headers } = await onlyMailTo(to, address);
  const link = linkIn(headers['list-unsubscribe'] ?? '', '/u/');
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  for (let times = 0; times < 3; times++) await fetch(link, { method: 'POST', body });
}

async function verifyDomain({ client, address }: World): Promise<void> {
  const name = `d${address.split('@')[1]?.split('.')[0]}.test`;
  const { body } = await client.post<DomainBody>('/domains', { name });
  await publish(body, ['DKIM']);
  await Promise.all([1, 2, 3].map(() => client.post(`/domains/${body.id}/verify`, {})));
}

async function connectAndDisconnect({ client, address }: World): Promise<void> {
  const request = { provider: 'google', return_to: 'https://acme.test/connected' };
  const { body } = await client.post('/mailboxes/connect', request);
  const callback = await giveConsent(String(body.url), { address: `anna@${address.split('@')[1]}.example` });
  const answers = await Promise.all([1, 2, 3].map(() => browse(callback)));
  const id = answers.map(({ location }) => location?.searchParams.get('mailbox_id')).find(Boolean);
  await cloud().waitForQuiescence();
  await Promise.all([1, 2, 3].map(() => client.delete(`/mailboxes/${id}`)));
}

async function draft(client: World['client'], from: string): Promise<string> {
  const email = { from, to: 'approved@people.example.test', subject: 'Draft', text: 'Hi', draft: true };
  const { body } = await client.post('/emails', email);
  await cloud().waitForQuiescence();
  return body.id;
}

const begun = ['email.sent', 'thread.created'] as const;

const facts: readonly (readonly [
  fact: string,
  happens: (world: World) => Promise<unknown>,
  events: readonly EventType[],
])[] = [
  [
    'a message is received',
    ({ address }) =>
      cloud().sendMail({ from: 'ann@example.test', to: address, subject: 'Question', text: 'How are you?' }),
    ['email.received', 'thread.created'],
  ],
  ['an email is delivered', ({ send }) => send('ok@people.example.test'), ['email.delivered', ...begun]],
  ['an email bounces', ({ send }) => send('no+bounce@people.example.test'), ['email.bounced', ...begun]],
  [
    'an email is reported as spam',
    ({ send }) => send('spam+complaint@people.example.test'),
    ['email.complained', 'email.delivered', ...begun],
  ],
  [
    'an email is refused by SES',
    async ({ send }) => {
      await inject({
        worker: 'send-mail',
        kind: 'error',
        action: 'SendEmail',
        code: 'MessageRejected',
        status: 400,
      });
      await send('refused@people.example.test');
    },
    ['email.failed', 'thread.created'],
  ],
  [
    'an email is opened',
    async (world) => {
      const to = 'reader@people.example.test';
      await world.send(to);
      await engage(world, to, 'Open', {});
    },
    ['email.delivered', 'email.opened', ...begun],
  ],
  [
    'a link of an email is clicked',
    async (world) => {
      const to = 'clicker@people.example.test';
      await world.send(to);
      await engage(world, to, 'Click', { link: 'https://example.com/', linkTags: null });
    },
    ['email.clicked', 'email.delivered', ...begun],
  ],
  [
    'a draft is written and approved',
    async ({ client, address }) => {
      const id = await draft(client, address);
      await Promise.all([1, 2, 3].map(() => client.post(`/emails/${id}/approve`, {})));
    },
    ['email.approved', 'email.delivered', 'email.drafted', ...begun],
  ],
  [
    'a draft is discarded',
    async ({ client, address }) => {
      const id = await draft(client, address);
      await Promise.all([1, 2, 3].map(() => client.post(`/emails/${id}/cancel`)));
    },
    ['email.canceled', 'email.drafted'],
  ],
  [
    'a message is blocked',
    async ({ client, address }) => {
      await client.post('/inbound-rules', { action: 'block', pattern: 'ann@example.test' });
      await cloud().sendMail({ from: 'ann@example.test', to: address, subject: 'Question', text: 'Hi' });
    },
    ['email.blocked'],
  ],
  ['a recipient opts out', unsubscribe, ['email.delivered', 'email.unsubscribed', ...begun]],
  ['a domain is verified', verifyDomain, ['domain.verified']],
  [
    'a mailbox is connected and disconnected',
    connectAndDisconnect,
    ['mailbox.connected', 'mailbox.disconnected'],
  ],
];

interface LoggedEvent {
  readonly type: EventType;
  readonly data: { readonly email_id?: string };
}

const logOf = async (client: Api) =>
  (await client.get<{ data: readonly LoggedEvent[] }>('/events')).body.data;

const showsEmail = (type: EventType): boolean => ['email', 'thread'].includes(eventTypeTable[type].subject);

describe('each fact has one event and one delivery when everything upstream is repeated', () => {
  beforeEach(clearFaults);

  it.each(facts)('%s', async (_, happens, expected) => {
    const world = await newWorld();
    await repeatEverything();
    await happens(world);
    await cloud().waitForQuiescence();
    // Messages of killed workers come back when their visibility timeout ends.
    await cloud().advance(600);
    await cloud().waitForQuiescence();
    expect(await cloud().control('GET', '/faults')).toEqual({ data: [] });
    const log = await logOf(world.client);
    expect(log.map(({ type }) => type).sort()).toEqual(expected.toSorted());
    const received = new Map(
      world.hook.requests.map((request) => [request.headers['webhook-id'], JSON.parse(request.body).type]),
    );
    expect([...received.values()].sort()).toEqual(expected.toSorted());
    const { body: list } = await world.client.get<{ data: { event_type: string; state: string }[] }>(
      `${world.path}/deliveries`,
    );
    expect(list.data.map(({ event_type, state }) => `${event_type} ${state}`).sort()).toEqual(
      expected.map((type) => `${type} delivered`).toSorted(),
    );
    // The deletion of an email finds all events that show it.
    for (const id of new Set(log.flatMap(({ data }) => data.email_id ?? []))) {
      expect((await world.client.delete(`/emails/${id}`)).status).toBe(204);
    }
    const left = (await logOf(world.client)).map(({ type }) => type).sort();
    expect(left).toEqual(expected.filter((type) => !showsEmail(type)).toSorted());
  });

  it('has a fact for every event type but two, which other files have', () => {
    const covered = new Set(facts.flatMap(([, , events]) => events));
    expect(eventTypes.filter((type) => !covered.has(type))).toEqual([
      // test/scenarios/domains.long.test.ts
      'domain.lost',
      // test/scenarios/mailboxes/life.clock.all.test.ts
      'mailbox.needs_reauth',
    ]);
  });
});
