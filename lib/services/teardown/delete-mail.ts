/**
 * Deletion of emails and threads (docs/decisions/0081-deleted-mail.md): nothing of them is found any more, and the removal of
 * what they have left begins.
 */
import { now, stopwatch } from '../../adapters/clock.ts';
import type { EmailHead } from '../../core/emails/email.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { threadWithOnly } from '../../core/threads/without-emails.ts';
import { allDone, each } from '../../core/work/all-done.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { draftsOfThreadMax, findDraft, listDraftsOfThread } from '../../storage/emails/drafts.ts';
import { findEmail, findEmails, listAllOfThread, listEndedDrafts } from '../../storage/emails/email-heads.ts';
import { listFurtherEvents } from '../../storage/emails/events-of-email.ts';
import { commitIfUnchanged, type Write } from '../../storage/table/transactions.ts';
import {
  erasureMessage,
  findErasure,
  hideDraft,
  hideEmail,
  hideThread,
} from '../../storage/teardown/erasures.ts';
import { removeEvents } from '../../storage/teardown/teardown-events.ts';
import { findThread, leaveEmailsOut } from '../../storage/threads/threads.ts';
import { listAllEndpoints } from '../../storage/webhooks/endpoints.ts';
import { addAuditEntry } from '../../storage/workspaces/audit.ts';
import { getThread } from '../reading/get-thread.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

/** Emails of a thread that are hidden at the same time. */
const hiddenAtOnce = 10;
/** What a request hides of a thread; of a larger one, the worker hides the rest. */
const hidingMs = 8_000;

/**
 * Deletes an email or a draft; the last one of a thread takes the thread with it.
 *
 * @param actor who asks, for the audit log
 * @throws Problem not_found, email_in_progress
 */
export async function deleteEmail(
  workspaceId: WorkspaceId,
  id: EmailId,
  actor: AuditEntry['actor'],
): Promise<void> {
  const audit = [deletion(workspaceId, actor, 'email.deleted', id)];
  const endedThread = await retryOnConflict(`email ${id}`, async () => {
    const head = await findEmail(workspaceId, id);
    if (!head) return await deleteDraft(workspaceId, id, audit);
    refuseInProgress([head]);
    const from = await readThread(workspaceId, head.threadId);
    const after = await hideFromThread(workspaceId, from, [head], audit);
    return after === conflict ? conflict : after.ended;
  });
  await removeEventsOf(workspaceId, id, hidingMs);
  if (endedThread) await hideRestOfThread(workspaceId, endedThread);
}

/** The entry of a deletion in the audit log. */
function deletion(
  workspaceId: WorkspaceId,
  actor: AuditEntry['actor'],
  action: 'email.deleted' | 'thread.deleted',
  subject: EmailId | ThreadId,
): Write {
  return addAuditEntry(workspaceId, { at: now(), actor, action, subject });
}

/** Emails that one transaction hides. */
const hiddenInOne = 10;

/** What became of emails that were to be deleted. */
export interface DeletedOfThread {
  readonly deleted: readonly EmailId[];
  /** In progress. Others were gone before. */
  readonly left: readonly EmailId[];
}

/**
 * Deletes emails of a thread, without an entry in the audit log. Those that are gone, or in progress, are left out. The thread is
 * read once, and again where others have changed it.
 *
 * @param takesScheduled also emails whose time has not come: they are never sent
 */
export async function deleteEmailsOfThread(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  ids: readonly EmailId[],
  options: { readonly takesScheduled: boolean },
): Promise<DeletedOfThread> {
  const deleted: EmailId[] = [];
  const left: EmailId[] = [];
  let reading: ReturnType<typeof listAllEndpoints> | undefined;
  let known: ThreadMail | null = null;
  for (let start = 0; start < ids.length; start += hiddenInOne) {
    const some = ids.slice(start, start + hiddenInOne);
    const hidden = await hideSomeOfThread(workspaceId, known ?? threadId, some, options);
    const removeShowing = (id: EmailId) => {
      reading ??= listAllEndpoints(workspaceId);
      return removeEventsOf(workspaceId, id, hidingMs, reading);
    };
    await allDone(hidden.deleted.map(removeShowing));
    if (hidden.ended) await hideRestOfThread(workspaceId, hidden.ended);
    deleted.push(...hidden.deleted);
    left.push(...hidden.left);
    known = hidden.thread;
  }
  return { deleted, left };
}

/** @param from the thread, as it was read before or left by the batch before */
async function hideSomeOfThread(
  workspaceId: WorkspaceId,
  from: ThreadMail | ThreadId,
  ids: readonly EmailId[],
  { takesScheduled }: { readonly takesScheduled: boolean },
): Promise<DeletedOfThread & ThreadAfter> {
  const threadId = typeof from === 'string' ? from : from.id;
  let known = typeof from === 'string' ? null : from;
  return await retryOnConflict(`thread ${threadId}`, async () => {
    const found = (await findEmails(workspaceId, ids)).filter((head) => head !== null);
    const stays = ({ status }: EmailHead) =>
      inProgress.has(status) && !(takesScheduled && status === 'scheduled');
    const heads = found.filter((head) => !stays(head));
    const left = found.filter(stays).map(({ id }) => id);
    const deleted = heads.map(({ id }) => id);
    if (heads.length === 0) return { left, deleted, ended: null, thread: known };
    const thread: ThreadMail = known ?? (await readThread(workspaceId, threadId));
    known = null;
    const after = await hideFromThread(workspaceId, thread, heads, []);
    return after === conflict ? conflict : { left, deleted, ...after };
  });
}

