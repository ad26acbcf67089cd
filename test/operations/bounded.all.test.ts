/**
 * The cost of an operation does not depend on the size of its workspace, and reads of single items are consistent
 * (docs/architecture.md).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { workers } from '../../functions/workers.ts';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import type { SpaceId, ThreadId } from '../../lib/core/ids.ts';
import type { Contract } from '../../lib/http/contract.ts';
import type { RecordedCall } from '../../lib/local/aws/recorder.ts';
import { roleOf } from '../../lib/local/aws/service.ts';
import { headCodec } from '../../lib/storage/emails/email-heads.ts';
import * as keys from '../../lib/storage/table/keys.ts';
import { placeInSpace } from '../../lib/storage/table/space-index.ts';
import type { Item } from '../../lib/storage/table/table.ts';
import { createThread } from '../../lib/storage/threads/threads.ts';
import { type AnyBody, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { mailOf5Kb } from '../support/conversation.ts';
import { type FilledWorkspace, filledWorkspace, putItems } from '../support/filled-workspace.ts';
import {
  bodyOf,
  type Call,
  createResource,
  type FixtureContext,
  fixtureOf,
  paramNames,
  paramsOf,
  resourceOf,
  targetOf,
} from '../support/operation-fixtures.ts';
import { fromBuyer, storedHead } from '../support/stored-mail.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

/** The AWS calls of one API call. */
interface Asked {
  /** Number of calls by action. */
  readonly calls: Readonly<Record<string, number>>;
  /** Table items read. */
  readonly items: number;
  /** Read capacity units: 4 KB each, rounded up for each call. */
  readonly units: number;
}

/** The small workspace has two full pages of every list, and more messages in a thread than a reply reads. */
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
  await Promise.all([fillUp(small, sizes.small.others), fillUp(large, sizes.large.others)]);
  // The first use of a key updates `last_used_at`.
  await Promise.all([small, large].map((own) => api(own).get('/spaces')));
  await cloud().control('POST', '/calls', { metering: true });
});

afterAll(async () => {
  await cloud().control('POST', '/calls', { metering: false });
});

const byKey: ReadonlySet<string> = new Set(['GetItem', 'BatchGetItem']);

