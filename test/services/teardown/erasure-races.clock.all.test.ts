/**
 * Deletions beside one another, and beside mail that arrives: another one runs to its end before the n-th call that one makes of
 * the table. In the end nothing is left of the person, and all of the others.
 */
import { beforeEach, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { EmailHead } from '../../../lib/core/emails/email.ts';
import type { EndpointId, SpaceId, WorkspaceId } from '../../../lib/core/ids.ts';
import { Problem } from '../../../lib/core/problems.ts';
import { newDelivery } from '../../../lib/core/webhooks/delivery.ts';
import { erasePerson } from '../../../lib/services/erasure/erase-person.ts';
import { expireMail } from '../../../lib/services/retention/expire-mail.ts';
import { changeRetention } from '../../../lib/services/retention/retention.ts';
import { createSpace } from '../../../lib/services/spaces/spaces.ts';
import { deleteEmail, deleteThread } from '../../../lib/services/teardown/delete-mail.ts';
import { deleteSpace } from '../../../lib/services/teardown/delete-space.ts';
import { eraseWorkspace } from '../../../lib/services/workspaces/erase-workspace.ts';
import { storeContent } from '../../../lib/storage/emails/email-content.ts';
import { createEmail, listAllOfThread } from '../../../lib/storage/emails/email-heads.ts';
import { indexMessageId } from '../../../lib/storage/emails/message-ids.ts';
import { suppressAll } from '../../../lib/storage/sending/suppressions.ts';
import { findCounts } from '../../../lib/storage/table/counters.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { createThread, findThread } from '../../../lib/storage/threads/threads.ts';
import { createDelivery } from '../../../lib/storage/webhooks/deliveries.ts';
import { storeEvent } from '../../../lib/storage/webhooks/events.ts';
import { deadLetters } from '../../faults/kit.ts';
import { arrivingMessage } from '../../support/arriving-message.ts';
import { cloud } from '../../support/cloud.ts';
import { start, tag, tearDown } from '../../support/deleted-space.ts';
import { announcementOf, storedEvent } from '../../support/events.ts';
import { incompressible } from '../../support/incompressible.ts';
import { captureLog } from '../../support/log-lines.ts';
import { findStored, finishDeletion } from '../../support/marked-thread.ts';
import { itemsOf, keysOf } from '../../support/stored.ts';
import { storedContent, storedHead } from '../../support/stored-mail.ts';
import { interceptTable } from '../../support/table-calls.ts';

beforeEach(() => void captureLog());

const desk = { name: null, address: 'desk@own.test' };
const ben = { name: null, address: 'ben@elsewhere.test' };

/** A workspace that has mail of the person in a space, and of others there and elsewhere. */
interface Scene {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId;
  readonly person: string;
  /** Of the person, in one thread, the first of which began it. */
  readonly own: readonly [EmailHead, ...EmailHead[]];
  /** In the thread of the person, but not of theirs. */
  readonly between: EmailHead;
  /** Outside of the space. */
  readonly elsewhere: EmailHead;
}

async function scene(): Promise<Scene> {
  const { workspaceId, endpointId } = await start();
  const space = await createSpace(workspaceId, { name: 'Acme', externalId: null });
  const person = `anna@${tag()}.example.test`;
  const anna = { name: null, address: person };
  const messageId = () => `<${tag()}@buyer.test>`;
  const first = storedHead({ spaceId: space.id, from: anna, to: [desk], messageId: messageId() });
  const inThread = { spaceId: space.id, threadId: first.threadId };
  const second = storedHead({
    ...inThread,
    from: desk,
    to: [anna],
    status: 'delivered',
    messageId: messageId(),
  });
  const between = storedHead({ ...inThread, from: ben, to: [desk], messageId: messageId() });
  const elsewhere = storedHead({ from: ben, to: [desk], messageId: messageId() });
  for (const head of [first, second, between, elsewhere])
    await store(workspaceId, endpointId, head, first.id);
  await suppressAll(workspaceId, [person], {
    ...{ key: '*', scope: 'all', reason: 'manual', sourceEmailId: null, note: person },
    spaceId: space.id,
  });
  return { workspaceId, spaceId: space.id, person, own: [first, second], between, elsewhere };
}

/** Stores an email with an event and its delivery; the first one, and those of another thread, begin theirs. */
async function store(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  head: EmailHead,
  first: EmailHead['id'],
): Promise<void> {
  const { id, threadId, spaceId, subject, from, to } = head;
  const [them] = [from, ...to].filter(({ address }) => address !== desk.address);
  const event = storedEvent({
    id: newId('evt'),
    spaceId,
    subject: { emailId: id },
    body: JSON.stringify(head),
  });
  await storeEvent(workspaceId, event);
  await createDelivery(workspaceId, { ...newDelivery(event, endpointId, now() + 1e9), state: 'failed' });
  const text = `${them?.address} ${incompressible(id === first ? 6000 : 10)}`;
  await storeContent(workspaceId, id, storedContent(text));
  const thread = { id: threadId, spaceId, subject, mailbox: desk.address, forwardOf: null };
  const beginsOwn = id === first || threadId === storedHead({ id }).threadId;
  const [put, ...lists] = createThread(workspaceId, thread, {
    ...{ direction: 'inbound', from, to, emailId: id, at: now(), snippet: '', mailboxes: [] },
    participants: id === first ? [from, ben] : [from],
  });
  if (!put || !('put' in put)) throw new Error('a thread is created by something else than a put');
  const counted = { ...put, put: { ...put.put, messageCount: id === first ? 3 : 1 } };
  await commit(
    workspaceId,
    [
      ...createEmail(workspaceId, head),
      ...(beginsOwn ? [counted, ...lists] : []),
      indexMessageId(workspaceId, spaceId, head.messageId, { emailId: id, threadId }),
    ],
    [{ message: announcementOf(workspaceId, event) }],
  );
}

type Flow = (of: Scene) => Promise<unknown>;

const erase: Flow = async ({ workspaceId, person }) =>
  await erasePerson(workspaceId, person, { isDryRun: false });

/** Everything that may come in between. */
const flows = {
  'the erasure of the person': erase,
  'the deletion of the thread': ({ workspaceId, own: [{ threadId }] }) =>
    deleteThread(workspaceId, threadId, 'operator'),
  'the deletion of an email': ({ workspaceId, own: [{ id }] }) => deleteEmail(workspaceId, id, 'operator'),
  'the end of its time': async ({ workspaceId }) => {
    await changeRetention(workspaceId, 1);
    await expireMail({ kind: 'expire-mail', v: 1, workspaceId, after: null, until: now() + 3_600_000 });
  },
  'the teardown of the space': async ({ workspaceId, spaceId }) => {
    await deleteSpace(workspaceId, spaceId, 'operator');
    await tearDown(workspaceId, spaceId);
  },
  'the erasure of the workspace': async ({ workspaceId }) => {
    await eraseWorkspace({ id: workspaceId }, 'erase');
    await tearDown(workspaceId, 'workspace');
  },
  'a reply': async ({ workspaceId, spaceId, person, own: [{ messageId }] }) => {
    const lines = [`From: ${person}`, 'To: desk@own.test', `In-Reply-To: ${messageId}`, '', person];
    await (
      await arrivingMessage({ workspaceId, spaceId }, [`Message-ID: <${tag()}@buyer.test>`, ...lines])
    )();
  },
} as const satisfies Record<string, Flow>;
type Name = keyof typeof flows;

/** What one of two deletions has taken, the other does not find. */
async function run(flow: Flow, of: Scene): Promise<void> {
  try {
    await flow(of);
  } catch (error) {
    if (!(error instanceof Problem && /not_found$/.test(error.code))) throw error;
  }
}

/** Runs a flow, and another one before its n-th call of the table; the number of its calls. */
async function interleave(of: Scene, flow: Flow, other: Flow, number: number): Promise<number> {
  let calls = 0;
  let isInside = false;
  await interceptTable(
    async (input, send) => {
      if (!isInside && calls++ === number) {
        isInside = true;
        await run(other, of);
        isInside = false;
      }
      return await send(input);
    },
    () => run(flow, of),
  );
  return calls;
}

/** Where the second flow begins, as a share of the calls of the first one. */
const shares = [0.1, 0.35, 0.6, 0.85];

/** The thread counts and names what it has. */
async function expectConsistent({ workspaceId, person }: Scene, { threadId }: EmailHead): Promise<void> {
  const thread = await findThread(workspaceId, threadId);
  const heads = await listAllOfThread(workspaceId, threadId);
  expect(heads.length).toBe(thread?.messageCount ?? 0);
  expect(JSON.stringify(thread)).not.toContain(person);
}

async function expectErased(of: Scene, names: readonly Name[]): Promise<void> {
  const { workspaceId, person, own, between, elsewhere } = of;
  const items = await itemsOf(workspaceId);
  const parts = items.filter(({ pk }) => own.some(({ id }) => pk.includes(id)));
  expect(parts).toEqual([]);
  expect(items.filter(({ isOpen }) => isOpen === true)).toEqual([]);
  if (names.includes('the erasure of the workspace')) {
    // By which a message is known: hashes, for 30 days.
    const others = items.filter(({ pk, expiresAt }) => !(expiresAt && /#MID#|#RCVD#|#ERASED$/.test(pk)));
    expect(keysOf(others)).toEqual([]);
    return;
  }
  await expectConsistent(of, between);
  const isKept = !names.includes('the end of its time');
  const left = await listAllOfThread(workspaceId, elsewhere.threadId);
  expect(left.map(({ id }) => id)).toEqual(isKept ? [elsewhere.id] : []);
  const inSpace = await listAllOfThread(workspaceId, between.threadId);
  const isGone = names.some((name) => /thread|time|space/.test(name));
  expect(inSpace.map(({ id }) => id)).toEqual(isGone ? [] : [between.id]);
  const [suppressions] = await findCounts(workspaceId, ['suppressions']);
  expect(suppressions).toBe(names.includes('the teardown of the space') ? 0 : 1);
  expect(await findStored(workspaceId, [person])).toEqual([]);
}

const erasure = 'the erasure of the person';

const pairs: readonly (readonly [Name, Name])[] = [
  ...(Object.keys(flows) as Name[]).flatMap((name) => [
    [erasure, name] as const,
    ...(name === erasure ? [] : [[name, erasure] as const]),
  ]),
  ['the end of its time', 'the teardown of the space'],
  ['the end of its time', 'a reply'],
  ['the deletion of the thread', 'the teardown of the space'],
  ['the deletion of the thread', 'a reply'],
  ['a reply', 'the deletion of the thread'],
];

it.each(pairs)('%s beside %s leaves nothing of the person, and what is not theirs', async (name, other) => {
  const deadBefore = await deadLetters();
  const probe = await scene();
  const scenes = [probe, ...(await Promise.all(shares.map(() => scene())))];
  await cloud().advance(2 * 86_400);
  const calls = await interleave(probe, flows[name], flows[other], Number.POSITIVE_INFINITY);
  await run(flows[other], probe);
  for (const [at, share] of shares.entries()) {
    const of = scenes[at + 1];
    if (of) await interleave(of, flows[name], flows[other], Math.floor(share * calls));
  }
  // What arrived in between is new.
  for (const of of scenes) await run(erase, of);
  await finishDeletion();
  for (const of of scenes) await expectErased(of, [name, other]);
  expect(await deadLetters()).toBe(deadBefore);
});
