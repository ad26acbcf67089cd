/** What a workspace does while its functions change from one release to another, and whether all of it came to pass once. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import type { createRandom } from '../../lib/local/anomalies.ts';
import type { AnyBody, Api, ApiResponse } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type ConnectedMailbox, message } from '../support/emulated-mailbox.ts';
import { linkIn, mailTo } from '../support/mail-links.ts';
import type { Receiver } from '../support/receiver.ts';

type Random = ReturnType<typeof createRandom>;

export interface Customer {
  readonly workspaceId: WorkspaceId;
  readonly client: Api;
  /** A verified domain. */
  readonly domain: string;
  readonly mailbox: ConnectedMailbox;
  /** Takes all events of the previous release. */
  readonly hook: Receiver;
}

export interface Sent {
  readonly id: string;
  readonly to: string;
  readonly from: string;
}

/** What was asked for. */
export interface Facts {
  /** Each leaves once, and is reported as sent once. */
  readonly sent: Sent[];
  /** Each is received once, by its subject. */
  readonly received: string[];
  /** Never sent. */
  readonly never: string[];
}

export const noFacts = (): Facts => ({ sent: [], received: [], never: [] });

const word = (): string => randomUUID().slice(0, 8);
const somebody = (host = 'people.example.test'): string => `p-${word()}@${host}`;

/** On the clock of the cloud, which is not that of the test. */
export async function later(seconds: number): Promise<string> {
  const { now } = await cloud().control<{ now: string }>('GET', '/clock');
  return new Date(Date.parse(now) + seconds * 1000).toISOString();
}

/** @throws where the answer is no success */
export function succeeded<T = AnyBody>({ status, body }: ApiResponse<T>): T {
  expect([200, 201, 202, 204], JSON.stringify(body)).toContain(status);
  return body;
}

interface Addressed {
  readonly from: { readonly address: string };
  readonly to: readonly string[];
}

/** Sends, and repeats the request as a client does that has got no answer. */
async function send(customer: Customer, facts: Facts, more: object = {}, path = '/emails'): Promise<Sent> {
  const { client, domain } = customer;
  const from = `desk@${domain}`;
  const to = somebody();
  const isNew = path === '/emails';
  const body = { ...(isNew && { from, to, subject: `S ${word()}` }), text: `T ${word()}`, ...more };
  const headers = { 'idempotency-key': word() };
  const first = succeeded(await client.post(path, body, headers));
  const again = succeeded(await client.post(path, body, headers));
  expect(again.id).toBe(first.id);
  const {
    from: author,
    to: [recipient],
  } = succeeded(await client.get<Addressed>(`/emails/${first.id}`));
  const sent = { id: first.id, to: recipient ?? '', from: author.address };
  facts.sent.push(sent);
  return sent;
}

export async function receive({ domain }: Customer, facts: Facts): Promise<string> {
  const subject = `R ${word()}`;
  await cloud().sendMail({ from: somebody(), to: `desk@${domain}`, subject, text: `Hello ${word()}` });
  facts.received.push(subject);
  return subject;
}

interface Upload {
  readonly id: string;
  readonly upload_url: string;
  readonly upload_headers: Readonly<Record<string, string>>;
}

type Action = (customer: Customer, facts: Facts) => Promise<unknown>;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Its event is new: no function of the previous release may get it. */
const cancel: Action = async ({ client, domain }, facts) => {
  const to = somebody();
  const scheduled_at = await later(3_600);
  const email = { from: `desk@${domain}`, to, subject: `C ${word()}`, text: 'T', scheduled_at };
  const { id } = succeeded(await client.post('/emails', email));
  succeeded(await client.post(`/emails/${id}/cancel`));
  facts.never.push(to);
};

/** What a program written for the previous release does. */
const actions: readonly Action[] = [
  send,
  async (customer, facts) => send(customer, facts, { scheduled_at: await later(1_800) }),
  // Held by the rule of the customer's.
  (customer, facts) => send(customer, facts, { to: somebody('paced.example.test') }),
  (customer, facts) => send(customer, facts, { text: 'long '.repeat(20_000) }),
  (customer, facts) => send(customer, facts, { from: customer.mailbox.address, to: somebody() }),
  receive,
  receive,
  async ({ mailbox }, facts) => {
    const subject = `M ${word()}`;
    await mailbox.receive(message(somebody(), mailbox.address, subject));
    facts.received.push(subject);
  },
  async (customer, facts) => {
    const { body } = await customer.client.get('/emails?direction=inbound&limit=20');
    const answered = new Set(facts.sent.map(({ to }) => to));
    const isNew = ({ from }: AnyBody) => !answered.has((from as { readonly address: string }).address);
    const email = body.data.find((one) => String(one.subject).startsWith('R ') && isNew(one));
    if (email) await send(customer, facts, {}, `/threads/${email.thread_id}/reply`);
  },
  async (customer, facts) => {
    const file = { filename: 'a.txt', content_type: 'text/plain', size: 6 };
    const upload = succeeded<Upload>(await customer.client.post('/attachments', file));
    const put = { method: 'PUT', headers: upload.upload_headers, body: 'A file' };
    expect((await fetch(upload.upload_url, put)).status).toBe(200);
    await send(customer, facts, { attachments: [{ attachment_id: upload.id }] });
  },
  (customer, facts) =>
    send(customer, facts, {
      attachments: [{ filename: 'b.txt', content: base64('B') }],
    }),
  async (customer, facts) => {
    const sent = await send(customer, facts, { html: '<p>News</p>', unsubscribe: true });
    await cloud().waitForQuiescence();
    const [mail] = await mailTo(sent.to, sent.from);
    if (!mail) return;
    const link = linkIn(mail.headers['list-unsubscribe'] ?? '', '/u/');
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(link, { method: 'POST', body })).status).toBe(200);
  },
  async ({ client }) => {
    const space = succeeded(await client.post('/spaces', { name: word() }));
    succeeded(await client.delete(`/spaces/${space.id}`));
  },
];

