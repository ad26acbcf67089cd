/** Events of SES about our mail: recorded once each, in any order and however often they arrive. */
import {
  type EmailHead,
  type HistoryEntry,
  type HistoryEntryId,
  historyEntryId,
  isInSubmission,
} from '../../core/emails/email.ts';
import { wireMessageId } from '../../core/emails/message-ids.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { ProviderEvent } from '../../core/sending/provider-event.ts';
import { allKeys, type SuppressionInput, suppressionReasonOf } from '../../core/suppressions/suppression.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { addressKey } from '../../mail/addresses/addresses.ts';
import { count, nameEmail } from '../../observability/count.ts';
import type { CounterName } from '../../observability/metrics.ts';
import { findChunk } from '../../storage/emails/chunks.ts';
import { findSubmitted, type SubmittedChunk } from '../../storage/emails/emails.ts';
import { addHistoryEntry } from '../../storage/emails/history.ts';
import { indexFurtherId } from '../../storage/emails/message-ids.ts';
import { suppress, suppressIfAbsent } from '../../storage/sending/suppressions.ts';
import { commit, commitIfUnchanged } from '../../storage/table/transactions.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';
import { newEvent } from '../events/new-event.ts';
import { recordEngagement } from '../tracking/record-engagement.ts';
import { completeAccepted, completeEmail } from './complete-submission.ts';
import { countReport } from './sending-guard.ts';
import { logClaim } from './submission-outcomes.ts';

/** The webhook event of each type of history entry; a delay has none. */
const eventOf: Partial<
  Record<HistoryEntry['type'], Exclude<Extract<EventType, `email.${string}`>, 'email.blocked'>>
> = {
  delivered: 'email.delivered',
  bounced: 'email.bounced',
  complained: 'email.complained',
  rejected: 'email.failed',
};

/** Counted entries of the history. */
const counterOf: Partial<Record<HistoryEntry['type'], CounterName>> = {
  bounced: 'EmailsBounced',
  complained: 'EmailsComplained',
};

/** Records an event of SES. Of a deleted email, only what it says of the recipients' addresses is kept. */
export async function recordProviderEvent(event: ProviderEvent): Promise<void> {
  const { workspaceId, emailId, chunk, entry, engagement, source, providerId } = event;
  nameEmail({ workspace_id: workspaceId, email_id: emailId, chunk, provider_id: providerId });
  if (!entry && !engagement && (await isKnownToBeAccepted(event))) return;
  const submitted = await findSubmitted(workspaceId, emailId, chunk);
  if (!submitted) return await recordWithoutEmail(event);
  await completeFromEvent(event, submitted);
  if (entry) await recordHistoryEntry(event, entry, source, submitted.head);
  if (engagement) await recordEngagement(event, engagement, source);
}

/**
 * Whether a chunk is completed with the id of an event. What a worker that died then has left undone, its message continues
 * when SQS delivers it again (docs/decisions/0056-the-chunk-is-the-completion.md#send-events).
 */
async function isKnownToBeAccepted({ workspaceId, emailId, chunk, providerId }: ProviderEvent) {
  const known = await findChunk(workspaceId, emailId, chunk);
  return known?.state === 'accepted' && known.providerId === providerId;
}

/** A bounce or complaint about mail of a deleted space counts, or deletion would hide it. A repeated event changes nothing. */
async function recordWithoutEmail({ workspaceId, emailId, entry }: ProviderEvent): Promise<void> {
  const report = entry && reportOf(entry);
  const workspace = report && (await findWorkspaceById(workspaceId));
  if (!workspace || workspace.erasedAt !== null) return;
  let added = 0;
  for (const input of suppressionsOf(emailId, entry)) {
    if (await commitIfUnchanged(workspaceId, [suppressIfAbsent(workspaceId, input)])) added += 1;
  }
  if (added > 0) await countReport(workspaceId, report, added);
}

/** Any event of a chunk proves that SES accepted it: it completes the claim of a worker that died, and what that left undone. */
async function completeFromEvent(
  { workspaceId, providerId }: ProviderEvent,
  { head, chunk }: SubmittedChunk,
): Promise<void> {
  if (!chunk) return;
  const { id: emailId, spaceId, threadId } = head;
  if (chunk.state === 'claimed') {
    const isCompleted = await completeAccepted(workspaceId, { head }, chunk, { providerId });
    if (isCompleted) logClaim('submission.completed_by_report', workspaceId, emailId, chunk);
    return;
  }
  if (chunk.providerId !== providerId) {
    // The chunk was submitted twice after all: an answer to either copy must find its thread.
    const messageId = wireMessageId(chunk.region, providerId);
    await commit(workspaceId, indexFurtherId(workspaceId, spaceId, messageId, { emailId, threadId }));
  }
  // Of several chunks, others may be in submission.
  if (chunk.of === 1 && isInSubmission(head)) await completeEmail(workspaceId, emailId);
}

/**
 * Writes an entry into the history of an email, with its webhook event, and brings the status in line. The entry leaves
 * the head alone: an email to hundreds has hundreds of events at once, which would all conflict. Whoever writes the last
 * entry reads all of them.
 *
 * @param source distinguishes this entry from every other; the same one again changes nothing
 * @param head of the email, as read before
 */
export async function recordHistoryEntry(
  { workspaceId, emailId }: { readonly workspaceId: WorkspaceId; readonly emailId: EmailId },
  entry: HistoryEntry,
  source: string,
  head: EmailHead | null = null,
): Promise<void> {
  const entryId = historyEntryId(entry.at, source);
  const suppressions = suppressionsOf(emailId, entry).map((input) => suppress(workspaceId, input));
  // Ahead of the entry: a repetition writes what is missing.
  for (let at = suppressedAtOnce; at < suppressions.length; at += suppressedAtOnce) {
    await commit(workspaceId, suppressions.slice(at, at + suppressedAtOnce));
  }
  const isNew = await commitIfUnchanged(
    workspaceId,
    [addHistoryEntry(workspaceId, emailId, entryId, entry), ...suppressions.slice(0, suppressedAtOnce)],
    messagesFor(workspaceId, emailId, entry, entryId),
  );
  const counter = counterOf[entry.type];
  if (isNew && counter) count(counter, workspaceId);
  const report = isNew ? reportOf(entry) : null;
  if (report) await countReport(workspaceId, report, entry.recipients.length);
  await completeEmail(workspaceId, emailId, head);
}

/** What counts against the reputation of a workspace. */
function reportOf({ type, permanent }: HistoryEntry): 'bounced' | 'complained' | null {
  if (type === 'complained') return 'complained';
  return type === 'bounced' && permanent ? 'bounced' : null;
}

/** Of one transaction, which has at most 100 writes. An event of SES has at most 50 recipients, a report that comes as mail more. */
const suppressedAtOnce = 90;

/** Hard bounces and complaints suppress the address in the whole workspace (docs/concepts/suppressions.md#reasons). */
function suppressionsOf(emailId: EmailId, entry: HistoryEntry): SuppressionInput[] {
  const reason = suppressionReasonOf(entry);
  if (!reason) return [];
  const addresses = new Map(entry.recipients.map((address) => [addressKey(address), address]));
  return [...addresses.values()].map((address) => ({
    address,
    key: allKeys,
    spaceId: null,
    scope: 'all',
    reason,
    sourceEmailId: emailId,
    note: null,
  }));
}

function messagesFor(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  entry: HistoryEntry,
  entryId: HistoryEntryId,
): OutboxMessage[] {
  const type = eventOf[entry.type];
  return type ? [{ message: newEvent(workspaceId, type, entry.at, { emailId, entryId }) }] : [];
}
