/** What SES reports of our mail: recorded once each, whatever the order and however often it comes. */
import type { HistoryEntry } from '../../core/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { addressKey } from '../../core/mail/addresses.ts';
import { wireMessageId } from '../../core/mail/message-ids.ts';
import type { ProviderEvent } from '../../core/mail/provider-event.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { allKeys, suppressionReasonOf } from '../../core/suppression.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { count } from '../../observability/count.ts';
import type { CounterName } from '../../observability/metrics.ts';
import { addHistoryEntry, type EmailProgress, findProgress } from '../../storage/emails.ts';
import { indexMessageId } from '../../storage/message-ids.ts';
import { enqueue } from '../../storage/outbox.ts';
import { suppress } from '../../storage/suppressions.ts';
import { ifUnchanged, transact, type Write } from '../../storage/table.ts';
import { recordEngagement } from '../tracking/record-engagement.ts';
import { newEvent } from '../webhooks/new-event.ts';
import { completeAccepted, completeEmail } from './complete-submission.ts';

/** The event that an entry of the history is to endpoints; a delay is none. */
const eventOf: Partial<Record<HistoryEntry['type'], EventType>> = {
  delivered: 'email.delivered',
  bounced: 'email.bounced',
  complained: 'email.complained',
  rejected: 'email.failed',
};

/** Entries of the history that are counted. */
const counterOf: Partial<Record<HistoryEntry['type'], CounterName>> = {
  bounced: 'EmailsBounced',
  complained: 'EmailsComplained',
};

/** Records a report. A report of an email that is gone is dropped: nobody could read it. */
export async function recordProviderEvent(report: ProviderEvent): Promise<void> {
  const progress = await findProgress(report.workspaceId, report.emailId);
  if (!progress) return;
  await settleFromReport(report, progress);
  if (report.entry) await recordHistoryEntry(report, report.entry, report.source);
  if (report.engagement) await recordEngagement(report, report.engagement, report.source);
}

/** Any report of a chunk proves that SES took it: the claim of a worker that died is settled by it. */
async function settleFromReport(report: ProviderEvent, { head, chunks }: EmailProgress): Promise<void> {
  const { workspaceId, chunk, providerId } = report;
  const claim = chunks.find(({ number }) => number === chunk);
  if (!claim || claim.providerId === providerId) return;
  if (claim.state === 'claimed') return await completeAccepted(workspaceId, { head }, claim, providerId);
  // A second hand-off of the chunk went out after all: an answer to either copy must find its thread.
  const { id: emailId, spaceId, threadId } = head;
  const messageId = wireMessageId(claim.region, providerId);
  await transact([indexMessageId(workspaceId, spaceId, messageId, { emailId, threadId })]);
}

/**
 * Writes an entry into the history of an email that exists, with the event that follows from it, and then brings the
 * status in line. The entry does not touch the head: a mail to hundreds has hundreds of reports at once, and each would
 * wait for the others. Whoever writes the last entry reads all of them.
 *
 * @param source tells this entry from every other; the same one again changes nothing
 */
export async function recordHistoryEntry(
  { workspaceId, emailId }: { readonly workspaceId: WorkspaceId; readonly emailId: EmailId },
  entry: HistoryEntry,
  source: string,
): Promise<void> {
  const written = addHistoryEntry(workspaceId, emailId, entry, source);
  const isNew = await ifUnchanged([
    written,
    ...suppressions(workspaceId, emailId, entry),
    ...enqueue(workspaceId, messagesFor(workspaceId, emailId, entry, written.put.sk)),
  ]);
  const counter = counterOf[entry.type];
  if (isNew && counter) count(counter, workspaceId);
  await completeEmail(workspaceId, emailId);
}

/** SES hands over 50 recipients at most, and no report speaks of more; a transaction has room for these. */
const suppressedMax = 90;

/** A hard bounce and a complaint keep all further mail of the workspace from the address (contract, section 5). */
function suppressions(workspaceId: WorkspaceId, emailId: EmailId, entry: HistoryEntry): Write[] {
  const reason = suppressionReasonOf(entry);
  if (!reason) return [];
  const addresses = new Map(entry.recipients.map((address) => [addressKey(address), address]));
  return [...addresses.values()].slice(0, suppressedMax).map((address) =>
    suppress(workspaceId, {
      address,
      key: allKeys,
      spaceId: null,
      scope: 'all',
      reason,
      sourceEmailId: emailId,
      note: null,
    }),
  );
}

function messagesFor(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  entry: HistoryEntry,
  key: string,
): OutboxMessage[] {
  const type = eventOf[entry.type];
  if (!type) return [];
  return [
    {
      message: newEvent(workspaceId, type, entry.at, { emailId, entry: key }),
    },
  ];
}
