/** What an email must fulfil to be accepted, after its sender and its idempotency key (docs/concepts/sending.md#order-of-checks). */
import { now } from '../../adapters/clock.ts';
import type { StoredAttachment } from '../../core/emails/email.ts';
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { leastMessageBytes, messageBytesMax } from '../../core/mailboxes/message-size.ts';
import { Problem } from '../../core/problems.ts';
import type { Sender } from '../../core/sending/sender.ts';
import { suppressedText } from '../../core/suppressions/suppression.ts';
import { isClaimedAt, type Thread } from '../../core/threads/thread.ts';
import type { OutgoingMessage } from '../../mail/writing/compose.ts';
import { countBlocks } from '../../storage/sending/suppression-checks.ts';
import type { RecipientSplit } from '../suppressions/split-suppressed.ts';
import type { ConversationContext, OutgoingEmail } from './outgoing-email.ts';

/** A scheduled time is in the future, at most 30 days ahead. @throws Problem invalid_request */
export function checkSchedule(scheduledAt: number | null): void {
  if (scheduledAt === null) return;
  const aheadMs = scheduledAt - now();
  const days = limits.scheduledAheadDays;
  if (aheadMs > 0 && aheadMs <= days * 86_400_000) return;
  const message = aheadMs <= 0 ? 'must be in the future' : `must be at most ${days} days ahead`;
  throw new Problem('invalid_request', 'scheduled_at is out of range.', {
    issues: [{ path: 'scheduled_at', message }],
  });
}

/** The schema bounds the fields of the request; `reply_all` adds the recipients of a message. */
export function checkRecipientCounts({ to, cc, bcc, replyTo }: OutgoingEmail): void {
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

/** The claim that a reply names is held. @throws Problem thread_claimed */
export function checkClaim(thread: Thread | null, owner: string | undefined): void {
  if (!thread || owner === undefined) return;
  if (isClaimedAt(thread, now()) && thread.claim?.owner === owner) return;
  throw threadClaimed(thread);
}

export function threadClaimed(thread: Thread): Problem {
  const claim = isClaimedAt(thread, now()) ? thread.claim : null;
  return claim
    ? new Problem('thread_claimed', 'Another owner has the claim on the thread.', { claim })
    : new Problem('thread_claimed', 'Nobody has a claim on the thread: the one of `claim_owner` has ended.');
}

/** @throws Problem no_recipients */
export async function refuseAll(workspaceId: WorkspaceId, { blocking }: RecipientSplit): Promise<never> {
  await countBlocks(workspaceId, blocking);
  const detail =
    blocking.length > 0
      ? `Every recipient is suppressed: ${suppressedText(blocking)}.`
      : 'The email has no recipients.';
  throw new Problem('no_recipients', detail);
}

/**
 * Checks that the provider of a mailbox takes a message of this size. One that is a little too large is refused by the
 * provider only: headers and encodings are not known here.
 *
 * @throws Problem attachments_too_large
 */
export function checkMessageSize(
  sender: Sender,
  content: Pick<OutgoingMessage, 'text' | 'html'>,
  files: readonly Pick<StoredAttachment, 'size' | 'contentType'>[],
): void {
  if (!sender.mailboxId) return;
  const max = messageBytesMax[sender.provider];
  const bytes = leastMessageBytes({ ...content, files });
  if (bytes <= max) return;
  throw new Problem(
    'attachments_too_large',
    `The message would have at least ${bytes} bytes, files in base64; a mailbox of ${sender.provider} sends at most ${max}.`,
  );
}
