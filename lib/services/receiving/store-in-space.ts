/** Storing of an arriving message in a space: an email of its thread, whatever brought the message. */
import { now } from '../../adapters/clock.ts';
import { newId, newIdAt } from '../../adapters/ids.ts';
import { putObject } from '../../adapters/objects.ts';
import type { EmailId } from '../../core/ids.ts';
import { allDone } from '../../core/work/all-done.ts';
import { count, nameEmail } from '../../observability/count.ts';
import { type ArrivalLookup, lookUpArrival } from '../../storage/emails/arrivals.ts';
import { contentAhead, contentWrite, rawMessageObject } from '../../storage/emails/email-content.ts';
import { copyRaw } from '../../storage/receiving/raw-messages.ts';
import { commit, contended, discardAhead, refusalOf, type Write } from '../../storage/table/transactions.ts';
import { conflict, joinPatienceMs, retryOnConflict } from '../retry-on-conflict.ts';
import { addRecipientsOfCopy } from '../threads/add-mailboxes.ts';
import { resolveThread } from '../threads/resolve-thread.ts';
import type { Arrival } from './arrival.ts';
import { type ReceivedFile, receivedFiles, storeReceivedFiles } from './received-files.ts';
import { receptionOf, type Stored } from './reception-writes.ts';
import { firstContactWrites, recordSender, withSenderSignals } from './sender-signals.ts';
import { mailboxesOf, type Target } from './target.ts';

/** Refusals of a commit whose thread resolution is outdated, or whose message was received meanwhile. */
const resolutionRefusals: ReadonlySet<ReturnType<typeof refusalOf>> = new Set([
  'thread',
  // Of an email that the message would have canceled.
  'status',
  'message id',
  'missing parent',
  'received',
  'provider message',
  contended,
]);

/** The email of a message in a space. */
interface StoredMessage {
  readonly id: EmailId;
  /** False where the space had received it before. */
  readonly isNew: boolean;
}

/**
 * Stores the message in a space.
 *
 * @param first what was stored about the message when it arrived
 * @param suspicious by the policy of the workspace
 */
export async function storeInSpace(
  arrival: Arrival,
  target: Target,
  first: ArrivalLookup,
  suspicious: boolean,
): Promise<StoredMessage> {
  const copy = await joinCopy(target, first);
  if (copy) return { id: copy, isNew: false };
  const { workspaceId, mailbox } = target;
  const at = mailbox?.isHistory ? mailbox.receivedAt : now();
  const id = mailbox?.isHistory ? newIdAt('eml', at) : newId('eml');
  const files = receivedFiles(arrival.message.attachments);
  const content = await storeParts(await withSenderSignals(arrival, target, first), target, id, files);
  const writes = [...content, ...firstContactWrites(arrival, target, first)];
  const stored = { id, at, files: files.map(({ record }) => record), content: writes, suspicious };
  const committed = await commitInThread(arrival, target, first, stored);
  if (committed === id) await recordSender(arrival, target, first, suspicious);
  // Another copy was faster.
  else {
    const { removeUncommittedParts } = await import('../../storage/teardown/teardown-emails.ts');
    await removeUncommittedParts(workspaceId, { id });
  }
  return { id: committed, isNew: committed === id };
}

/** Commits the email with its thread, as both are found; returns the id of the message's email, which another copy may have made. */
async function commitInThread(
  arrival: Arrival,
  target: Target,
  first: ArrivalLookup,
  stored: Stored,
): Promise<EmailId> {
  const { workspaceId, recipients, mailbox } = target;
  const { id, at, suspicious } = stored;
  let seen = first;
  return await retryOnConflict(
    `thread of email ${id}`,
    async () => {
      const resolution = await resolveThread({
        scope: target,
        recipients,
        message: arrival.message,
        known: seen.messageIds,
        at,
        suspicious,
        conversation: (await mailbox?.findThread()) ?? null,
      });
      const { writes, messages } = await receptionOf(arrival, target, stored, resolution);
      try {
        await commit(workspaceId, writes, messages);
        count(arrival.origin.isSent ? 'EmailsSentElsewhere' : 'EmailsReceived', null);
        nameEmail({ workspace_id: workspaceId, email_id: id, received: true });
        return id;
      } catch (error) {
        const refusal = refusalOf(error);
        // The next try may find a thread.
        await discardAhead(writes);
        if (!resolutionRefusals.has(refusal)) throw error;
        const linked = refusal === 'provider message' ? await mailbox?.findEmail() : null;
        if (linked) return linked;
        seen = await lookUpArrival(target, arrival);
        return (await joinCopy(target, seen)) ?? conflict;
      }
    },
    joinPatienceMs,
  );
}

/** The email of a message that the space has received before, with the recipients of this copy; null where it has not. */
async function joinCopy(target: Target, { receivedAs }: ArrivalLookup): Promise<EmailId | null> {
  if (receivedAs === null) return null;
  await addRecipientsOfCopy(target.workspaceId, receivedAs, mailboxesOf(target));
  await target.mailbox?.linkCopy(receivedAs);
  return receivedAs;
}

/** Stores the objects of the email ahead of its transaction, at the same time; returns the writes of its content. */
async function storeParts(
  arrival: Arrival,
  { workspaceId, recipients, mailbox }: Target,
  id: EmailId,
  files: readonly ReceivedFile[],
): Promise<Write[]> {
  const { raw: received, isShared } = arrival.origin;
  const copied = received && isShared ? await copyRaw(workspaceId, id, received) : null;
  const raw = mailbox ? rawMessageObject(workspaceId, id) : copied;
  const known = arrival.content.arrival;
  const storing = contentWrite(workspaceId, id, {
    ...arrival.content,
    ...(known && { arrival: { ...known, isShared: false } }),
    attachments: files.map(({ record: { extraction: _, ...file } }) => file),
    ...(!arrival.origin.isSent && { envelope: recipients }),
    ...(raw && { raw }),
  });
  await allDone<unknown>([
    storing,
    storeReceivedFiles(workspaceId, id, files),
    ...(raw && mailbox ? [putObject(raw, mailbox.raw, 'message/rfc822')] : []),
  ]);
  return contentAhead(await storing);
}
