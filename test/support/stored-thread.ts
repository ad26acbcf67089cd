/** Threads of any length, written through the stores and read through the API. */
import { expect } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { type EmailId, type ThreadId, threadBegunBy } from '../../lib/core/ids.ts';
import { storeContent } from '../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../lib/storage/emails/email-heads.ts';
import { commit } from '../../lib/storage/table/transactions.ts';
import { addToThread, createThread, findThread } from '../../lib/storage/threads/threads.ts';
import type { Api } from './api.ts';
import { buyer, fromBuyer, storedContent, storedHead } from './stored-mail.ts';
import type { TestWorkspace } from './workspace.ts';

/** The part of a message that paging tests use. */
interface PagedMessage {
  readonly id: string;
}

/** Emails per transaction; a transaction has at most 100 writes. */
const emailsAtOnce = 30;

/** Stores a thread of received messages with these texts; its id, and the ids of the emails in order. */
export async function storedThread(
  ours: TestWorkspace,
  texts: readonly string[],
): Promise<{ threadId: ThreadId; ids: EmailId[] }> {
  const at = now();
  const ids = texts.map(() => newId('eml')).sort();
  const threadId = threadBegunBy(ids[0] ?? newId('eml'));
  const emails = ids.map((id, index) => ({ id, text: texts[index] ?? '' }));
  const batches = Array.from({ length: Math.ceil(emails.length / emailsAtOnce) }, (_, batch) =>
    emails.slice(batch * emailsAtOnce, (batch + 1) * emailsAtOnce),
  );
  // One after the other: a call that waits for a connection of the pool for a second fails.
  for (const batch of batches) {
    await Promise.all(batch.map(({ id, text }) => storeContent(ours.id, id, storedContent(text))));
    const heads = batch.map(({ id, text }) => storedHead({ id, threadId, snippet: text.slice(0, 100) }));
    await commit(
      ours.id,
      heads.flatMap((head) => createEmail(ours.id, head)),
    );
  }
  const mailbox = 'sales@acme.dev';
  const [first, last] = [emails[0], emails.at(-1)].map((email) => ({
    emailId: email?.id ?? newId('eml'),
    at,
    snippet: email?.text.slice(0, 100) ?? '',
    ...fromBuyer,
    participants: [buyer],
    mailboxes: [mailbox],
  }));
  if (!first || !last) throw new Error('a thread has messages');
  await commit(
    ours.id,
    createThread(
      ours.id,
      { id: threadId, spaceId: null, subject: 'Order 7', mailbox, forwardOf: null },
      first,
    ),
  );
  const begun = await findThread(ours.id, threadId);
  if (!begun) throw new Error('the thread was not stored');
  await commit(ours.id, addToThread(ours.id, { ...begun, messageCount: texts.length - 1 }, last));
  return { threadId, ids };
}

/** All pages of a thread's messages. */
export async function pagesOf(client: Api, threadId: string, limit: number): Promise<PagedMessage[][]> {
  const pages: PagedMessage[][] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&message_cursor=${cursor}`;
    const { status, body } = await client.get<{
      messages: readonly PagedMessage[];
      next_message_cursor: string | null;
    }>(`/threads/${threadId}?message_limit=${limit}${after}`);
    expect(status).toBe(200);
    pages.push([...body.messages]);
    cursor = body.next_message_cursor;
  } while (cursor !== null);
  return pages;
}
