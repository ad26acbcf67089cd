/**
 * Acceptance of an email: what send, reply and forward share, up to the commit (docs/concepts/sending.md#order-of-checks).
 * Submission to SES is in `submit-email.ts` and `submit-chunk.ts`.
 */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { maySend } from '../../core/access/access.ts';
import type { Caller } from '../../core/access/api-key.ts';
import type { EmailContent, EmailHead, PacingOptions } from '../../core/emails/email.ts';
import { envelopeOf } from '../../core/emails/envelope.ts';
import { type EmailId, type ThreadId, threadBegunBy, type WorkspaceId } from '../../core/ids.ts';
import type { Projection } from '../../core/pacing/project.ts';
import type { PacedMessage } from '../../core/pacing/rule.ts';
import { Problem } from '../../core/problems.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { allDone } from '../../core/work/all-done.ts';
import { count, nameEmail } from '../../observability/count.ts';
import { contentWrite } from '../../storage/emails/email-content.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { findIdempotencyKey, type UsedKey } from '../../storage/emails/idempotency.ts';
import { countBlocks } from '../../storage/sending/suppression-checks.ts';
import { commit, contended, discardAhead, refusalOf } from '../../storage/table/transactions.ts';
import { findThread } from '../../storage/threads/threads.ts';
import type { PacingPlan } from '../pacing/hold-email.ts';
import { conflict, joinPatienceMs, retryOnConflict } from '../retry-on-conflict.ts';
import { type RecipientSplit, splitSuppressed } from '../suppressions/split-suppressed.ts';
import {
  checkClaim,
  checkMessageSize,
  checkRecipientCounts,
  checkSchedule,
  checkSpace,
  refuseAll,
} from './accept-checks.ts';
import { type Acceptance, acceptanceOf, aheadOf } from './acceptance-writes.ts';
import { checkSameRequest, type Idempotency } from './idempotency.ts';
import {
  type ConversationContext,
  type OutgoingEmail,
  outgoingContent,
  outgoingHead,
} from './outgoing-email.ts';
import { type Reservation, reserveRecipients } from './sending-guard.ts';

export interface AcceptedEmail {
  readonly email: EmailHead;
  /** The idempotency key was used before with the same body: nothing was created. */
  readonly replayed: boolean;
  /** Suppressed recipients; empty for a replay (docs/concepts/idempotency.md#replays). */
  readonly suppressed: readonly string[];
  /** What pacing makes of it; null: it is not held. */
  readonly pacing: Projection | null;
}

/** What a request asks for. */
interface Requested {
  readonly outgoing: OutgoingEmail;
  readonly continued: ConversationContext | null;
  readonly idempotency: Idempotency | null;
}

/** Who asks: whether mail may leave for it, and what is recorded of it. */
export type Requester = Pick<Caller, 'workspaceId' | 'scope' | 'actor'>;

/**
 * Stores the email with its messages, all or nothing: the submission, and `thread.created` for a new thread. No other way leads
 * to a submission, hence the scope is checked here again.
 *
 * @throws Problem no_recipients, attachments_too_large, invalid_request (thread of another space, missing upload),
 *   not_found (attachment), idempotency_key_reused, sending_limit, limit_reached, workspace_suspended, forbidden
 */
