/**
 * Deletion of emails and threads (docs/decisions/0081-deleted-mail.md): nothing of them is found any more, and the removal of
 * what they have left begins.
 */
import { stopwatch } from '../../adapters/clock.ts';
import type { EmailHead } from '../../core/emails/email.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { threadWithOnly } from '../../core/threads/without-emails.ts';
import { allDone } from '../../core/work/all-done.ts';
import { draftsOfThreadMax, findDraft, listDraftsOfThread } from '../../storage/emails/drafts.ts';
import { findEmail, listAllOfThread, listEndedDrafts } from '../../storage/emails/email-heads.ts';
import { commitIfUnchanged, type Write } from '../../storage/table/transactions.ts';
import { erasureMessage, hideDraft, hideEmail, hideThread } from '../../storage/teardown/erasures.ts';
import { listEventsShowing, removeEvents } from '../../storage/teardown/teardown-events.ts';
import { findThread, leaveEmailsOut } from '../../storage/threads/threads.ts';
import { listAllEndpoints } from '../../storage/webhooks/endpoints.ts';
import { getThread } from '../reading/get-thread.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

/** Emails of a thread that are hidden at the same time. */
const hiddenAtOnce = 10;
/** What a request hides of a thread; of a larger one, the worker hides the rest. */
const hidingMs = 8_000;

/**
 * Deletes an email or a draft; the last one of a thread takes the thread with it.
 *
 * @throws Problem not_found, email_in_progress
 */
export async function deleteEmail(workspaceId: WorkspaceId, id: EmailId): Promise<void> {
  const endedThread = await retryOnConflict(`email ${id}`, async () => {
    const head = await findEmail(workspaceId, id);
    if (!head) return await deleteDraft(workspaceId, id);
    refuseInProgress([head]);
    return await hideFromThread(workspaceId, head);
  });
  await removeEventsOf(workspaceId, id, hidingMs);
  if (endedThread) await hideRestOfThread(workspaceId, endedThread);
}

async function deleteDraft(workspaceId: WorkspaceId, id: EmailId): Promise<null | typeof conflict> {
  const draft = await findDraft(workspaceId, id);
  if (draft) {
    return (await commitHidden(workspaceId, hideDraft(workspaceId, draft), [id])) ? null : conflict;
  }
  // It may have become an email in between.
  if (await findEmail(workspaceId, id)) return conflict;
  throw new Problem('not_found', 'The email does not exist.');
}

/** Hides an email, and brings its thread in line. @returns the thread where it was the last email; null: there is none, or it goes on */
async function hideFromThread(
  workspaceId: WorkspaceId,
  head: EmailHead,
): Promise<ThreadId | null | typeof conflict> {
  const { id, threadId } = head;
  const thread = await findThread(workspaceId, threadId);
  const all = thread ? await listAllOfThread(workspaceId, threadId) : [];
  const [oldest, ...others] = all.filter((email) => email.id !== id);
  const isListed = all.some((email) => email.id === id);
  const hidden = hideEmail(workspaceId, head);
  // A canceled draft is in no thread.
  if (!thread || !isListed) return (await commitHidden(workspaceId, hidden, [id])) ? null : conflict;
  if (oldest) {
    const left = leaveEmailsOut(workspaceId, thread, threadWithOnly(thread, [oldest, ...others]));
    return (await commitHidden(workspaceId, [...hidden, ...left], [id])) ? null : conflict;
  }
  const ended = [...hidden, ...hideThread(workspaceId, thread)];
  return (await commitHidden(workspaceId, ended, [id, threadId])) ? threadId : conflict;
}

/**
 * Deletes a thread with its emails and drafts.
 *
 * @throws Problem thread_not_found, email_in_progress
 */
export async function deleteThread(workspaceId: WorkspaceId, id: ThreadId): Promise<void> {
  await retryOnConflict(`thread ${id}`, async () => {
    const thread = await getThread(workspaceId, id);
    refuseInProgress(await listAllOfThread(workspaceId, id));
    return (await commitHidden(workspaceId, hideThread(workspaceId, thread), [id])) ? undefined : conflict;
  });
  await hideRestOfThread(workspaceId, id);
}

const inProgress: ReadonlySet<EmailHead['status']> = new Set(['queued', 'scheduled', 'sending']);

/** @throws Problem email_in_progress */
function refuseInProgress(heads: readonly EmailHead[]): void {
  const [first] = heads.filter(({ status }) => inProgress.has(status));
  if (first) throw new Problem('email_in_progress', `The email ${first.id} is ${first.status}.`);
}

/** Hides records, with the messages that remove what they leave; false where one of them has changed. */
async function commitHidden(
  workspaceId: WorkspaceId,
  writes: readonly Write[],
  ids: readonly (EmailId | ThreadId)[],
): Promise<boolean> {
  const messages = ids.map((id) => ({ message: erasureMessage(workspaceId, id) }));
  return await commitIfUnchanged(workspaceId, writes, messages);
}

/** Events removed at once, with a delivery at each endpoint. */
const eventsAtOnce = 50;

/**
 * Removes the events that show an email, with their deliveries.
 *
 * @param patienceMs after which it stops: the worker removes the rest
 * @param reading the endpoints of the workspace, which may have deliveries of the events
 */
export async function removeEventsOf(
  workspaceId: WorkspaceId,
  id: EmailId,
  patienceMs = Number.POSITIVE_INFINITY,
  reading = listAllEndpoints(workspaceId),
): Promise<void> {
  const elapsedMs = stopwatch();
  const [events, endpoints] = await allDone([listEventsShowing(workspaceId, id), reading]);
  const endpointIds = endpoints.map((endpoint) => endpoint.id);
  for (let start = 0; start < events.length && elapsedMs() < patienceMs; start += eventsAtOnce) {
    await removeEvents(workspaceId, events.slice(start, start + eventsAtOnce), endpointIds);
  }
}

/**
 * Hides the emails and drafts of a thread that is hidden. Idempotent: nobody adds any more.
 *
 * @returns whether none is left; false where the time was over before
 */
export async function hideRestOfThread(workspaceId: WorkspaceId, threadId: ThreadId): Promise<boolean> {
  const elapsedMs = stopwatch();
  const reading = listAllEndpoints(workspaceId);
  const [emails, ended, drafts] = await allDone([
    listAllOfThread(workspaceId, threadId),
    listEndedDrafts(workspaceId, threadId),
    listDraftsOfThread(workspaceId, threadId),
    reading,
  ]);
  const pending = [
    ...drafts.map((draft) => ({ id: draft.id, hide: () => hideDraft(workspaceId, draft) })),
    ...[...emails, ...ended].map((head) => ({ id: head.id, hide: () => hideEmail(workspaceId, head) })),
  ].values();
  let isAll = true;
  const worker = async () => {
    for (const { id, hide } of pending) {
      if (elapsedMs() > hidingMs) {
        isAll = false;
        return;
      }
      // Where it has changed, or is gone, the next pass looks again.
      const isHidden = await commitHidden(workspaceId, hide(), [id]);
      if (isHidden) await removeEventsOf(workspaceId, id, hidingMs, reading);
      else isAll = false;
    }
  };
  await allDone(Array.from({ length: hiddenAtOnce }, worker));
  return isAll && drafts.length < draftsOfThreadMax;
}
