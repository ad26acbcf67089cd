/** Reports that came as mail, recorded on the email they speak of as if SES had reported them. */
import type { HistoryEntry, Verdicts } from '../../core/email.ts';
import { addressKey } from '../../core/mail/addresses.ts';
import {
  type DeliveryReport,
  type ReportedRecipient,
  readDeliveryReport,
} from '../../core/mail/delivery-report.ts';
import { ownEmailId } from '../../core/mail/message-ids.ts';
import type { ParsedMessage } from '../../core/mail/parse-mime.ts';
import { recordHistoryEntry } from '../sending/record-provider-event.ts';
import { findSent, type MailScope, type SentEmail } from './find-sent.ts';

/** A received message that may be a report. */
export interface MailReport {
  readonly message: ParsedMessage;
  readonly verdicts: Verdicts;
  /** When it came in, Unix milliseconds; the same when it comes again. */
  readonly at: number;
  /** What tells it from other mail where it has no Message-ID. */
  readonly sesId: string;
}

/**
 * Records what a message reports; does nothing where it reports nothing, or nothing of an email of this place. Safe to
 * repeat.
 *
 * A report counts unless SPF or DKIM has failed: `FAIL` means that somebody else wrote it. `GRAY` is normal, as a
 * report has an empty return path and is rarely signed. DMARC is not asked: the domain in a report's `From` is often not
 * the one its server goes by.
 */
export async function recordMailReport(
  place: MailScope,
  { message, verdicts, at, sesId }: MailReport,
): Promise<void> {
  if (isFailed(verdicts.spf) || isFailed(verdicts.dkim)) return;
  const report = readDeliveryReport(message);
  const sent = report && (await findReported(place, report));
  if (!sent) return;
  const recipients = reachedBy(report, sent.recipients).filter((one) => !isKnown(one, sent.history));
  for (const entry of entriesOf(report, recipients, at)) {
    const source = ['mail', message.messageId ?? sesId, entry.type, entry.permanent].join('\n');
    await recordHistoryEntry({ workspaceId: place.workspaceId, emailId: sent.id }, entry, source);
  }
}

const isFailed = (verdict: string | null): boolean => verdict?.toUpperCase() === 'FAIL';

/**
 * The email that a report speaks of: by the original's Message-ID, else by the id of our own that stands last in its
 * References, which is the one we wrote for this very email.
 */
async function findReported(place: MailScope, report: DeliveryReport): Promise<SentEmail | null> {
  const own = report.originalReferences.findLast((id) => ownEmailId(id) !== null);
  for (const messageId of [report.originalMessageId, own]) {
    const sent = messageId ? await findSent(place, messageId) : null;
    if (sent) return sent;
  }
  return null;
}

/**
 * The reported recipients that the email really went to: whoever received it can cite its id, and must not speak for
 * somebody who did not get it. A report that names nobody, as some feedback loops send it, speaks of a sole recipient.
 */
function reachedBy({ kind, recipients }: DeliveryReport, sentTo: readonly string[]): ReportedRecipient[] {
  const [sole] = sentTo;
  if (recipients.length === 0 && sole !== undefined && sentTo.length === 1)
    return [{ address: sole, action: actionOf[kind], status: null, diagnostic: null, permanent: false }];
  const byKey = new Map(sentTo.map((address) => [addressKey(address), address]));
  return recipients.flatMap((one) => {
    const address = byKey.get(addressKey(one.address));
    return address === undefined ? [] : [{ ...one, address }];
  });
}

const actionOf = { bounce: 'failed', delay: 'delayed', complaint: 'complained' } as const;
const entryTypeOf = { failed: 'bounced', delayed: 'delayed', complained: 'complained' } as const;

/** Whether the same is known of this recipient: servers that write to the author often tell the return path, too. */
function isKnown(
  { address, action, permanent }: ReportedRecipient,
  history: readonly HistoryEntry[],
): boolean {
  return history.some(
    (entry) =>
      entry.type === entryTypeOf[action] &&
      entry.recipients.some((one) => addressKey(one) === addressKey(address)) &&
      (!permanent || entry.permanent === true),
  );
}

/** An entry for each outcome that the report has. */
function entriesOf(
  { reason }: DeliveryReport,
  recipients: readonly ReportedRecipient[],
  at: number,
): HistoryEntry[] {
  const bounced = recipients.filter(({ action }) => action === 'failed');
  const groups = [
    { type: 'bounced', permanent: true, of: bounced.filter(({ permanent }) => permanent) },
    { type: 'bounced', permanent: false, of: bounced.filter(({ permanent }) => !permanent) },
    { type: 'delayed', of: recipients.filter(({ action }) => action === 'delayed') },
    { type: 'complained', of: recipients.filter(({ action }) => action === 'complained') },
  ] as const;
  return groups
    .filter(({ of }) => of.length > 0)
    .map(({ of, ...group }) => {
      const detail = of.find(({ diagnostic }) => diagnostic)?.diagnostic ?? of[0]?.status ?? reason;
      return { ...group, at, recipients: of.map(({ address }) => address), detail };
    });
}