/**
 * The AWS calls during `work`, by function. Checks that none is a Scan, and that reads by key are strongly consistent: these
 * cost a whole unit ("DynamoDB read and write operations").
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

/** Makes the call and returns its AWS calls and its body. */
async function ask(own: TestWorkspace, contract: Contract, call: Call) {
  const target = targetOf(contract, call);
  const request = call.body === undefined ? {} : { body: call.body };
  let body: AnyBody | null = null;
  const byFunction = await recordedDuring(async () => {
    const answer = await api(own).request(contract.method, target, request);
    if (!(answer.status in contract.responses)) {
      throw new Error(`${target} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    body = answer.body;
  });
  // The work that the call causes must not run into the next one.
  if (contract.method !== 'GET' && contract.method !== 'HEAD') await cloud().waitForQuiescence();
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

/** The calls that are compared: those that the fixture names, else one. */
async function callsOf(contract: Contract, own: FilledWorkspace): Promise<Call[]> {
  const { bounded, consumes, params } = await fixtureOf(contract);
  const context = contextOf(own);
  const ids = { ...own.ids, ...(consumes && own.spare), ...(params && (await paramsOf(contract, context))) };
  const missing = paramNames(contract).filter((name) => !ids[name]);
  const created = missing.map(async (name) => [name, await resourceOf(contract, name, context)]);
  const shared = { ...ids, ...Object.fromEntries(await Promise.all(created)) };
  const body = await bodyOf(contract, context);
  const usual: Call = {
    ...(isList(contract) && { query: 'limit=2' }),
    ...(body !== undefined && { body }),
  };
  await cloud().waitForQuiescence();
  return (bounded?.map((callFor) => callFor(own)) ?? [usual]).map((call) => ({
    ...usual,
    ...call,
    params: { ...shared, ...call.params },
  }));
}

const isList = ({ query }: Contract): boolean => 'cursor' in query.shape;

const contexts = new Map<FilledWorkspace, FixtureContext>();
function contextOf(own: FilledWorkspace): FixtureContext {
  const context = contexts.get(own) ?? workspaceContext(own);
  contexts.set(own, context);
  return context;
}

/** Creates, through the API, the resources that the workspace was not filled with. */
async function fillUp(own: FilledWorkspace, count: number): Promise<void> {
  for (const contract of operations) {
    for (const param of paramNames(contract)) {
      if (own.ids[param]) continue;
      // Sends read all rules, once for each version, and changes of members all members: both numbers are limited.
      const created = param === 'rule_id' || param === 'member_id' ? sizes.small.others : count;
      for (let at = 0; at < created; at++) await createResource(contract, param, contextOf(own));
      break;
    }
  }
}

const compared = operations.map((contract) => ({ id: contract.id, contract }));

describe('every operation', () => {
  it.each(compared)(
    '$id asks as much of AWS in a large workspace as in a small one',
    async ({ contract }) => {
      const { unbounded } = await fixtureOf(contract);
      if (unbounded !== undefined) return;
      const [ofSmall, ofLarge] = [await callsOf(contract, small), await callsOf(contract, large)];
      for (const [at, call] of ofSmall.entries()) await compare(contract, call, ofLarge[at] ?? call);
    },
  );

  /** Makes a call in both workspaces; for a list, also the call for its second page. */
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
  /** What is read beside the page: the API key, and the deleted spaces where the list covers all spaces, or the one space. */
  const besides = { ofAllSpaces: 2, ofOneSpace: 2, ofNone: 1 };

  /** The head of an email that was sent. */
  const storedEmail = ({ id: workspaceId }: TestWorkspace, spaceId: SpaceId | null = null) => {
    const id = newId('eml');
    const head = storedHead({ id, threadId: newId('thr'), status: 'sent', spaceId });
    const place = placeInSpace(keys.emailsOfSpace, workspaceId, spaceId, id);
    return { ...keys.emailKey(workspaceId, id), ...headCodec.encode(head), ...place };
  };
  /** A thread with the label x. */
  const storedThread = (
    own: TestWorkspace,
    { id, at }: { id: ThreadId; at: number },
    unread: boolean,
  ): Item => {
    const about = { id, spaceId: null, subject: 'Order 7', mailbox: own.id, forwardOf: null };
    const first = { ...fromBuyer, emailId: newId('eml'), at, snippet: '', participants: [], mailboxes: [] };
    const [created] = createThread(own.id, about, { ...first, marksUnread: unread });
    if (!created || !('put' in created)) throw new Error('the first write is the thread');
    return { ...created.put, labels: ['x'] };
  };
  const spaceOf = async (own: TestWorkspace) =>
    (await api(own).post<{ id: SpaceId }>('/spaces', { name: 'Shop' })).body.id;

  it.each(['direction=inbound', 'query=order'])(
    'reads 250 emails when the first ones match (%s)',
    async (filter) => {
      const { asked } = await ask(large, contractOf('emails.list'), { query: `limit=2&${filter}` });
      expect(asked.items).toBe(250 + besides.ofAllSpaces);
    },
  );

  it('reads a page and one email when the first ones of a space match', async () => {
    const own = await workspace();
    const space = await spaceOf(own);
    await putItems(Array.from({ length: 20 }, () => storedEmail(own, space)));
    const query = `limit=2&space=${space}&status=sent`;
    const { asked } = await ask(own, contractOf('emails.list'), { query });
    // Entries of the index, and the emails.
    expect(asked.items).toBe(3 + 3 + besides.ofOneSpace);
  });

  it('reads on from emails of spaces when those outside of spaces are asked for', async () => {
    const own = await workspace();
    const space = await spaceOf(own);
    const outside = storedEmail(own);
    await putItems([outside, ...Array.from({ length: 600 }, () => storedEmail(own, space))]);
    const { body, asked } = await ask(own, contractOf('emails.list'), { query: 'limit=2&space=none' });
    expect(body).toMatchObject({ data: [{ id: outside.sk }], next_cursor: null });
    // 3, 250, 250 and the last 98.
    expect(asked.calls).toMatchObject({ 'dynamodb Query': 4 });
  });

  it('reads a page of 10,000 threads with a label, and of those that few of them are', async () => {
    const own = await workspace();
    const many = Array.from({ length: 10_000 }, (_, at) => ({ id: newId('thr'), at: now() - at }));
    const few = new Set(many.filter((_, at) => at % 3000 === 2999));
    await putItems(
      many.flatMap((one) => [
        storedThread(own, one, few.has(one)),
        ...[
          keys.activityOfList(own.id, 'label:x'),
          few.has(one) ? keys.unreadActivity(own.id) : keys.activity(own.id),
        ].map((pk) => ({
          pk,
          sk: keys.activitySort(one.at, one.id),
        })),
      ]),
    );
    const page = await ask(own, contractOf('threads.list'), { query: 'limit=2&label=x' });
    expect(page.asked.items).toBe(3 + 3 + besides.ofAllSpaces);
    const both = await ask(own, contractOf('threads.list'), { query: 'limit=2&label=x&read=false' });
    // A hundred entries of the label and three unread ones are compared; then the unread ones are read.
    expect(both.body?.data).toHaveLength(2);
    expect(both.asked.items).toBe(100 + 3 + 3 + 3 + besides.ofAllSpaces);
  });

  it('ends early with a cursor when nothing matches', async () => {
    const many = Array.from({ length: 2200 }, (_, at) => at);
    const own = await workspace();
    const space = await spaceOf(own);
    await putItems([
      ...many.map(() => storedEmail(own, space)),
      // Activity entries of threads that have moved.
      ...many.map((at) => ({ pk: keys.activity(own.id), sk: keys.activitySort(at, newId('thr')) })),
    ]);
    const emails = await ask(own, contractOf('emails.list'), { query: 'limit=2&status=bounced' });
    expect(emails.asked.items).toBe(2000 + besides.ofAllSpaces);
    const outside = await ask(own, contractOf('emails.list'), { query: 'limit=2&space=none' });
    expect(outside.asked.items).toBe(2000 + besides.ofNone);
    const query = `limit=2&space=${space}&status=bounced`;
    const ofSpace = await ask(own, contractOf('emails.list'), { query });
    expect(ofSpace.asked.items).toBe(2 * 500 + besides.ofOneSpace);
    // 3, 12, 48, 192 and 245 entries, each with a batch for each 100 of their emails.
    expect(ofSpace.asked.calls).toMatchObject({ 'dynamodb Query': 5, 'dynamodb BatchGetItem': 8 });
    const threads = await ask(own, contractOf('threads.list'), { query: 'limit=2&query=nothing' });
    expect(threads.asked.items).toBeGreaterThan(2 * 2000);
    expect(threads.asked.items).toBeLessThan(2 * 2100);
    // Pages of two would take hundreds of calls.
    expect(threads.asked.calls['dynamodb Query']).toBeLessThan(30);
    for (const { body } of [emails, outside, ofSpace, threads]) {
      expect(body).toEqual({ data: [], next_cursor: expect.any(String) });
    }
  });
});

describe('the workers of the outbound and inbound pipeline', () => {
  /** The relay reads the endpoints, of which there are fifty at most. */
  const measured = ['send-mail', 'provider-event', 'receive-mail'];
  /** A message's own parts grow while it is processed. */
  const slack = 8;

  it('read as much in a large workspace as in a small one', async () => {
    const few = await readByWorkers(small);
    const many = await readByWorkers(large);
    for (const name of measured) {
      expect(few.get(name), name).toBeGreaterThan(0);
      expect(many.get(name), name).toBeLessThanOrEqual((few.get(name) ?? 0) + slack);
    }
  });

  /** The largest number of items that one call of each worker read while a message was sent and another received. */
  async function readByWorkers(own: FilledWorkspace): Promise<Map<string, number>> {
    const byFunction = await recordedDuring(async () => {
      await api(own).post('/emails', mailOf5Kb(own.mailbox));
      await cloud().sendMail({ from: 'anna@example.test', to: own.mailbox, subject: 'Hello', text: 'Hi' });
      await cloud().waitForQuiescence();
    });
    return new Map(
      workers.map(({ id }) => {
        const calls = byFunction.get(workerFunction(id)) ?? [];
        return [id, Math.max(0, ...calls.map(({ items = 0 }) => items))];
      }),
    );
  }
});
