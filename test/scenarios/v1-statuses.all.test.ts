/** Every status of an email, reached through either interface, as both show it, with the events that both send. */
import { afterEach, describe, expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { emailStatuses } from '../../lib/core/emails/email.ts';
import { eventTypes, eventTypeTable } from '../../lib/core/webhooks/event-types.ts';
import { isV1EventType, v1EventTypes } from '../../lib/core/webhooks/v1-format.ts';
import { createV1Endpoint } from '../../lib/services/webhooks/endpoints.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { linkIn, onlyMailTo } from '../support/mail-links.ts';
import { receiver } from '../support/receiver.ts';
import { v1Client } from '../support/v1-client.ts';
import { workspace } from '../support/workspace.ts';

afterEach(clearFaults);

/** A blocked message is no email. */
const subscriptions = eventTypes.filter((type) => type.startsWith('email.') && type !== 'email.blocked');
const interfaces = ['version 1', 'version 2'] as const;

/** A workspace with an endpoint of each format, a send by either interface, and what both show. */
async function begin(interfaceName: (typeof interfaces)[number]) {
  const own = await workspace();
  const from = `support@${own.providedDomain}`;
  const [v1, v2] = [v1Client(own), api(own)];
  const [older, newer] = [await receiver(), await receiver()];
  expect((await v2.post('/webhook-endpoints', { url: newer.url, subscriptions })).status).toBe(201);
  const settings = { enabled: true, subscriptions: v1EventTypes, routing: [], maxConcurrency: 1 };
  await createV1Endpoint(own.id, { ...settings, url: older.url }, null);
  const [domain] = (await v2.get('/domains')).body.data;
  await v2.patch(`/domains/${domain?.id}`, { track_opens: true, track_clicks: true });
  const mail = { from, subject: 'Your order', html: '<p><a href="https://acme.dev/">Orders</a></p>' };
  const send = async (to: string): Promise<string> => {
    if (interfaceName === 'version 1') return (await v1('sendEmail', { ...mail, to })).body.emailId;
    return (await v2.post('/emails', { ...mail, to })).body.id;
  };
  const hold = async () => {
    const limit = { scope: 'rule', amount: 1, per_seconds: 86_400 };
    const rule = { name: 'Hold', match: [], kind: 'limit', limit };
    expect((await v2.post('/pacing-rules', rule)).status).toBe(201);
    await v2.post('/emails', { ...mail, to: address('first') }, { 'Idempotency-Key': 'first' });
    await cloud().waitForQuiescence();
  };
  const address = (label: string) => `${own.slug}-${label}@example.test`;
  return { own, v1, v2, from, mail, send, hold, address, older, newer };
}
type World = Awaited<ReturnType<typeof begin>>;

interface Row {
  readonly state: string;
  /** Brings an email into the state; its id. */
  readonly reach: (world: World) => Promise<string>;
  readonly v2: (typeof emailStatuses)[number] | null;
  readonly v1: string;
  /** By which the search finds it; default: `v1`. */
  readonly found?: string;
  /** In the order of their names. */
  readonly events: readonly (typeof eventTypes)[number][];
  /** The state is reached through version 2 only. */
  readonly isV2Only?: boolean;
}

const scheduled = async ({ v2, mail, address }: World): Promise<string> => {
  const at = timestamp(now() + 3_600_000);
  return (await v2.post('/emails', { ...mail, to: address('later'), scheduled_at: at })).body.id;
};

const opened = async ({ from, address, send }: World, link: '/t/o/' | '/t/c/'): Promise<string> => {
  const id = await send(address('reader'));
  await cloud().waitForQuiescence();
  const { html } = await onlyMailTo(address('reader'), from);
  await fetch(linkIn(html, link), { headers: { 'user-agent': 'Mozilla/5.0' }, redirect: 'manual' });
  return id;
};

const rows: readonly Row[] = [
  { state: 'scheduled', reach: scheduled, v2: 'scheduled', v1: 'QUEUED', events: [], isV2Only: true },
  {
    state: 'canceled',
    reach: async (world) => {
      const id = await scheduled(world);
      expect((await world.v2.post(`/emails/${id}/cancel`)).status).toBe(200);
      return id;
    },
    v2: 'canceled',
    v1: 'ARCHIVED',
    events: ['email.canceled'],
    isV2Only: true,
  },
  {
    state: 'held by pacing',
    reach: async (world) => {
      await world.hold();
      return await world.send(world.address('held'));
    },
    v2: 'queued',
    v1: 'QUEUED',
    events: [],
  },
  {
    state: 'in submission',
    reach: async ({ own, send, address }) => {
      await inject({ worker: 'send-mail', kind: 'drop-before', action: 'SendEmail', match: own.id });
      return await send(address('slow'));
    },
    v2: 'sending',
    v1: 'ACCEPTED',
    found: 'QUEUED',
    events: [],
  },
  {
    state: 'accepted by SES, delivery delayed',
    reach: ({ send, address }) => send(address('x+delay')),
    v2: 'sent',
    v1: 'SENT',
    events: ['email.sent'],
  },
  {
    state: 'delivered',
    reach: ({ send, address }) => send(address('anna')),
    v2: 'delivered',
    v1: 'SENT',
    events: ['email.delivered', 'email.sent'],
  },
  {
    state: 'opened',
    reach: (world) => opened(world, '/t/o/'),
    v2: 'delivered',
    v1: 'SENT',
    events: ['email.delivered', 'email.opened', 'email.sent'],
  },
  {
    state: 'clicked',
    reach: (world) => opened(world, '/t/c/'),
    v2: 'delivered',
    v1: 'SENT',
    events: ['email.clicked', 'email.delivered', 'email.sent'],
  },
  {
    state: 'unsubscribed',
    reach: async ({ v2, mail, from, address }) => {
      const body = { ...mail, to: address('list'), unsubscribe: true };
      const { id } = (await v2.post('/emails', body)).body;
      await cloud().waitForQuiescence();
      const { headers } = await onlyMailTo(address('list'), from);
      const link = linkIn(headers['list-unsubscribe'] ?? '', '/u/');
      await fetch(link, { method: 'POST', body: 'List-Unsubscribe=One-Click' });
      return id;
    },
    v2: 'delivered',
    v1: 'SENT',
    events: ['email.delivered', 'email.sent', 'email.unsubscribed'],
    isV2Only: true,
  },
  {
    state: 'bounced',
    reach: ({ send, address }) => send(address('x+bounce')),
    v2: 'bounced',
    v1: 'BOUNCED',
    events: ['email.bounced', 'email.sent'],
  },
  {
    state: 'complained about',
    reach: ({ send, address }) => send(address('x+complaint')),
    v2: 'complained',
    v1: 'COMPLAINED',
    events: ['email.complained', 'email.delivered', 'email.sent'],
  },
  {
    state: 'refused by SES',
    reach: async ({ own, send, address }) => {
      const refusal = { code: 'MessageRejected', status: 400, match: own.id };
      await inject({ worker: 'send-mail', kind: 'error', action: 'SendEmail', ...refusal });
      return await send(address('refused'));
    },
    v2: 'failed',
    v1: 'REJECTED',
    events: ['email.failed'],
  },
  {
    state: 'not submitted, since all recipients were suppressed meanwhile',
    reach: async ({ v2, hold, send, address }) => {
      await hold();
      const id = await send(address('gone'));
      await v2.post('/suppressions', { addresses: [address('gone')] });
      const released = await v2.post('/pacing-queue/release', { email_ids: [id] });
      expect(released.body.data).toEqual([id]);
      return id;
    },
    v2: 'failed',
    v1: 'FAILED',
    events: ['email.failed'],
  },
  {
    state: 'received',
    reach: async ({ v2, from, address }) => {
      await cloud().sendMail({ from: address('buyer'), to: [from], subject: 'A question', text: 'When?' });
      await cloud().waitForQuiescence();
      return (await v2.get('/emails')).body.data[0]?.id ?? '';
    },
    v2: 'received',
    v1: 'RECEIVED',
    events: ['email.received'],
    isV2Only: true,
  },
  {
    state: 'a draft',
    reach: async ({ v1, mail, address }) =>
      (await v1('sendEmail', { ...mail, to: address('draft'), is_draft: true })).body.emailId,
    v2: 'draft',
    v1: 'DRAFT',
    events: ['email.drafted'],
    isV2Only: true,
  },
  {
    state: 'a draft that was approved',
    reach: async ({ v1, mail, address }) => {
      const { emailId } = (await v1('sendEmail', { ...mail, to: address('draft'), is_draft: true })).body;
      await v1('sendEmailDraft', emailId);
      return emailId;
    },
    v2: 'delivered',
    v1: 'SENT',
    events: ['email.approved', 'email.delivered', 'email.drafted', 'email.sent'],
    isV2Only: true,
  },
];

describe('an email', () => {
  it.each(
    rows.flatMap((row) =>
      interfaces.slice(row.isV2Only ? 1 : 0).map((name) => [row.state, name, row] as const),
    ),
  )(
    'that is %s has its status and events in both interfaces when it came through %s',
    async (_, name, row) => {
      const world = await begin(name);
      const id = await row.reach(world);
      await cloud().waitForQuiescence();
      const { v1, v2, older, newer } = world;
      const shown = await v2.get(`/emails/${id}`);
      expect(shown.body.status).toBe(row.v2);
      const { body: record } = await v1('retrieveEmail', id);
      expect(record.status).toBe(row.v1);
      expect(record.direction).toBe(row.v2 === 'received' ? 'INBOUND' : 'OUTBOUND');
      const { body: search } = await v1('searchThreads', { someEmailHasStatus: row.found ?? row.v1 });
      expect(search.threads.map((thread: { id: string }) => thread.id)).toContain(record.threadId);

      const sent = newer.requests.map(({ body }) => JSON.parse(body));
      const about = sent.filter(({ data }) => data.email_id === id).map(({ type }) => type);
      expect(about.sort()).toEqual(row.events);
      const sentV1 = older.requests.map(({ body }) => JSON.parse(body));
      const aboutV1 = sentV1.filter(({ data }) => data.email.id === id).map(({ event }) => event);
      const names = row.events.filter(isV1EventType).map((type) => eventTypeTable[type].v1Name);
      expect(aboutV1.sort()).toEqual([...names].sort());
      for (const { data } of sentV1) expect(data.email.status).toMatch(/^[A-Z]+$/);
    },
  );

  it('reaches every status and every event of an email in the table above', () => {
    expect(new Set(rows.flatMap(({ v2 }) => v2 ?? []))).toEqual(new Set(emailStatuses));
    expect(new Set(rows.flatMap(({ events }) => events))).toEqual(new Set(subscriptions));
    const v1Statuses = ['DRAFT', 'QUEUED', 'ACCEPTED', 'SENT', 'RECEIVED', 'FAILED', 'BOUNCED', 'COMPLAINED'];
    expect(new Set(rows.map(({ v1 }) => v1))).toEqual(new Set([...v1Statuses, 'REJECTED', 'ARCHIVED']));
  });
});
