/** Emails and messages that are put ahead of the thread that commits them (docs/decisions/0057-a-thread-commits-its-first-email.md). */
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { storeContent } from '../../lib/storage/email-content.ts';
import {
  changeHead,
  createFirstEmailAhead,
  findEmail,
  findEmails,
  findFullEmail,
  findProgress,
  listEmails,
} from '../../lib/storage/emails.ts';
import { emailOfThreadKey, threadKey, threadsOfSubject } from '../../lib/storage/keys.ts';
import { readOutboxRecord, scanOutbox } from '../../lib/storage/outbox.ts';
import { get } from '../../lib/storage/reads.ts';
import type { Item } from '../../lib/storage/table.ts';
import { commit, discardAhead, type Write } from '../../lib/storage/transactions.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { delayCall } from '../support/lost-response.ts';
import { storedContent, storedHead, threadOf } from '../support/stored-mail.ts';

afterEach(clearFaults);

const newEmail = (subject = 'Order 7') => {
  const workspaceId = newId('wks');
  const head = storedHead({ status: 'queued', spaceId: newId('spc'), subject });
  return { workspaceId, head, messages: [messageOf(workspaceId)] };
};

const messageOf = (workspaceId: WorkspaceId) => ({
  message: { kind: 'check-domain', v: 1, workspaceId, domainId: newId('dom') } as const,
});

const writesOf = ({ workspaceId, head }: ReturnType<typeof newEmail>): Write[] => [
  createFirstEmailAhead(workspaceId, head),
  ...threadOf(workspaceId, head),
];

/** The put of the thread fails: what is ahead of it was made. */
async function failToCommit(email: ReturnType<typeof newEmail>): Promise<void> {
  const { workspaceId, head, messages } = email;
  await storeContent(workspaceId, head.id, storedContent('Hi'));
  const match = `W#${workspaceId}#T"`;
  await inject({ action: 'PutItem', kind: 'error', status: 400, code: 'X', match });
  await expect(commit(workspaceId, writesOf(email), messages)).rejects.toThrow();
  await clearFaults();
}

/** What each way of reading finds of the email. */
async function found({ workspaceId, head: { id, spaceId, status } }: ReturnType<typeof newEmail>) {
  const paging = { limit: 10, after: null };
  const lists = [{}, { space: spaceId }, { status }].map((filter) => listEmails(workspaceId, filter, paging));
  const one = [findEmail(workspaceId, id), findProgress(workspaceId, id)];
  return {
    one: (await Promise.all([...one, findFullEmail(workspaceId, id)])).map((email) => email !== null),
    batch: (await findEmails(workspaceId, [newId('eml'), id])).map((head) => head?.id ?? null),
    lists: (await Promise.all(lists)).map(({ items }) => items.map((head) => head.id)),
  };
}

/** The messages of a workspace that a replay would send. */
async function replayed(workspaceId: WorkspaceId) {
  const all = [];
  for await (const part of scanOutbox({ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER }))
    all.push(...part.found);
  return all.flatMap(({ messages }) => messages).filter(({ message }) => message.workspaceId === workspaceId);
}

/** The relay reads the record of an item in DynamoDB's JSON. */
const recordOf = (item: Item | null) => readOutboxRecord(marshall(item, { removeUndefinedValues: true }));

describe('an email ahead of its thread', () => {
  it.each(['queued', 'scheduled'] as const)(
    'is not found while it is %s and its thread is missing',
    async (status) => {
      const email = newEmail();
      const own = { ...email, head: { ...email.head, status } };
      await failToCommit(own);
      expect(await found(own)).toEqual({
        one: [false, false, false],
        batch: [null, null],
        lists: [[], [], []],
      });
      await commit(own.workspaceId, threadOf(own.workspaceId, own.head));
      const { id } = own.head;
      expect(await found(own)).toEqual({
        one: [true, true, true],
        batch: [null, id],
        lists: [[id], [id], [id]],
      });
    },
  );

  it('is found without a look at its thread once it has changed', async () => {
    const email = newEmail();
    const { workspaceId, head } = email;
    await failToCommit(email);
    await commit(workspaceId, [changeHead(workspaceId, head.id, { status: 'sending' }, { revision: 1 })]);
    expect(await findEmail(workspaceId, head.id)).toMatchObject({ status: 'sending' });
  });

  it('stays as it is when a put whose repetition created it arrives late', async () => {
    const email = newEmail();
    const { workspaceId, head } = email;
    const arriveLate = delayCall('PutItem', `W#${workspaceId}#E"`);
    await commit(workspaceId, writesOf(email));
    await commit(workspaceId, [changeHead(workspaceId, head.id, { status: 'canceled' }, { revision: 1 })]);
    await arriveLate().catch(() => {});
    expect(await findEmail(workspaceId, head.id)).toMatchObject({ status: 'canceled' });
  });

  it('is removed by its request where the commit fails', async () => {
    const email = newEmail();
    await failToCommit(email);
    await discardAhead(writesOf(email));
    await commit(email.workspaceId, threadOf(email.workspaceId, email.head));
    expect(await findEmail(email.workspaceId, email.head.id)).toBeNull();
  });
});

describe('the messages of an email ahead of its thread', () => {
  it.each([
    ['entry of its subject', 'Order 7'],
    ['entry of the email where it has no subject', ''],
  ])('are read by the relay from the record of the thread, and are in the %s', async (_, subject) => {
    const email = newEmail(subject);
    const { workspaceId, head, messages } = email;
    await commit(workspaceId, writesOf(email), messages);
    const holder =
      subject === ''
        ? emailOfThreadKey(workspaceId, head.threadId, head.id)
        : { pk: threadsOfSubject(workspaceId, head.spaceId, 'desk@own.test', 'order 7'), sk: head.threadId };
    const entry = await get(holder);
    expect(entry).toHaveProperty('heldOutbox');
    // The event source of the relay takes items with this attribute.
    expect(entry).not.toHaveProperty('outbox');
    const thread = await get(threadKey(workspaceId, head.threadId));
    expect(await recordOf(thread)).toMatchObject({ messages });
    await discardAhead(writesOf(email));
    expect(await recordOf(thread)).toBeNull();
  });

  it('are replayed where the thread exists only', async () => {
    const email = newEmail();
    await failToCommit(email);
    expect(await replayed(email.workspaceId)).toEqual([]);
    await commit(email.workspaceId, writesOf(email), email.messages);
    expect(await replayed(email.workspaceId)).toEqual(email.messages);
  });

  it('are those of one transaction where the commit has another condition', async () => {
    const email = newEmail();
    const { workspaceId, head, messages } = email;
    const other = {
      as: 'other',
      put: { ...threadKey(workspaceId, newId('thr')) },
    };
    await commit(workspaceId, [...writesOf(email), other], messages);
    expect(await recordOf(await get(threadKey(workspaceId, head.threadId)))).toMatchObject({ messages });
  });
});
