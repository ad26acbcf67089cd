/** Threads of any length, stored straight through the stores, and read through the API. */
import { expect } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { EmailId, ThreadId } from '../../lib/core/ids.ts';
import { storeContent } from '../../lib/storage/email-content.ts';
import { createEmail } from '../../lib/storage/emails.ts';
import { transact } from '../../lib/storage/table.ts';
import { addToThread, createThread, findThread } from '../../lib/storage/threads.ts';
import type { Api } from './api.ts';
import { buyer, storedContent, storedHead } from './stored-mail.ts';
import type { TestWorkspace } from './workspace.ts';

/** A message of a page, as far as tests of paging look. */
interface PagedMessage {
  readonly id: string;
}

/** Emails in one transaction, which takes a hundred writes. */
const emailsAtOnce = 50;

/** A thread of received messages with these texts, many at a time; its id, and the emails' in order. */
export async function storedThread(
  ours: TestWorkspace,
  texts: readonly string[],
): Promise<{ threadId: ThreadId; ids: EmailId[] }> {
  const threadId = newId('thr');
  const at = now();
  const ids = texts.map(() => newId('eml')).sort();
  const emails = ids.map((id, index) => ({ id, text: texts[index] ?? '' }));
  const batches = Array.from({ length: Math.ceil(emails.length / emailsAtOnce) }, (_, batch) =>
    emails.slice(batch * emailsAtOnce, (batch + 1) * emailsAtOnce),
  );
  await Promise.all(
    batches.map(async (batch) => {
      const writes = batch.map(async ({ id, text }) => [
        createEmail(ours.id, storedHead({ id, threadId, snippet: text.slice(0, 100) })),
        ...(await storeContent(ours.id, id, storedContent(text))),
      ]);
      await transact((await Promise.all(writes)).flat());
    }),
  );
  const [first, last] = [emails[0], emails.at(-1)].map((email) => ({
    emailId: email?.id ?? newId('eml'),
    at,
    snippet: email?.text.slice(0, 100) ?? '',
    participants: [buyer],
  }));
  if (!first || !last) throw new Error('a thread has messages');
  const mailbox = 'sales@acme.dev';
  await transact(
    createThread(
      ours.id,
      { id: threadId, spaceId: null, subject: 'Order 7', mailbox, forwardOf: null },
      first,
    ),
  );
  const begun = await findThread(ours.id, threadId);
  if (!begun) throw new Error('the thread was not stored');
  await transact(addToThread(ours.id, { ...begun, messageCount: texts.length - 1 }, last));
  return { threadId, ids };
}

/** Every page of a thread's messages. */
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
