/** Sends of version 1: accepted as every email, or stored as drafts (docs/concepts/v1.md#drafts). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { EmailHead } from '../../core/emails/email.ts';
import { ownMessageId } from '../../core/emails/message-ids.ts';
import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { defaultPacing } from '../../core/pacing/rule.ts';
import { Problem } from '../../core/problems.ts';
import type { Sender } from '../../core/sending/sender.ts';
import type { Draft } from '../../core/threads/draft.ts';
import { snippet } from '../../mail/text/snippet.ts';
import { createDraft, findDraft, loadDraftContent } from '../../storage/emails/drafts.ts';
import { contentWrite } from '../../storage/emails/email-content.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { findIdempotencyKey, type UsedKey } from '../../storage/emails/idempotency.ts';
import { ConditionFailed } from '../../storage/table/transactions.ts';
import { findThread } from '../../storage/threads/threads.ts';
import { checkSpace } from './accept-checks.ts';
import { acceptEmail, replay } from './accept-email.ts';
import { idempotencyWrites } from './acceptance-writes.ts';
import { checkSameRequest, type Idempotency } from './idempotency.ts';
import { type ConversationContext, type OutgoingEmail, outgoingContent } from './outgoing-email.ts';
import { gatherFiles, storeAttachments } from './outgoing-files.ts';
import { orReplay } from './replay-without-sender.ts';
import { resolveSender } from './resolve-sender.ts';

/** What a send answers. */
export type SentEmail = Pick<EmailHead, 'id' | 'threadId' | 'messageId'>;

export interface V1Sent {
  readonly email: SentEmail;
  /** The idempotency key was used before with the same request: nothing was created. */
  readonly replayed: boolean;
}

/** Tracking of one message; null: as the domain's settings. */
export interface Tracking {
  readonly opens: boolean | null;
  readonly clicks: boolean | null;
}

export interface V1SendOptions {
  readonly isDraft: boolean;
  readonly tracking: Tracking;
  readonly idempotency: Idempotency | null;
}

/**
 * Sends by `send`; where the sender is refused, answers what the same request created before.
 *
 * @param named the thread or the email that the request names
 * @throws Problem as `send`
 */
export async function sendOrReplay(
  workspaceId: WorkspaceId,
  idempotency: Idempotency | null,
  named: ThreadId | EmailId | null,
  send: () => Promise<V1Sent>,
): Promise<V1Sent> {
  return await orReplay(workspaceId, { idempotency, named }, send, replayV1);
}

/** What a key has created: an email, or a draft that is not sent yet. @throws Problem idempotency_key_reused */
async function replayV1(workspaceId: WorkspaceId, used: UsedKey, idempotency: Idempotency): Promise<V1Sent> {
  checkSameRequest(used, idempotency);
  const draft = await findDraft(workspaceId, used.emailId);
  return draft ? { email: draft, replayed: true } : await replay(workspaceId, used, idempotency);
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
  options: V1SendOptions,
): Promise<V1Sent> {
  if (options.isDraft) return await storeDraft(workspaceId, outgoing, continued, options);
  const tracked = { ...outgoing, sender: withTracking(outgoing.sender, options.tracking) };
  return await acceptEmail(workspaceId, tracked, continued, options.idempotency);
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
  { tracking, idempotency }: V1SendOptions,
): Promise<V1Sent> {
  const { sender, from, to, subject, forwardOf, baseUrl } = outgoing;
  const earlier = await findReplay(workspaceId, sender.spaceId, idempotency);
  if (earlier) return earlier;
  checkSpace(continued, sender.spaceId);
  const id = newId('eml');
  const attachments = await storeAttachments(workspaceId, id, await gatherFiles(workspaceId, outgoing));
  const content = outgoingContent(id, outgoing, continued, { attachments, suppressed: [] });
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
    idempotencyKey: idempotency?.key ?? null,
    createdAt: now(),
    forwardOf,
    trackOpens: tracking.opens,
    trackClicks: tracking.clicks,
    baseUrl,
  };
  const stored = await contentWrite(workspaceId, id, content);
  const writes = [...(stored ? [stored] : []), ...idempotencyWrites(workspaceId, draft, idempotency)];
  try {
    await createDraft(workspaceId, draft, writes);
  } catch (error) {
    // Another request with the key was faster.
    const first =
      isFailedAt(error, 'idempotency') && (await findReplay(workspaceId, sender.spaceId, idempotency));
    if (first) return first;
    throw error;
  }
  return { email: draft, replayed: false };
}

async function findReplay(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  idempotency: Idempotency | null,
): Promise<V1Sent | null> {
  const used = idempotency && (await findIdempotencyKey(workspaceId, spaceId, idempotency.key));
  return used && (await replayV1(workspaceId, used, idempotency));
}

const isFailedAt = (error: unknown, write: string): boolean =>
  error instanceof ConditionFailed && error.write === write;

/**
 * Sends a draft. An email that was a draft is answered as it is and not sent again.
 *
 * @throws Problem not_found, invalid_request (never a draft), or as `acceptEmail`
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
    draft: { id, threadId: draft.threadId, idempotencyKey: draft.idempotencyKey, attachments },
  };
  // Acceptance adds the email's own id.
  const references = content.references.filter((messageId) => messageId !== draft.messageId);
  const answered = draft.inReplyTo === null ? null : { messageId: draft.inReplyTo, references };
  const continued = { thread, newThreadId: draft.threadId, answered };
  try {
    return (await acceptEmail(workspaceId, outgoing, continued, null)).email;
  } catch (error) {
    // Another request has sent it meanwhile.
    if (isFailedAt(error, 'draft')) return await alreadySent(workspaceId, id);
    throw error;
  }
}

async function alreadySent(workspaceId: WorkspaceId, id: EmailId): Promise<SentEmail> {
  const email = await findEmail(workspaceId, id);
  if (!email) throw new Problem('not_found', 'The email does not exist.');
  if (email.wasDraft) return email;
  throw new Problem('invalid_request', 'The email was never a draft; only drafts are sent.');
}
