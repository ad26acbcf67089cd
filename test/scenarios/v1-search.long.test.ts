/** The search of version 1 in a workspace of 20,000 threads and more. */
import { expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { limits } from '../../lib/core/limits.ts';
import { searchThreads } from '../../lib/services/reading/search-threads.ts';
import type { Write } from '../../lib/storage/table/transactions.ts';
import { createThread } from '../../lib/storage/threads/threads.ts';
import { putItems } from '../support/filled-workspace.ts';
import { buyer, fromBuyer } from '../support/stored-mail.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const threadWrites = (own: TestWorkspace, subject: string, at: number): { id: string; writes: Write[] } => {
  const id = newId('thr');
  const about = { id, spaceId: null, subject, mailbox: `hi@${own.providedDomain}`, forwardOf: null };
  const first = {
    emailId: newId('eml'),
    at,
    snippet: 'Hi',
    ...fromBuyer,
    participants: [buyer],
    mailboxes: [],
  };
  return { id, writes: createThread(own.id, about, first) };
};

it('the search answers in bounded memory when a workspace has 20,000 threads and more', async () => {
  const own = await workspace();
  const count = limits.v1SearchedThreads + 100;
  const items = Array.from({ length: count }, (_, at) => {
    const [write] = threadWrites(own, `Order ${at}`, at + 1).writes;
    if (!write || !('put' in write)) throw new Error('the first write is the thread');
    return write.put;
  });
  await putItems(items);
  const before = process.memoryUsage().heapUsed;
  const filter = {
    createdAfter: null,
    createdBefore: null,
    lastEmailAfter: null,
    lastEmailBefore: null,
    participants: [buyer.address],
    from: buyer.address,
    to: null,
    subject: 'order',
    direction: 'inbound' as const,
    state: 'needs_reply' as const,
    staleAfterDays: 7,
  };
  const order = { by: 'subject', order: 'asc' } as const;
  const { threads, total } = await searchThreads(own.id, {
    filter,
    status: null,
    order,
    limit: 100,
    offset: 5000,
  });
  expect(total).toBe(limits.v1SearchedThreads);
  expect(threads).toHaveLength(100);
  const bytes = process.memoryUsage().heapUsed - before;
  expect(bytes).toBeLessThan(200 * 2 ** 20);
});
