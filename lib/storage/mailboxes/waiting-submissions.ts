/** Submissions of each mailbox that wait, in their order (docs/concepts/sending.md#mailboxes). */
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import type { SubmissionPosition, WaitingSubmission } from '../../core/mailboxes/waiting-submission.ts';
import { codec, id, number, sortKey, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { query, remove } from '../table/table.ts';
import { present, type Write } from '../table/transactions.ts';

const waitingCodec = codec<WaitingSubmission>('waiting submission', {
  position: sortKey(text, keys.waitingSubmissionPrefix),
  emailId: id('eml'),
  chunk: number,
  since: number,
  dueAt: number,
});

/** The submission of a mailbox whose turn it is; null: none waits. */
export async function findFirstWaiting(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
): Promise<WaitingSubmission | null> {
  const { items } = await query({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: {
      ':pk': keys.mailboxParts(workspaceId, mailboxId),
      ':prefix': keys.waitingSubmissionPrefix,
    },
    Limit: 1,
  });
  const [first] = items;
  return first ? waitingCodec.decode(first) : null;
}

/** A submission, where it waits. */
export async function findWaiting(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  position: SubmissionPosition,
): Promise<WaitingSubmission | null> {
  const item = await get(keys.waitingSubmissionKey(workspaceId, mailboxId, position));
  return item && waitingCodec.decode(item);
}

/** The write that makes a submission wait, named `waiting`. */
export function putWaiting(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  waiting: WaitingSubmission,
): Write {
  const key = keys.waitingSubmissionKey(workspaceId, mailboxId, waiting.position);
  return { as: 'waiting', put: { ...key, ...waitingCodec.encode(waiting) } };
}

/** The write that requires that a submission waits, named `before`. */
export function stillWaits(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  { position }: WaitingSubmission,
): Write {
  return { as: 'before', check: keys.waitingSubmissionKey(workspaceId, mailboxId, position), ...present };
}

/** Ends the wait of a submission; one that does not wait is no error. */
export async function removeWaiting(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  position: SubmissionPosition,
): Promise<void> {
  await remove(keys.waitingSubmissionKey(workspaceId, mailboxId, position));
}