/** Every read that the previous release has. */
export const reads = [
  '/emails?limit=100',
  '/emails?direction=inbound&limit=100',
  '/threads?limit=100',
  '/events?limit=100',
  '/suppressions?limit=100',
  '/domains?limit=100',
  '/spaces?limit=100',
  '/mailboxes?limit=100',
  '/webhook-endpoints?limit=100',
  '/api-keys?limit=100',
  '/pacing-rules?limit=100',
  '/pacing-queue',
];

/** Answers of the lists, and of each email, thread and delivery in them; all must be 200. */
export async function readAll({ client }: Customer): Promise<void> {
  const get = async (path: string): Promise<readonly AnyBody[]> => {
    const { status, body } = await client.get(path);
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
    return body.data ?? [];
  };
  const lists = new Map<string, readonly AnyBody[]>();
  for (const path of reads) lists.set(path, await get(path));
  const idsOf = (path: string) => (lists.get(path) ?? []).map(({ id }) => id);
  for (const id of idsOf('/emails?limit=100')) await get(`/emails/${id}`);
  for (const id of idsOf('/threads?limit=100')) await get(`/threads/${id}`);
  for (const id of idsOf('/webhook-endpoints?limit=100')) {
    await get(`/webhook-endpoints/${id}/deliveries?limit=100`);
  }
}

/** Refuses every third new delivery at first. */
export function refusingSome(random: Random) {
  const seen = new Set<string>();
  return ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }) => {
    const id = headers['webhook-id'] ?? '';
    const isRefused = !seen.has(id) && random() < 1 / 3;
    seen.add(id);
    return isRefused ? { status: 503 } : {};
  };
}

/** Does every action. @param update called while and after each is done; default: no function is updated */
export async function traffic(
  customer: Customer,
  facts: Facts,
  random: Random,
  update?: () => void,
): Promise<void> {
  const done = update ? actions : [...actions, cancel];
  for (const action of done.toSorted(() => random() - 0.5)) {
    const running = action(customer, facts);
    update?.();
    await running;
    update?.();
  }
}

/** Lets schedules, retries and pacing rules end. */
export async function settleAll(): Promise<void> {
  for (let hour = 0; hour < 3; hour++) {
    await cloud().waitForQuiescence();
    await cloud().advance(3_600);
  }
  await cloud().waitForQuiescence();
}

/** All rows of a list. */
async function rowsOf(client: Api, list: string): Promise<readonly AnyBody[]> {
  const rows: AnyBody[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
    const { body }: ApiResponse = await client.get(`${list}${list.includes('?') ? '&' : '?'}${more}`);
    rows.push(...body.data);
    cursor = body.next_cursor;
  }
  return rows;
}

/** The subjects of all threads. */
export const threadsOf = async ({ client }: Customer): Promise<unknown[]> =>
  (await rowsOf(client, '/threads')).map(({ subject }) => subject);

interface Event {
  readonly id: string;
  readonly type: string;
}

/** Nothing is lost, nothing is sent twice, and every event was delivered. */
export async function expectAll({ client, hook, mailbox }: Customer, facts: Facts): Promise<void> {
  const lost: string[] = [];
  const expectOnce = (what: string, count: number) => {
    if (count !== 1) lost.push(`${what}: ${count} times`);
  };
  const events = [...new Map(hook.requests.map(({ body }) => [JSON.parse(body).id, body])).values()];
  const eventsOf = (type: string, text: string) =>
    events.filter((body) => (JSON.parse(body) as Event).type === type && body.includes(text)).length;
  for (const { id, to, from } of facts.sent) {
    const mails = await cloud().sentTo(to);
    if (from !== mailbox.address) expectOnce(`mail to ${to}`, mails.length);
    expectOnce(`email.sent of ${id}`, eventsOf('email.sent', id));
  }
  for (const to of facts.never) expect(await cloud().sentTo(to)).toEqual([]);
  const inbound = await rowsOf(client, '/emails?direction=inbound');
  for (const subject of facts.received) {
    expectOnce(`received ${subject}`, inbound.filter((email) => email.subject === subject).length);
    expectOnce(`email.received of ${subject}`, eventsOf('email.received', subject));
  }
  const endpoints = (await client.get('/webhook-endpoints')).body.data;
  for (const { id } of endpoints) {
    for (const state of ['pending', 'failed']) {
      const { body } = await client.get(`/webhook-endpoints/${id}/deliveries?state=${state}`);
      lost.push(...body.data.map((delivery) => `delivery ${JSON.stringify(delivery)}`));
    }
  }
  expect(lost).toEqual([]);
}
