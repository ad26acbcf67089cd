/** The emails of a thread, by its entries. */
import { describe, expect, it } from 'vitest';
import { newId, newIdAt } from '../../../lib/adapters/ids.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../../lib/core/ids.ts';
import { storeContent } from '../../../lib/storage/emails/email-content.ts';
import { createEmail, listEmails } from '../../../lib/storage/emails/email-heads.ts';
import { listThreadMessages } from '../../../lib/storage/emails/emails.ts';
import { emailsOfThread } from '../../../lib/storage/table/keys.ts';
import type { Order } from '../../../lib/storage/table/paging.ts';
import { queryAll } from '../../../lib/storage/table/table.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { storedContent, storedHead, threadOf } from '../../support/stored-mail.ts';

const minute = 60_000;
const begunAt = Date.UTC(2026, 0, 15);

/** A thread with emails at these minutes after the one that began it. */
async function storedThread(others: readonly number[]) {
  const workspaceId = newId('wks');
  const first = storedHead({ id: newIdAt('eml', begunAt) });
  const { threadId } = first;
  await commit(workspaceId, [...createEmail(workspaceId, first), ...threadOf(workspaceId, first)]);
  const joined = others.map((minutes) =>
    storedHead({ id: newIdAt('eml', begunAt + minutes * minute), threadId }),
  );
  for (const head of joined) await commit(workspaceId, createEmail(workspaceId, head));
  const ids = [first, ...joined].map(({ id }) => id).toSorted();
  for (const id of ids) await storeContent(workspaceId, id, storedContent('Hi'));
  return { workspaceId, threadId, ids };
}

/** Ids of all pages. */
async function allOf(list: (after: string | null) => Promise<{ ids: EmailId[]; next: string | null }>) {
  const all: EmailId[] = [];
  for (let after: string | null = null; ; ) {
    const { ids, next } = await list(after);
    all.push(...ids);
    if (next === null) return all;
    after = next;
  }
}

const listed = (workspaceId: WorkspaceId, threadId: ThreadId, limit: number) =>
  allOf(async (after) => {
    const { items, next } = await listEmails(workspaceId, { threadId }, { limit, after });
    return { ids: items.map(({ id }) => id), next };
  });

const messages = (workspaceId: WorkspaceId, threadId: ThreadId, limit: number, order: Order) =>
  allOf(async (after) => {
    const paging = { limit, after, order, bytesMax: 1_000_000 };
    const { items, next } = await listThreadMessages(workspaceId, threadId, paging);
    return { ids: items.map(({ head }) => head.id), next };
  });

describe('the list of a thread', () => {
  it.each([
    ['one email', []],
    ['later emails', [1, 2, 3]],
    ['older emails, which arrived later', [-2, -1]],
    ['older and later emails', [-2, -1, 1, 2]],
  ])('has %s, each once, in pages of any size', async (_, others) => {
    const { workspaceId, threadId, ids } = await storedThread(others);
    expect(await queryAll(emailsOfThread(workspaceId, threadId))).toHaveLength(ids.length);
    for (let limit = 1; limit <= ids.length + 1; limit++) {
      expect(await listed(workspaceId, threadId, limit)).toEqual(ids.toReversed());
      expect(await messages(workspaceId, threadId, limit, 'oldest first')).toEqual(ids);
      expect(await messages(workspaceId, threadId, limit, 'newest first')).toEqual(ids.toReversed());
    }
  });

  it('has the emails of a thread with an id of its own', async () => {
    const workspaceId = newId('wks');
    const head = storedHead({ threadId: newId('thr') });
    await storeContent(workspaceId, head.id, storedContent('Hi'));
    await commit(workspaceId, [...createEmail(workspaceId, head), ...threadOf(workspaceId, head)]);
    expect(await listed(workspaceId, head.threadId, 1)).toEqual([head.id]);
    expect(await messages(workspaceId, head.threadId, 1, 'newest first')).toEqual([head.id]);
  });
});
