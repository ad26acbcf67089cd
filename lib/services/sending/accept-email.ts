/**
 * Acceptance of an email: what send, reply and forward share, up to the commit (docs/concepts/sending.md#order-of-checks).
 * Submission to SES is in `submit-email.ts`.
 */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { allDone } from '../../core/all-done.ts';
import { type EmailHead, historyEntryId } from '../../core/email.ts';
import { type SpaceId, type ThreadId, threadBegunBy, type WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { envelopeOf } from '../../core/mail/envelope.ts';
import type { Projection } from '../../core/pacing/project.ts';
import type { PacedMessage, PacingOptions } from '../../core/pacing/rule.ts';
import { Problem } from '../../core/problems.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { suppressedText } from '../../core/suppression.ts';
import type { Thread } from '../../core/thread.ts';
import { mergeParticipants } from '../../core/threading/participants.ts';
import { count } from '../../observability/count.ts';
import { promoteDraft } from '../../storage/drafts.ts';
import { contentAhead, contentWrite } from '../../storage/email-content.ts';
import { createEmail, findEmail } from '../../storage/emails.ts';
import { addHistoryEntry } from '../../storage/history.ts';
import { claimIdempotencyKey, findIdempotencyKey, type UsedKey } from '../../storage/idempotency.ts';
import { addToScheduleIndex } from '../../storage/schedule-index.ts';
import { countBlocks } from '../../storage/suppressions.ts';
import { addToThread, createThread, findThread } from '../../storage/threads.ts';
import { commit, contended, discardAhead, refusalOf, type Write } from '../../storage/transactions.ts';
import type { PacingPlan } from '../pacing/hold-email.ts';
import { conflict, joinPatienceMs, retryOnConflict } from '../retry-on-conflict.ts';
import { type RecipientSplit, splitSuppressed } from '../suppressions/split-suppressed.ts';
import { newEvent } from '../webhooks/new-event.ts';
import { checkSameRequest, type Idempotency } from './idempotency.ts';
import {
  type ConversationContext,
  type OutgoingEmail,
  outgoingContent,
  outgoingHead,
} from './outgoing-email.ts';
import { checkMessageSize, gatherFiles, storeAttachments } from './outgoing-files.ts';
import { checkSchedule } from './scheduled-emails.ts';
import { type Reservation, reserveRecipients } from './sending-guard.ts';
import { firstMessage } from './submission-messages.ts';

export interface AcceptedEmail {
  readonly email: EmailHead;
  /** The idempotency key was used before with the same body: nothing was created. */
  readonly replayed: boolean;
  /** Suppressed recipients; empty for a replay (docs/concepts/idempotency.md#replays). */
  readonly suppressed: readonly string[];
  /** What pacing makes of it; null: it is not held. */
  readonly pacing: Projection | null;
}

/**
 * Stores the email with its messages, all or nothing: the submission, and `thread.created` for a new thread.
 *
 * @throws Problem no_recipients, attachments_too_large, invalid_request (thread of another space, missing upload),
 *   not_found (attachment), idempotency_key_reused, sending_limit, limit_reached, workspace_suspended
 */
export async function acceptEmail(
  workspaceId: WorkspaceId,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  idempotency: Idempotency | null,
): Promise<AcceptedEmail> {
  const { spaceId } = outgoing.sender;
  const envelope = envelopeOf(outgoing);
  const terms = { spaceId, key: outgoing.suppressionKey, isOptional: outgoing.unsubscribe };
  // Beside the look-ups, so that the caps cost no wait; a replay or a refusal gives the recipients back.
  const reserving = reserveRecipients(workspaceId, envelope.length);
  try {
    const [used, split, reservation] = await allDone([
      idempotency && findIdempotencyKey(workspaceId, spaceId, idempotency.key),
      splitSuppressed(workspaceId, terms, envelope),
      reserving,
    ]);
    // A replay is answered whatever the time and the state of the workspace are now.
    const accepted =
      used && idempotency
        ? await replay(workspaceId, used, idempotency)
        : await acceptReserved(workspaceId, outgoing, continued, idempotency, split, reservation);
    if (accepted.replayed) await reservation.undo();
    return accepted;
  } catch (error) {
    const reservation = await reserving.catch(() => null);
    await reservation?.undo();
    throw error;
  }
}

/** Accepts an email that is no replay. @param reservation of its recipients, with the refusal of the caps */
async function acceptReserved(
  workspaceId: WorkspaceId,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  idempotency: Idempotency | null,
  split: RecipientSplit,
  { refusal, pacingRules }: Reservation,
): Promise<AcceptedEmail> {
  const spaceId = outgoing.sender.spaceId;
  checkSchedule(outgoing.scheduledAt);
  checkSpace(continued, spaceId);
  checkRecipientCounts(outgoing);
  if (refusal) throw refusal;
  const paced = { spaceId, from: outgoing.from.address, to: split.allowed };
  const [files, plan] = await Promise.all([
    gatherFiles(workspaceId, outgoing),
    // A scheduled email meets the rules at its time.
    outgoing.scheduledAt === null && pacingPlan(workspaceId, pacingRules, paced, outgoing.pacing),
  ]);
  const { draft } = outgoing;
  checkMessageSize(outgoing.sender, outgoing, draft?.attachments ?? files.map(({ file }) => file));
  if (split.allowed.length === 0) await refuseAll(workspaceId, split);
  const id = draft?.id ?? newId('eml');
  const attachments = draft?.attachments ?? (await storeAttachments(workspaceId, id, files));
  const content = outgoingContent(id, outgoing, continued, attachments, split);
  const [storing] = await Promise.all([
    contentWrite(workspaceId, id, content),
    countBlocks(workspaceId, split.blocking),
  ]);
  let thread = continued?.thread ?? null;
  const threadId = thread?.id ?? continued?.newThreadId ?? threadBegunBy(id);
  // The content of a draft is read until the draft is an email.
  const stored = draft ? [] : contentAhead(storing);
  const createdAt = now();
  let isOutdated = false;
  const accepted = (email: EmailHead): AcceptedEmail => {
    count('EmailsAccepted', workspaceId);
    const pacing = plan ? plan.projection : null;
    return { email, replayed: false, suppressed: split.suppressed, pacing };
  };
  return await retryOnConflict(
    `thread of email ${id}`,
    async () => {
      // Here, not where the condition failed: more messages may join during the wait in between.
      if (isOutdated) thread = await findThreadAgain(workspaceId, threadId);
      const head = outgoingHead({ id, threadId, createdAt }, outgoing, continued, content, idempotency);
      const first = firstMessage(workspaceId, { head, content }, outgoing.sender.region);
      const held = plan ? plan.commitWith(head, first.message) : null;
      const writes: readonly Write[] = [
        // First: where another request has sent the draft, its condition is the one that is named.
        ...(draft ? promoteDraft(workspaceId, draft, storing) : stored),
        ...createEmail(workspaceId, head),
        ...suppressedEntry(workspaceId, head, split.suppressed),
        ...threadWrites(workspaceId, head, outgoing, thread),
        ...idempotencyWrites(workspaceId, head, idempotency),
        ...(head.scheduledAt === null ? [] : [addToScheduleIndex(workspaceId, id, head.scheduledAt)]),
        ...(held?.writes ?? []),
      ];
      const messages = [
        ...(held?.messages ?? [first]),
        ...threadMessages(workspaceId, head, thread === null),
      ];
      try {
        await commit(workspaceId, writes, messages);
        return accepted(head);
      } catch (error) {
        const refusal = refusalOf(error);
        // The entries that list a thread stay: another draft of it may have put the same ones.
        await discardAhead(stored);
        if (refusal === 'idempotency' && idempotency) {
          const first = await findIdempotencyKey(workspaceId, spaceId, idempotency.key);
          return first ? await replay(workspaceId, first, idempotency) : conflict;
        }
        if (refusal !== 'thread' && refusal !== contended) throw error;
        isOutdated = thread !== null || refusal === 'thread';
        return conflict;
      }
    },
    joinPatienceMs,
  );
}

/** @throws Problem thread_not_found */
async function findThreadAgain(workspaceId: WorkspaceId, id: ThreadId): Promise<Thread> {
  const thread = await findThread(workspaceId, id);
  if (!thread) throw new Problem('thread_not_found', 'The thread was deleted meanwhile.');
  return thread;
}

/** What pacing makes of an email; null where no rule holds it. Workspaces without rules do not load its code. */
async function pacingPlan(
  workspaceId: WorkspaceId,
  rules: Reservation['pacingRules'],
  paced: PacedMessage,
  options: PacingOptions,
): Promise<PacingPlan | null> {
  if (rules.version === 0) return null;
  const { planPacing } = await import('../pacing/hold-email.ts');
  return await planPacing(workspaceId, rules, paced, options);
}

/** The email that an idempotency key has created. @throws Problem idempotency_key_reused */
export async function replay(
  workspaceId: WorkspaceId,
  used: UsedKey,
  idempotency: Idempotency,
): Promise<AcceptedEmail> {
  checkSameRequest(used, idempotency);
  const email = await findEmail(workspaceId, used.emailId);
  if (!email) throw new Error(`email ${used.emailId} of an idempotency key is missing`);
  return { email, replayed: true, suppressed: [], pacing: null };
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

/** The schema bounds the fields of the request; `reply_all` adds the recipients of a message. */
function checkRecipientCounts({ to, cc, bcc, replyTo }: OutgoingEmail): void {
  const max = limits.recipientsPerField;
  for (const [path, list] of Object.entries({ to, cc, bcc, reply_to: replyTo })) {
    if (list.length <= max) continue;
    throw new Problem(
      'too_many_recipients',
      `\`${path}\` would have ${list.length} addresses; at most ${max} are allowed. Name the recipients in \`to\`, \`cc\` and \`bcc\`.`,
      { issues: [{ path, message: `would have ${list.length} addresses; at most ${max} are allowed` }] },
    );
  }
}

/** @throws Problem invalid_request where the thread is of another space */
export function checkSpace(continued: ConversationContext | null, spaceId: SpaceId | null): void {
  if (!continued?.thread || continued.thread.spaceId === spaceId) return;
  throw new Problem('invalid_request', 'The thread belongs to another space than the sender.', {
    issues: [{ path: 'from', message: "must be a sender of the thread's space" }],
  });
}

/** @throws Problem no_recipients */
async function refuseAll(workspaceId: WorkspaceId, { blocking }: RecipientSplit): Promise<never> {
  await countBlocks(workspaceId, blocking);
  const detail =
    blocking.length > 0
      ? `Every recipient is suppressed: ${suppressedText(blocking)}.`
      : 'The email has no recipients.';
  throw new Problem('no_recipients', detail);
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
  thread: Thread | null,
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
