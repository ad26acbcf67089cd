/** Reports received as mail (RFC 3464, RFC 5965), recorded on the email they are about like SES's events. */
import { createLookup } from '../../adapters/dns.ts';
import type { HistoryEntry, RecipientFacts } from '../../core/emails/email.ts';
import { ownEmailId } from '../../core/emails/message-ids.ts';
import { isFailed } from '../../core/receiving/inbound-policy.ts';
import type { MailScope } from '../../core/workspaces/space.ts';
import { env } from '../../env.ts';
import { addressKey } from '../../mail/addresses/addresses.ts';
import type { ParsedMessage } from '../../mail/message/parse-mime.ts';
import type { Verdicts } from '../../mail/message/verdicts.ts';
import {
  type DeliveryReport,
  type ReportedRecipient,
  readDeliveryReport,
} from '../../mail/reports/delivery-report.ts';
import { logEvent } from '../../observability/log.ts';
import { recordHistoryEntry } from '../sending/record-provider-event.ts';
import { findSent, type SentEmail } from './find-sent.ts';

/** A received message that may be a report. */
export interface MailReport {
  readonly message: ParsedMessage;
  readonly verdicts: Verdicts;
  /** Envelope sender; empty for a null return path. */
  readonly returnPath: string;
  /** When it was received, Unix milliseconds; the same when it is received again. */
  readonly at: number;
  /** Identifies it where it has no Message-ID. */
  readonly sesId: string;
}

/** Two tries of each of two lookups fit into the time of the function many times. */
const lookupTimeoutMs = 2000;

/**
 * Records a report; does nothing for other mail, or a report about no email of this scope. Idempotent.
 *
 * Whoever received an email can cite its id. So a report counts only from the mail servers of the recipient or from SES,
 * with a null return path, which no mailbox can send (RFC 5321, 4.5.5). One that does not count stays a received email.
 */
export async function recordMailReport(scope: MailScope, mail: MailReport): Promise<void> {
  const { message, at, sesId } = mail;
  const report = readDeliveryReport(message);
  const sent = report && (await findReported(scope, report));
  if (!sent) return;
  const named = reachedBy(report, sent.recipients);
  const recipients = await trustedOf(mail, named);
  if (recipients.length < named.length) {
    logEvent('inbound.report_not_trusted', {
      ses_id: sesId,
      workspace_id: scope.workspaceId,
      email_id: sent.id,
      recipients: named.length - recipients.length,
    });
  }
  const news = recipients.filter((one) => !isKnown(one, sent.history));
  for (const entry of entriesOf(report, news, at)) {
    const source = ['mail', message.messageId ?? sesId, entry.type, entry.permanent].join('\n');
    await recordHistoryEntry({ workspaceId: scope.workspaceId, emailId: sent.id }, entry, source);
  }
}

/**
 * The email of a report: by the original's Message-ID, else by the last id of our form in its References, which is the
 * email's own.
 */
async function findReported(scope: MailScope, report: DeliveryReport): Promise<SentEmail | null> {
  const own = report.originalReferences.findLast((id) => ownEmailId(id) !== null);
  for (const messageId of [report.originalMessageId, own]) {
    const sent = messageId ? await findSent(scope, messageId) : null;
    if (sent) return sent;
  }
  return null;
}

/**
 * The reported recipients that the email was sent to: whoever received the email can cite its id, and must not report
 * for others. A report without recipients, as some feedback loops send it, is about a sole recipient.
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

/** The recipients that the sender of the report may report about. */
async function trustedOf(
  { message, verdicts, returnPath }: MailReport,
  named: readonly ReportedRecipient[],
): Promise<ReportedRecipient[]> {
  if (named.length === 0 || returnPath !== '' || isFailed(verdicts.spf) || isFailed(verdicts.dkim)) return [];
  // Loaded for reports only: the list of public suffixes has 120 KB.
  const [{ sourceOfReport }, { reportableBy }] = await Promise.all([
    import('../../mail/reports/report-source.ts'),
    import('./report-trust.ts'),
  ]);
  const source = sourceOfReport({ from: message.from?.address ?? null, headers: message.headers, verdicts });
  const { DNS_SERVERS: servers } = env();
  const lookup = createLookup({ servers, timeoutMs: lookupTimeoutMs, authority: null });
  const addresses = named.map(({ address }) => address);
  const trusted = await reportableBy(source, addresses, lookup);
  return named.filter(({ address }) => trusted.has(address));
}

const actionOf = { bounce: 'failed', delay: 'delayed', complaint: 'complained' } as const;
const entryTypeOf = { failed: 'bounced', delayed: 'delayed', complained: 'complained' } as const;

/** Whether the history has this report: servers that write to the author often report to the return path, too. */
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

const factsOf = ({ action, status, diagnostic }: ReportedRecipient): RecipientFacts => ({
  action,
  status: status ?? undefined,
  diagnosticCode: diagnostic ?? undefined,
});

/** One entry for each outcome of the report. */
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
      const recipients = of.map(({ address }) => address);
      const facts = { recipients: of.map(factsOf) };
      return { ...group, at, recipients, detail, ...(group.type === 'bounced' && { facts }) };
    });
}
