/** Sends of version 1: accepted as every email, or stored as drafts (docs/concepts/v1.md#drafts). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { resultOf } from '../../core/all-done.ts';
import type { Draft } from '../../core/draft.ts';
import { directionOf, type EmailHead } from '../../core/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { ownMessageId } from '../../core/mail/message-ids.ts';
import { snippet } from '../../core/mail/text.ts';
import { defaultPacing } from '../../core/pacing/rule.ts';
import { Problem } from '../../core/problems.ts';
import type { Sender } from '../../core/sender.ts';
import { createDraft, findDraft, loadDraftContent } from '../../storage/drafts.ts';
import { storeContent } from '../../storage/email-content.ts';
import { findEmail } from '../../storage/emails.ts';
import { findThread } from '../../storage/threads.ts';
import { ConditionFailed } from '../../storage/transactions.ts';
import { acceptEmail, acceptWhileResolving, checkSpace, type Lookups } from './accept-email.ts';
import { type ConversationContext, type OutgoingEmail, outgoingContent } from './outgoing-email.ts';
import { gatherFiles, storeAttachments } from './outgoing-files.ts';
import { resolveSender } from './resolve-sender.ts';

/** What a send answers. */
export type SentEmail = Pick<EmailHead, 'id' | 'threadId' | 'messageId'>;

/** Tracking of one message; null: as the domain's settings. */
export interface Tracking {
  readonly opens: boolean | null;
  readonly clicks: boolean | null;
}

/**
 * Accepts an email, or stores it as a draft.
 *
 * @throws Problem as `acceptEmail`
 */
export async function sendOrStore(
  workspaceId: WorkspaceId,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  options: { readonly isDraft: boolean; readonly tracking: Tracking },
): Promise<SentEmail> {
  const { isDraft, tracking } = options;
  if (isDraft) return await storeDraft(workspaceId, outgoing, continued, tracking);
  const tracked = { ...outgoing, sender: withTracking(outgoing.sender, tracking) };
  return (await acceptEmail(workspaceId, tracked, continued, null)).email;
}

/**
 * The same while the caller is being confirmed and the sender and the conversation are being looked up.
 *
 * @throws Problem as `acceptWhileResolving`
 */
export async function sendOrStoreWhileResolving(
  workspaceId: WorkspaceId,
  outgoing: Omit<OutgoingEmail, 'sender'>,
  { resolving, confirmed }: Lookups,
  { isDraft, tracking }: { readonly isDraft: boolean; readonly tracking: Tracking },
): Promise<SentEmail> {
  if (isDraft) {
    const [confirmation, resolved] = await Promise.allSettled([confirmed, resolving]);
    resultOf(confirmation);
    const { sender, continued } = resultOf(resolved);
    return await storeDraft(workspaceId, { ...outgoing, sender }, continued, tracking);
  }
  const tracked = resolving.then(({ sender, continued }) => ({
    sender: withTracking(sender, tracking),
    continued,
  }));
  const lookups = { resolving: tracked, confirmed };
  return (await acceptWhileResolving(workspaceId, outgoing, lookups, null)).email;
}

function withTracking(sender: Sender, { opens, clicks }: Tracking): Sender {
  return {
    ...sender,
    tracking: { opens: opens ?? sender.tracking.opens, clicks: clicks ?? sender.tracking.clicks },
  };
}

async function storeDraft(
  workspaceId: WorkspaceId,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  tracking: Tracking,
): Promise<SentEmail> {
  const { sender, from, to, subject, forwardOf, baseUrl } = outgoing;
  checkSpace(continued, sender.spaceId);
  const id = newId('eml');
  const attachments = await storeAttachments(workspaceId, id, await gatherFiles(workspaceId, outgoing));
  const content = outgoingContent(id, outgoing, continued, attachments, { suppressed: [] });
  const draft: Draft = {
    id,
    threadId: continued?.thread?.id ?? continued?.newThreadId ?? newId('thr'),
    spaceId: sender.spaceId,
    from,
    to,
    subject,
    snippet: snippet(content.text ?? ''),
    messageId: ownMessageId(id, sender.name),
    inReplyTo: continued?.answered?.messageId ?? null,
    createdAt: now(),
    forwardOf,
    trackOpens: tracking.opens,
    trackClicks: tracking.clicks,
    baseUrl,
  };
  await storeContent(workspaceId, id, content);
  await createDraft(workspaceId, draft);
  return draft;
}

/**
 * Sends a draft. An email that was a draft, or is any other of ours, is answered as it is and not sent again.
 *
 * @throws Problem not_found, invalid_request (received email), or as `acceptEmail`
 */
export async function sendDraft(workspaceId: WorkspaceId, id: EmailId): Promise<SentEmail> {
  const draft = await findDraft(workspaceId, id);
  if (!draft) return await alreadySent(workspaceId, id);
  const [content, resolved, thread] = await Promise.all([
    loadDraftContent(workspaceId, id),
    resolveSender(workspaceId, draft.from),
    findThread(workspaceId, draft.threadId),
  ]);
  const { cc, bcc, replyTo, html, text, headers, attachments } = content;
  const tracking = { opens: draft.trackOpens, clicks: draft.trackClicks };
  const outgoing: OutgoingEmail = {
    sender: withTracking(resolved, tracking),
    from: draft.from,
    to: draft.to,
    cc,
    bcc,
    replyTo,
    subject: draft.subject,
    html,
    text,
    headers,
    attachments: [],
    suppressionKey: null,
    pacing: defaultPacing,
    unsubscribe: false,
    baseUrl: draft.baseUrl,
    scheduledAt: null,
    forwardOf: draft.forwardOf,
    carried: [],
    draft: { id, threadId: draft.threadId, attachments },
  };
  // Acceptance adds the email's own id.
  const references = content.references.filter((messageId) => messageId !== draft.messageId);
  const answered = draft.inReplyTo === null ? null : { messageId: draft.inReplyTo, references };
  const continued = { thread, newThreadId: draft.threadId, answered };
  try {
    return (await acceptEmail(workspaceId, outgoing, continued, null)).email;
  } catch (error) {
    // Another request has sent it meanwhile.
    if (error instanceof ConditionFailed && error.write === 'draft') {
      return await alreadySent(workspaceId, id);
    }
    throw error;
  }
}

async function alreadySent(workspaceId: WorkspaceId, id: EmailId): Promise<SentEmail> {
  const email = await findEmail(workspaceId, id);
  if (!email) throw new Problem('not_found', 'The email does not exist.');
  if (directionOf(email.status) === 'outbound') return email;
  throw new Problem('invalid_request', 'The email was received; only drafts are sent.');
}
