/** What SES reports of our mail: recorded once each, whatever the order and however often it comes. */
import type { HistoryEntry } from '../domain/email.ts';
import type { EmailId, WorkspaceId } from '../domain/ids.ts';
import { addressKey } from '../domain/mail/addresses.ts';
import { wireMessageId } from '../domain/mail/message-ids.ts';
import type { ProviderReport } from '../domain/mail/provider-report.ts';
import type { Owed } from '../domain/messages.ts';
import { everyKey, suppressionReasonOf } from '../domain/suppression.ts';
import type { EventType } from '../domain/webhooks/event-types.ts';
import { addHistory, findProgress, type Progress } from '../storage/emails.ts';
import { indexMessageId } from '../storage/message-ids.ts';
import { owe } from '../storage/outbox.ts';
import { suppress } from '../storage/suppressions.ts';
import { ifUnchanged, transact, type Write } from '../storage/table.ts';
import { recordHit } from './engage.ts';
import { newEvent } from './event.ts';
import { finish, settleAccepted } from './settle.ts';

/** The event that an entry of the history is to endpoints; a delay is none. */
const eventOf: Partial<Record<HistoryEntry['type'], EventType>> = {
  delivered: 'email.delivered',
  bounced: 'email.bounced',
  complained: 'email.complained',
  rejected: 'email.failed',
};

/** Records a report. A report of an email that is gone is dropped: nobody could read it. */
export async function recordReport(report: ProviderReport): Promise<void> {
  const progress = await findProgress(report.workspaceId, report.emailId);
  if (!progress) return;
  await settleFromReport(report, progress);
  if (report.entry) await recordEntry(report, report.entry, report.source);
  if (report.hit) await recordHit(report, report.hit, report.source);
}

/** Any report of a chunk proves that SES took it: the claim of a worker that died is settled by it. */
async function settleFromReport(report: ProviderReport, { head, chunks }: Progress): Promise<void> {
  const { workspaceId, chunk, providerId } = report;
  const claim = chunks.find(({ number }) => number === chunk);
  if (!claim || claim.providerId === providerId) return;
  if (claim.state === 'claimed') return await settleAccepted(workspaceId, { head }, claim, providerId);
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
export async function recordEntry(
  { workspaceId, emailId }: { readonly workspaceId: WorkspaceId; readonly emailId: EmailId },
  entry: HistoryEntry,
  source: string,
): Promise<void> {
  const written = addHistory(workspaceId, emailId, entry, source);
  await ifUnchanged([
    written,
    ...suppressions(workspaceId, emailId, entry),
    ...owe(workspaceId, owedBy(workspaceId, emailId, entry, written.put.sk)),
  ]);
  await finish(workspaceId, emailId);
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
      key: everyKey,
      spaceId: null,
      scope: 'all',
      reason,
      sourceEmailId: emailId,
      note: null,
    }),
  );
}

function owedBy(workspaceId: WorkspaceId, emailId: EmailId, entry: HistoryEntry, key: string): Owed[] {
  const type = eventOf[entry.type];
  if (!type) return [];
  return [
    {
      message: newEvent(workspaceId, type, entry.at, { emailId, entry: key }),
    },
  ];
}
