/** Emails of one thread, deleted together: more than a transaction takes. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../../lib/core/ids.ts';
import { each } from '../../../lib/core/work/all-done.ts';
import { deleteEmailsOfThread } from '../../../lib/services/teardown/delete-mail.ts';
import { storeContent } from '../../../lib/storage/emails/email-content.ts';
import { createEmail, findEmails } from '../../../lib/storage/emails/email-heads.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { createThread, findThread } from '../../../lib/storage/threads/threads.ts';
import { fromBuyer, storedContent, storedHead } from '../../support/stored-mail.ts';
import { workspace } from '../../support/workspace.ts';

/** A thread with so many emails, of which the second is queued. */
async function storedThread(workspaceId: WorkspaceId, count: number) {
  const threadId: ThreadId = newId('thr');
  const ids: EmailId[] = Array.from({ length: count }, () => newId('eml'));
  const thread = { id: threadId, spaceId: null, subject: 'Order', mailbox: 'a@own.test', forwardOf: null };
  const [emailId = newId('eml')] = ids;
  const activity = { ...fromBuyer, emailId, at: now(), snippet: '', participants: [], mailboxes: [] };
  await commit(workspaceId, createThread(workspaceId, thread, activity));
  await each([...ids.entries()], 8, async ([number, id]) => {
    await storeContent(workspaceId, id, storedContent('text'));
    const head = storedHead({ id, threadId, ...(number === 1 && { status: 'queued' }) });
    await commit(workspaceId, createEmail(workspaceId, head));
  });
  return { threadId, ids };
}

it.each([11, 101, 1001])(
  'deletes all of %d emails but those in progress and those of no request',
  async (count) => {
    const { id } = await workspace();
    const workspaceId = id as WorkspaceId;
    const { threadId, ids } = await storedThread(workspaceId, count + 1);
    const { deleted, left } = await deleteEmailsOfThread(workspaceId, threadId, ids.slice(0, count), {
      takesScheduled: false,
    });
    expect(left).toEqual([ids[1]]);
    expect(deleted).toEqual(ids.slice(0, count).filter((_, at) => at !== 1));
    const found = (await findEmails(workspaceId, ids)).flatMap((head) => (head ? [head.id] : []));
    expect(found).toEqual([ids[1], ids[count]]);
    expect(await findThread(workspaceId, threadId)).not.toBeNull();
  },
);