/** Deletes a draft, without an entry in the audit log. False where there is none any more. */
export async function deleteDraftOf(workspaceId: WorkspaceId, id: EmailId): Promise<boolean> {
  return await retryOnConflict(`draft ${id}`, () => hideOneDraft(workspaceId, id, []));
}

async function deleteDraft(
  workspaceId: WorkspaceId,
  id: EmailId,
  audit: readonly Write[],
): Promise<null | typeof conflict> {
  const isHidden = await hideOneDraft(workspaceId, id, audit);
  if (isHidden) return isHidden === conflict ? conflict : null;
  // It may have become an email in between.
  if (await findEmail(workspaceId, id)) return conflict;
  throw new Problem('not_found', 'The email does not exist.');
}

/** False where there is no such draft. */
async function hideOneDraft(
  workspaceId: WorkspaceId,
  id: EmailId,
  audit: readonly Write[],
): Promise<boolean | typeof conflict> {
  const draft = await findDraft(workspaceId, id);
  if (!draft) return false;
  return (await commitHidden(workspaceId, [...hideDraft(workspaceId, draft), ...audit], [id])) || conflict;
}

/** A thread with the heads of its emails, oldest first. `thread` is null where it is gone. */
interface ThreadMail {
  readonly id: ThreadId;
  readonly thread: Thread | null;
  readonly heads: readonly EmailHead[];
}

/** A thread that has lost emails. */
interface ThreadAfter {
  /** Its id, where they were its last ones. */
  readonly ended: ThreadId | null;
  /** What is left of it, as it is stored; null: not known. */
  readonly thread: ThreadMail | null;
}

async function readThread(workspaceId: WorkspaceId, id: ThreadId): Promise<ThreadMail> {
  const thread = await findThread(workspaceId, id);
  return { id, thread, heads: thread ? await listAllOfThread(workspaceId, id) : [] };
}

/** Hides emails of a thread, and brings it in line. @param from whoever adds an email changes the version of the thread */
async function hideFromThread(
  workspaceId: WorkspaceId,
  { id: threadId, thread, heads: all }: ThreadMail,
  heads: readonly EmailHead[],
  audit: readonly Write[],
): Promise<ThreadAfter | typeof conflict> {
  const ids = heads.map(({ id }) => id);
  const hide = async (others: readonly Write[], of: readonly (EmailId | ThreadId)[], after: ThreadAfter) => {
    const hidden = await allDone(heads.map((head) => hideEmail(workspaceId, head)));
    const writes = [...hidden.flat(), ...audit, ...others];
    return (await commitHidden(workspaceId, writes, of)) ? after : conflict;
  };
  const [oldest, ...others] = all.filter(({ id }) => !ids.includes(id));
  const isListed = all.some(({ id }) => ids.includes(id));
  // A canceled draft is in no thread.
  if (!thread || !isListed) return await hide([], ids, { ended: null, thread: null });
  if (!oldest) {
    return await hide(hideThread(workspaceId, thread), [...ids, threadId], { ended: threadId, thread: null });
  }
  const after = threadWithOnly(thread, [oldest, ...others]);
  const left = { id: threadId, thread: after, heads: [oldest, ...others] };
  return await hide(leaveEmailsOut(workspaceId, thread, after), ids, { ended: null, thread: left });
}

/**
 * Deletes a thread with its emails and drafts.
 *
 * @param actor who asks, for the audit log
 * @throws Problem thread_not_found, email_in_progress
 */
export async function deleteThread(
  workspaceId: WorkspaceId,
  id: ThreadId,
  actor: AuditEntry['actor'],
): Promise<void> {
  const audit = deletion(workspaceId, actor, 'thread.deleted', id);
  await retryOnConflict(`thread ${id}`, async () => {
    const thread = await getThread(workspaceId, id);
    refuseInProgress(await listAllOfThread(workspaceId, id));
    const writes = [...hideThread(workspaceId, thread), audit];
    return (await commitHidden(workspaceId, writes, [id])) ? undefined : conflict;
  });
  await hideRestOfThread(workspaceId, id);
}

const inProgress: ReadonlySet<EmailHead['status']> = new Set(['queued', 'scheduled', 'sending']);

/** @throws Problem email_in_progress */
function refuseInProgress(heads: readonly EmailHead[]): void {
  const [first] = heads.filter(({ status }) => inProgress.has(status));
  if (!first) return;
  const { id, status } = first;
  throw new Problem(
    'email_in_progress',
    `The email ${id} is ${status}: it can be deleted when it is canceled or has left.`,
  );
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
 * Removes the events of a deleted email, with their deliveries.
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
  const [erasure, further, endpoints] = await allDone([
    findErasure(workspaceId, id),
    listFurtherEvents(workspaceId, id),
    reading,
  ]);
  const events = [...(erasure?.events ?? []), ...further];
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
    ...drafts.map((draft) => ({ id: draft.id, hide: async () => hideDraft(workspaceId, draft) })),
    ...[...emails, ...ended].map((head) => ({ id: head.id, hide: () => hideEmail(workspaceId, head) })),
  ];
  let isAll = true;
  await each(pending, hiddenAtOnce, async ({ id, hide }) => {
    // Where it has changed, or is gone, the next pass looks again.
    const isHidden = elapsedMs() <= hidingMs && (await commitHidden(workspaceId, await hide(), [id]));
    if (isHidden) await removeEventsOf(workspaceId, id, hidingMs, reading);
    else isAll = false;
  });
  return isAll && drafts.length < draftsOfThreadMax;
}