export async function acceptEmail(
  { workspaceId, scope }: Requester,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  idempotency: Idempotency | null,
): Promise<AcceptedEmail> {
  if (!maySend(scope)) throw new Problem('forbidden', 'This key makes drafts only.');
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
        : await acceptReserved(workspaceId, { outgoing, continued, idempotency }, split, reservation);
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
  { outgoing, continued, idempotency }: Requested,
  split: RecipientSplit,
  { refusal, pacingRules }: Reservation,
): Promise<AcceptedEmail> {
  const { spaceId } = outgoing.sender;
  checkSchedule(outgoing.scheduledAt);
  checkSpace(continued, spaceId);
  checkRecipientCounts(outgoing);
  if (refusal) throw refusal;
  const paced = { spaceId, from: outgoing.from.address, to: split.allowed };
  const hasFiles = outgoing.attachments.length > 0 || outgoing.carried.length > 0;
  // Most emails have no files: their code is not loaded.
  const code = hasFiles ? await import('./outgoing-files.ts') : null;
  const [files, plan] = await Promise.all([
    code ? code.gatherFiles(workspaceId, outgoing) : [],
    // A scheduled email meets the rules at its time.
    outgoing.scheduledAt === null ? pacingPlan(workspaceId, pacingRules, paced, outgoing.pacing) : null,
  ]);
  const { draft } = outgoing;
  checkMessageSize(outgoing.sender, outgoing, draft?.attachments ?? files.map(({ file }) => file));
  if (split.allowed.length === 0) await refuseAll(workspaceId, split);
  const id = draft?.id ?? newId('eml');
  const attachments = draft?.attachments ?? (code ? await code.storeAttachments(workspaceId, id, files) : []);
  const { suppressed } = split;
  const content = await outgoingContent(id, outgoing, continued, { attachments, suppressed });
  const [contentItem] = await Promise.all([
    draft ? replaceContent(workspaceId, id, content) : contentWrite(workspaceId, id, content),
    countBlocks(workspaceId, split.blocking),
  ]);
  return await commitInThread(workspaceId, id, continued, {
    ...{ outgoing, idempotency, content, contentItem, suppressed, plan },
  });
}

/** Commits an email with its thread, as the thread is then. */
async function commitInThread(
  workspaceId: WorkspaceId,
  id: EmailId,
  continued: ConversationContext | null,
  accepted: Acceptance,
): Promise<AcceptedEmail> {
  const { outgoing, content, idempotency, suppressed, plan } = accepted;
  let thread = continued?.thread ?? null;
  const threadId = thread?.id ?? continued?.newThreadId ?? threadBegunBy(id);
  const createdAt = now();
  let isOutdated = false;
  return await retryOnConflict(
    `thread of email ${id}`,
    async () => {
      // Here, not where the condition failed: more messages may join during the wait in between.
      if (isOutdated) thread = await findThreadAgain(workspaceId, threadId);
      // The commit fails where the thread, and so its claim, has changed since it was read.
      checkClaim(thread, outgoing.claimOwner);
      const email = outgoingHead({ id, threadId, createdAt }, outgoing, { continued, content, idempotency });
      const { writes, messages } = await acceptanceOf(workspaceId, accepted, email, thread);
      try {
        await commit(workspaceId, writes, messages);
        count('EmailsAccepted', null);
        nameEmail({ workspace_id: workspaceId, email_id: id });
        return { email, replayed: false, suppressed, pacing: plan ? plan.projection : null };
      } catch (error) {
        const refusal = refusalOf(error);
        // The entries that list a thread stay: another draft of it may have put the same ones.
        await discardAhead(aheadOf(accepted));
        if (refusal === 'idempotency' && idempotency) {
          const first = await findIdempotencyKey(workspaceId, email.spaceId, idempotency.key);
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
  const email = (await findEmail(workspaceId, used.emailId)) ?? (await draftOf(workspaceId, used.emailId));
  if (!email) throw new Error(`email ${used.emailId} of an idempotency key is missing`);
  return { email, replayed: true, suppressed: [], pacing: null };
}

/** The content that replaces that of a draft. */
async function replaceContent(workspaceId: WorkspaceId, id: EmailId, content: EmailContent) {
  const { replaceableContent } = await import('../../storage/emails/draft-content.ts');
  return await replaceableContent(workspaceId, id, content);
}

/** What a key has created, where it was a draft; by now it may be an email. */
async function draftOf(workspaceId: WorkspaceId, id: EmailId): Promise<EmailHead | null> {
  const { findDraft } = await import('../../storage/emails/drafts.ts');
  return (await findDraft(workspaceId, id)) ?? (await findEmail(workspaceId, id));
}
