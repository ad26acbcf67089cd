/** Approval of drafts: a draft is accepted as a send is, in the version that the approver has seen (docs/concepts/drafts.md#approval). */

import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { type FullDraft, loadDraft } from '../../storage/emails/drafts.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { ConditionFailed } from '../../storage/table/transactions.ts';
import { isDeletedMail } from '../../storage/teardown/erasures.ts';
import { findThread } from '../../storage/threads/threads.ts';
import { threadNotFound } from '../reading/get-thread.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { type AcceptedEmail, acceptEmail, type Requester } from './accept-email.ts';
import { checkVersion, findOpenDraft, refuseNoDraft } from './end-draft.ts';
import type { ConversationContext, OutgoingEmail } from './outgoing-email.ts';
import { resolveSender } from './resolve-sender.ts';

/**
 * Accepts a draft as an email of the same ids. A draft that was approved before, in this version, is answered as it is.
 *
 * @param version that the approver has seen; null: any
 * @throws Problem not_found, not_draft, draft_changed, or as `acceptEmail`: the draft then stays as it was
 */
export async function approveDraft(
  requester: Requester,
  id: EmailId,
  version: number | null,
): Promise<AcceptedEmail> {
  const { workspaceId, actor } = requester;
  return await retryOnConflict(`draft ${id}`, async () => {
    const head = await findOpenDraft(workspaceId, id);
    if (!head) return await approvedBefore(workspaceId, id, version);
    checkVersion(head, version);
    const draft = await loadDraft(workspaceId, head);
    const outgoing = await outgoingOf(workspaceId, draft, actor);
    const continued = await conversationOf(workspaceId, draft);
    try {
      return await acceptEmail(requester, outgoing, continued, null);
    } catch (error) {
      // Another request has edited, ended or approved it meanwhile.
      if (error instanceof ConditionFailed && error.write === 'draft') return conflict;
      throw error;
    }
  });
}

async function approvedBefore(
  workspaceId: WorkspaceId,
  id: EmailId,
  version: number | null,
): Promise<AcceptedEmail> {
  const email = await findEmail(workspaceId, id);
  if (!email?.draft?.approvedBy) return await refuseNoDraft(workspaceId, id);
  checkVersion({ revision: email.draft.version }, version);
  return { email, replayed: true, suppressed: [], pacing: null };
}

/** The email that a draft asks for, with its sender as it is now. */
async function outgoingOf(
  workspaceId: WorkspaceId,
  { head, content }: FullDraft,
  approvedBy: string,
): Promise<OutgoingEmail> {
  const { from, to, subject, suppressionKey, pacing, unsubscribe, baseUrl, scheduledAt, forwardOf } = head;
  const { cc, bcc, replyTo, html, text, headers, attachments, original } = content;
  return {
    sender: await resolveSender(workspaceId, from),
    from,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    html,
    text,
    headers,
    attachments: [],
    carried: [],
    suppressionKey,
    pacing,
    unsubscribe,
    baseUrl,
    scheduledAt,
    forwardOf,
    cancelOnReply: head.cancelOnReply ?? false,
    tracking: { opens: head.trackOpens, clicks: head.trackClicks },
    draft: {
      id: head.id,
      threadId: head.threadId,
      idempotencyKey: head.idempotencyKey,
      revision: head.revision,
      facts: { ...head.draft, approvedBy, expiresAt: null },
      original,
      attachments,
    },
  };
}

async function conversationOf(
  workspaceId: WorkspaceId,
  { head, content }: FullDraft,
): Promise<ConversationContext> {
  const thread = await findThread(workspaceId, head.threadId);
  // It would begin the thread again.
  if (!thread && (await isDeletedMail(workspaceId, head.threadId))) throw threadNotFound();
  // Acceptance adds the email's own id.
  const references = content.references.filter((messageId) => messageId !== head.messageId);
  const answered = head.inReplyTo === null ? null : { messageId: head.inReplyTo, references };
  return { thread, newThreadId: head.threadId, answered };
}
