/**
 * What an operation reads does not depend on how much its workspace holds (invariant 8), and single items are read as
 * they are at this moment (invariant 6).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { workers } from '../../functions/workers.ts';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import type { Contract } from '../../lib/http/contract.ts';
import type { RecordedCall } from '../../lib/local/aws/recorder.ts';
import { roleOf } from '../../lib/local/aws/service.ts';
import * as keys from '../../lib/storage/keys.ts';
import { type AnyBody, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type FilledWorkspace, filledWorkspace, putItems } from '../support/filled-workspace.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

/** What one call of an operation asked of AWS. */
interface Asked {
  /** How many calls, by action. */
  readonly calls: Readonly<Record<string, number>>;
  /** Items of the table that it looked at. */
  readonly items: number;
  /** Capacity units of reading: 4 KB each, the rest of each call rounded up. */
  readonly units: number;
}

/** How an operation is called. */
interface Call {
  readonly query?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The small one has two full pages of everything, and more messages in a thread than an answer looks back at. */
const sizes = { small: { messages: 101, others: 6 }, large: { messages: 404, others: 30 } };

const { apiFunction, workerFunction } = namesOf({ prefix: 'parley', account: '', homeRegion: '' });
const contractOf = (id: string): Contract => {
  const contract = operations.find((one) => one.id === id);
  if (!contract) throw new Error(`there is no operation ${id}`);
  return contract;
};

let small: FilledWorkspace;
let large: FilledWorkspace;

beforeAll(async () => {
  [small, large] = await Promise.all([filledWorkspace(sizes.small), filledWorkspace(sizes.large)]);
  // The first use of a key is noted, the next ones are not.
  await Promise.all([small, large].map((own) => api(own).get('/spaces')));
  await cloud().control('POST', '/calls', { metering: true });
});

afterAll(async () => {
  await cloud().control('POST', '/calls', { metering: false });
});

const byKey: ReadonlySet<string> = new Set(['GetItem', 'BatchGetItem']);

/**
 * The AWS calls that are made during `work`, by the function that made them. None of them may be a Scan; an item that is
 * read by its key is read consistently, which costs a unit, while half a unit would do for what it was a moment ago.
 */
async function recordedDuring(work: () => Promise<unknown>): Promise<Map<string, RecordedCall[]>> {
  await cloud().control('DELETE', '/calls');
  await work();
  const { data } = await cloud().control<{ data: RecordedCall[] }>('GET', '/calls');
  expect(data.map(({ action }) => action)).not.toContain('Scan');
  for (const { action, principal, items, capacity } of data) {
    if (items === undefined || !byKey.has(action)) continue;
    expect(capacity, `${action} of ${principal}`).toBeGreaterThanOrEqual(items);
  }
  return Map.groupBy(data, ({ principal }) => roleOf(principal));
}

/** Makes the call; what it asked of AWS, and its answer. */
async function ask(own: TestWorkspace, contract: Contract, call: Call) {
  const path = contract.path
    .replace('/api/v2', '')
    .replace(/\{(\w+)\}/g, (_, name: string) => call.params?.[name] ?? `no ${name}`);
  const target = call.query ? `${path}?${call.query}` : path;
  const request = call.body === undefined ? {} : { body: call.body };
  let body: AnyBody | null = null;
  const byFunction = await recordedDuring(async () => {
    const answer = await api(own).request(contract.method, target, request);
    if (!(answer.status in contract.responses)) {
      throw new Error(`${target} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    body = answer.body;
  });
  // What the call owes is done by others, who are not to be in the way of the next one.
  if (contract.method !== 'GET' && contract.method !== 'HEAD') await cloud().settle();
  return { asked: askedBy(byFunction.get(apiFunction(contract.id)) ?? []), body: body as AnyBody | null };
}

function askedBy(calls: readonly RecordedCall[]): Asked {
  const byAction = Map.groupBy(calls, ({ service, action }) => `${service} ${action}`);
  const reads = calls.filter(({ items }) => items !== undefined);
  return {
    calls: Object.fromEntries([...byAction].map(([name, made]) => [name, made.length])),
    items: reads.reduce((sum, { items = 0 }) => sum + items, 0),
    units: reads.reduce((sum, { capacity = 0 }) => sum + capacity, 0),
  };
}

const inADay = () => timestamp(now() + 24 * 3_600_000);
const mail = ({ mailbox }: FilledWorkspace) => ({
  from: mailbox,
  to: 'anna@example.test',
  subject: 'Your order',
  text: 'On its way.',
});
/** Makes something that the measured call uses up. */
async function made(own: FilledWorkspace, path: string, body: unknown): Promise<string> {
  const answer = await api(own).post(path, body);
  if (answer.status >= 300) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`);
  await cloud().settle();
  return answer.body.id;
}

/** Calls of every operation. Lists show two at a time, so that both workspaces hold more than a page. */
const cases: Readonly<Record<string, readonly ((own: FilledWorkspace) => Call | Promise<Call>)[]>> = {
  'spaces.list': [() => ({ query: 'limit=2' })],
  'spaces.create': [() => ({ body: { name: 'Acme', external_id: 'acme' } })],
  'spaces.retrieve': [() => ({})],
  'spaces.update': [() => ({ body: { name: 'Acme again', external_id: 'acme-again' } })],
  'api-keys.list': [() => ({ query: 'limit=2' })],
  'api-keys.create': [() => ({ body: { name: 'Reader', scope: 'read' } })],
  'api-keys.delete': [({ spare }) => ({ params: spare })],
  'emails.list': [
    () => ({ query: 'limit=2' }),
    () => ({ query: 'limit=2&space=none' }),
    ({ longThread }) => ({ query: `limit=2&thread_id=${longThread}` }),
  ],
  'emails.send': [
    (own) => ({ body: mail(own) }),
    (own) => ({ body: { ...mail(own), thread_id: own.longThread } }),
  ],
  'emails.retrieve': [() => ({})],
  'emails.reschedule': [
    async (own) => ({
      params: { email_id: await made(own, '/emails', { ...mail(own), scheduled_at: inADay() }) },
      body: { scheduled_at: inADay() },
    }),
  ],
  'emails.cancel': [
    async (own) => ({
      params: { email_id: await made(own, '/emails', { ...mail(own), scheduled_at: inADay() }) },
    }),
  ],
  'threads.list': [
    () => ({ query: 'limit=2' }),
    () => ({ query: 'limit=2&space=none' }),
    ({ mailbox }) => ({ query: `limit=2&mailbox=${mailbox}` }),
    () => ({ query: 'limit=2&query=order' }),
  ],
  'threads.retrieve': [({ longThread }) => ({ params: { thread_id: longThread }, query: 'message_limit=2' })],
  'threads.reply': [({ longThread }) => ({ params: { thread_id: longThread }, body: { text: 'Soon.' } })],
  // It holds the whole conversation, so that it is one of the same length in both.
  'threads.forward': [() => ({ body: { to: 'cy@example.test' } })],
  'attachments.create': [
    () => ({ body: { filename: 'film.mp4', content_type: 'video/mp4', size: 10_000_000 } }),
  ],
  'attachments.download': [() => ({})],
  'attachments.inspect': [() => ({})],
  'attachments.download-text': [() => ({})],
  'domains.list': [() => ({ query: 'limit=2' })],
  'domains.create': [({ slug }) => ({ body: { name: `new.${slug}.example` } })],
  'domains.retrieve': [() => ({})],
  'domains.update': [() => ({ body: { track_opens: true } })],
  'domains.verify': [() => ({})],
  'domains.delete': [
    ({ spare }) => ({ params: spare }),
    ({ wildcard }) => ({ params: { domain_id: wildcard } }),
  ],
  'webhook-endpoints.list': [() => ({ query: 'limit=2' })],
  'webhook-endpoints.retrieve': [() => ({})],
  'webhook-endpoints.update': [() => ({ body: { enabled: false } })],
  'webhook-endpoints.list-deliveries': [
    () => ({ query: 'limit=2' }),
    () => ({ query: 'limit=2&state=delivered' }),
  ],
  'webhook-endpoints.delete': [({ spare }) => ({ params: spare })],
  'suppressions.list': [() => ({ query: 'limit=2' })],
  'suppressions.create': [() => ({ body: { addresses: ['new@example.test'] } })],
  'suppressions.retrieve': [() => ({})],
  'suppressions.delete': [({ spare }) => ({ params: spare })],
};

/** It counts the endpoints, of which there are fifty at most; see `webhook-endpoints.test.ts`. */
const unmeasured = ['webhook-endpoints.create'];

describe('every operation', () => {
  it('is called here', () => {
    const known = [...Object.keys(cases), ...unmeasured];
    expect(known.sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  const named = Object.entries(cases).map(([id, calls]) => ({ id, calls }));
  it.each(named)('$id asks as much of AWS in a large workspace as in a small one', async ({ id, calls }) => {
    const contract = contractOf(id);
    for (const callOf of calls) {
      const [ofSmall, ofLarge] = [await callOf(small), await callOf(large)];
      await compare(
        contract,
        { ...ofSmall, params: { ...small.ids, ...ofSmall.params } },
        { ...ofLarge, params: { ...large.ids, ...ofLarge.params } },
      );
    }
  });

  /** Makes a call in both workspaces, and where that is a list, asks for its second page. */
  async function compare(contract: Contract, ofSmall: Call, ofLarge: Call): Promise<void> {
    const few = await ask(small, contract, ofSmall);
    const many = await ask(large, contract, ofLarge);
    const roundedUp = Object.values(few.asked.calls).reduce((sum, count) => sum + count, 0);
    expect({ ...many.asked, units: null }).toEqual({ ...few.asked, units: null });
    expect(many.asked.units).toBeLessThanOrEqual(few.asked.units + roundedUp);
    if (!('cursor' in contract.query.shape) || ofSmall.query?.includes('cursor=')) return;
    const next = (call: Call, body: AnyBody | null): Call => {
      expect(body?.next_cursor).toEqual(expect.any(String));
      return { ...call, query: `${call.query}&cursor=${body?.next_cursor}` };
    };
    await compare(contract, next(ofSmall, few.body), next(ofLarge, many.body));
  }
});

describe('a list with a filter', () => {
  /** Beside the page: whose key it is. */
  const caller = 1;

  it.each(['direction=inbound', 'query=order', 'space=none&status=received'])(
    'looks at no more than 250 emails at a time where the first ones pass (%s)',
    async (filter) => {
      const { asked } = await ask(large, contractOf('emails.list'), { query: `limit=2&${filter}` });
      expect(asked.items).toBe(250 + caller);
    },
  );

  it('ends early where nothing passes, with a cursor to go on', async () => {
    const many = Array.from({ length: 2200 }, (_, at) => at);
    const own = await workspace();
    await putItems([
      ...many.map(() => ({ ...keys.emailKey(own.id, newId('eml')) })),
      // Places that threads have left.
      ...many.map((at) => ({ pk: keys.activity(own.id), sk: keys.activitySort(at, newId('thr')) })),
    ]);
    await api(own).get('/spaces');
    const emails = await ask(own, contractOf('emails.list'), { query: 'limit=2&status=bounced' });
    expect(emails.asked.items).toBe(2000 + caller);
    const threads = await ask(own, contractOf('threads.list'), { query: 'limit=2&query=nothing' });
    expect(threads.asked.items).toBeGreaterThan(2 * 2000);
    expect(threads.asked.items).toBeLessThan(2 * 2100);
    // Not a page's worth at a time: a search for two threads would take hundreds of calls.
    expect(threads.asked.calls['dynamodb Query']).toBeLessThan(30);
    for (const { body } of [emails, threads]) {
      expect(body).toEqual({ data: [], next_cursor: expect.any(String) });
    }
  });
});

describe('every worker on the way out and in', () => {
  /** `publish-event` reads the endpoints, of which there are fifty at most. */
  const measured = ['send-mail', 'provider-event', 'receive-mail'];
  /** For what a message's own parts grow by while it is under way. */
  const slack = 8;

  it('reads as much at a time in a large workspace as in a small one', async () => {
    const few = await readByWorkers(small);
    const many = await readByWorkers(large);
    for (const name of measured) {
      expect(few.get(name), name).toBeGreaterThan(0);
      expect(many.get(name), name).toBeLessThanOrEqual((few.get(name) ?? 0) + slack);
    }
  });

  /** The most items that one call of each worker looked at, while a message was sent and another one received. */
  async function readByWorkers(own: FilledWorkspace): Promise<Map<string, number>> {
    const byFunction = await recordedDuring(async () => {
      await api(own).post('/emails', mail(own));
      await cloud().sendMail({ from: 'anna@example.test', to: own.mailbox, subject: 'Hello', text: 'Hi' });
      await cloud().settle();
    });
    return new Map(
      workers.map(({ id }) => {
        const calls = byFunction.get(workerFunction(id)) ?? [];
        return [id, Math.max(0, ...calls.map(({ items = 0 }) => items))];
      }),
    );
  }
});
