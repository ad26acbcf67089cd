/** The transaction of an accepted email: email, thread, idempotency key, schedule or pacing hold, and messages. */
import { type EmailContent, type EmailHead, historyEntryId } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { mergeParticipants } from '../../mail/threading/participants.ts';
import { type ContentWrite, contentAhead } from '../../storage/emails/email-content.ts';
import { createEmail } from '../../storage/emails/email-heads.ts';
import { addHistoryEntry } from '../../storage/emails/history.ts';
import { claimIdempotencyKey } from '../../storage/emails/idempotency.ts';
import { addToScheduleIndex } from '../../storage/emails/schedule-index.ts';
import type { Write } from '../../storage/table/transactions.ts';
import { addToThread, createThread } from '../../storage/threads/threads.ts';
import { newEvent } from '../events/new-event.ts';
import type { PacingPlan } from '../pacing/hold-email.ts';
import type { Idempotency } from './idempotency.ts';
import type { OutgoingEmail } from './outgoing-email.ts';
import { firstMessage } from './submission-messages.ts';

/** What a request asks to send, and what was found out about it. */
export interface Acceptance {
  readonly outgoing: OutgoingEmail;
  readonly idempotency: Idempotency | null;
  readonly content: EmailContent;
  /** The item of the content; null where the bucket holds it. */
  readonly contentItem: ContentWrite | null;
  readonly suppressed: readonly string[];
  /** null: nothing holds the email. */
  readonly plan: PacingPlan | null;
}

/** What is put ahead of the transaction: content, but that of a draft, which is read until the draft is an email. */
export const aheadOf = ({ outgoing, contentItem }: Acceptance): Write[] =>
  outgoing.draft ? [] : contentAhead(contentItem);

/** The writes and messages that accept an email. @param thread null: the email begins it */
export async function acceptanceOf(
  workspaceId: WorkspaceId,
  accepted: Acceptance,
  head: EmailHead,
  thread: Thread | null,
): Promise<{ readonly writes: readonly Write[]; readonly messages: readonly OutboxMessage[] }> {
  const { outgoing, content, contentItem, suppressed, plan } = accepted;
  const first = firstMessage(workspaceId, { head, content }, outgoing.sender.region);
  const held = plan ? plan.commitWith(head, first.message) : null;
  const { draft } = outgoing;
  // Few emails are canceled by a reply: the code is not loaded for others.
  const followUps = head.cancelOnReply
    ? await (await import('./follow-ups.ts')).withFollowUp(workspaceId, thread, head.id)
    : undefined;
  // Most emails were no drafts: their code is not loaded.
  const drafts = draft && (await import('../../storage/emails/drafts.ts'));
  return {
    writes: [
      // First: where another request has sent the draft, its condition is the one that is named.
      ...(draft && drafts
        ? [...drafts.endDraft(workspaceId, draft), ...(contentItem ? [contentItem] : [])]
        : []),
      ...aheadOf(accepted),
      ...createEmail(workspaceId, head),
      ...suppressedEntry(workspaceId, head, suppressed),
      ...threadWrites(workspaceId, head, outgoing, { thread, followUps }),
      ...idempotencyWrites(workspaceId, head, accepted.idempotency),
      ...(head.scheduledAt === null ? [] : [addToScheduleIndex(workspaceId, head.id, head.scheduledAt)]),
      ...(held?.writes ?? []),
    ],
    messages: [
      ...(held?.messages ?? [first]),
      ...threadMessages(workspaceId, head, thread === null),
      ...(draft
        ? [{ message: newEvent(workspaceId, 'email.approved', head.createdAt, { emailId: head.id }) }]
        : []),
    ],
  };
}

/** The claim of an idempotency key, named `idempotency`; none without a key. */
export function idempotencyWrites(
  workspaceId: WorkspaceId,
  { id: emailId, spaceId }: Pick<EmailHead, 'id' | 'spaceId'>,
  idempotency: Idempotency | null,
): Write[] {
  if (!idempotency) return [];
  const { key, hash } = idempotency;
  return [claimIdempotencyKey(workspaceId, spaceId, key, { emailId, hash })];
}

/** The history names the suppressed recipients from the beginning: it tells the outcome of every recipient. */
function suppressedEntry(
  workspaceId: WorkspaceId,
  { id, createdAt }: EmailHead,
  suppressed: readonly string[],
): Write[] {
  if (suppressed.length === 0) return [];
  const entry = { type: 'suppressed', at: createdAt, recipients: suppressed, detail: null } as const;
  return [addHistoryEntry(workspaceId, id, historyEntryId(createdAt, 'suppressed'), entry)];
}

function threadWrites(
  workspaceId: WorkspaceId,
  head: EmailHead,
  outgoing: OutgoingEmail,
  { thread, followUps }: { readonly thread: Thread | null; readonly followUps: Thread['followUps'] },
) {
  const people = [outgoing.from, ...outgoing.to, ...outgoing.cc];
  const activity = {
    emailId: head.id,
    at: head.createdAt,
    snippet: head.snippet,
    direction: 'outbound' as const,
    from: outgoing.from,
    to: outgoing.to,
    participants: mergeParticipants(thread?.participants ?? [], people),
    mailboxes: [head.from.address],
    followUps,
  };
  if (thread) return addToThread(workspaceId, thread, activity);
  const created = {
    id: head.threadId,
    spaceId: head.spaceId,
    subject: head.subject,
    mailbox: head.from.address,
    forwardOf: outgoing.forwardOf,
  };
  return createThread(workspaceId, created, activity);
}

function threadMessages(
  workspaceId: WorkspaceId,
  { threadId, createdAt }: EmailHead,
  isNew: boolean,
): OutboxMessage[] {
  return isNew ? [{ message: newEvent(workspaceId, 'thread.created', createdAt, { threadId }) }] : [];
}
