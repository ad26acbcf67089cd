/** Drafts are stored: what a send checks of a message itself; the rest is checked when it is approved (docs/concepts/drafts.md). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { type Draft, draftExpiry } from '../../core/emails/draft.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { nameEmail } from '../../observability/count.ts';
import { replaceableContent } from '../../storage/emails/draft-content.ts';
import { createDraft } from '../../storage/emails/drafts.ts';
import { findIdempotencyKey } from '../../storage/emails/idempotency.ts';
import { commit, refusalOf } from '../../storage/table/transactions.ts';
import { newEvent } from '../events/new-event.ts';
import {
  checkClaim,
  checkMessageSize,
  checkRecipientCounts,
  checkSchedule,
  checkSpace,
} from './accept-checks.ts';
import { type AcceptedEmail, type Requester, replay } from './accept-email.ts';
import { idempotencyWrites } from './acceptance-writes.ts';
import type { Idempotency } from './idempotency.ts';
import {
  type ConversationContext,
  type OutgoingEmail,
  outgoingContent,
  outgoingHead,
} from './outgoing-email.ts';
import { gatherFiles, storeAttachments } from './outgoing-files.ts';

/**
 * Stores an email as a draft, with its event and the timer of its expiry.
 *
 * @throws Problem invalid_request, too_many_recipients, attachments_too_large, not_found (attachment), idempotency_key_reused,
 *   thread_claimed
 */
export async function storeDraft(
  requester: Requester,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  idempotency: Idempotency | null,
): Promise<AcceptedEmail> {
  const { workspaceId } = requester;
  const earlier = await findReplay(workspaceId, outgoing, idempotency);
  if (earlier) return earlier;
  checkSchedule(outgoing.scheduledAt);
  checkSpace(continued, outgoing.sender.spaceId);
  checkClaim(continued?.thread ?? null, outgoing.claimOwner);
  checkRecipientCounts(outgoing);
  const id = newId('eml');
  const files = await gatherFiles(workspaceId, outgoing);
  checkMessageSize(
    outgoing.sender,
    outgoing,
    files.map(({ file }) => file),
  );
  const attachments = await storeAttachments(workspaceId, id, files);
  const content = await outgoingContent(id, outgoing, continued, { attachments, suppressed: [] });
  const createdAt = now();
  const threadId = continued?.thread?.id ?? continued?.newThreadId ?? newId('thr');
  const head = outgoingHead({ id, threadId, createdAt }, outgoing, { continued, content, idempotency });
  const draft: Draft = { ...head, ...draftOf(requester, outgoing, createdAt) };
  const writes = [
    ...createDraft(workspaceId, draft),
    await replaceableContent(workspaceId, id, content),
    ...idempotencyWrites(workspaceId, draft, idempotency),
  ];
  try {
    await commit(workspaceId, writes, messagesOf(workspaceId, draft));
    nameEmail({ workspace_id: workspaceId, email_id: id });
  } catch (error) {
    // Another request with the key was faster.
    const first =
      refusalOf(error) === 'idempotency' && (await findReplay(workspaceId, outgoing, idempotency));
    if (first) return first;
    throw error;
  }
  return { email: draft, replayed: false, suppressed: [], pacing: null };
}

/** What a draft has beside the head of its email. */
function draftOf({ actor }: Requester, outgoing: OutgoingEmail, createdAt: number) {
  const { forwardOf, tracking, unsubscribe, pacing, baseUrl } = outgoing;
  return {
    status: 'draft' as const,
    forwardOf,
    trackOpens: tracking?.opens ?? null,
    trackClicks: tracking?.clicks ?? null,
    unsubscribe,
    pacing,
    baseUrl,
    draft: {
      version: 1,
      draftedBy: actor,
      editedBy: null,
      approvedBy: null,
      expiresAt: draftExpiry(createdAt),
    },
  };
}

function messagesOf(workspaceId: WorkspaceId, { id: emailId, createdAt, draft }: Draft): OutboxMessage[] {
  return [
    { message: newEvent(workspaceId, 'email.drafted', createdAt, { emailId }) },
    {
      message: { kind: 'expire-draft', v: 1, workspaceId, emailId },
      ...(draft.expiresAt !== null && { dueAt: draft.expiresAt }),
    },
  ];
}

async function findReplay(
  workspaceId: WorkspaceId,
  { sender: { spaceId } }: OutgoingEmail,
  idempotency: Idempotency | null,
): Promise<AcceptedEmail | null> {
  const used = idempotency && (await findIdempotencyKey(workspaceId, spaceId, idempotency.key));
  return used && (await replay(workspaceId, used, idempotency));
}
