/** Checks the delivery reports of the corpus against their raw text and file names. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addressKey } from '../../lib/mail/addresses/addresses.ts';
import { categorize } from '../../lib/mail/category/category.ts';
import { type ParsedMessage, parseMime } from '../../lib/mail/message/parse-mime.ts';
import { type DeliveryReport, readDeliveryReport } from '../../lib/mail/reports/delivery-report.ts';
import { corpus, messagesUnder } from './files.ts';

/** `null`: not applicable, or nothing to compare with. */
export type Verdict = boolean | null;

export interface ReportCase {
  readonly file: string;
  /** By file name: bounces of a server, standard reports, feedback, automatic replies. */
  readonly group: 'lhost' | 'rhost' | 'rfc3464' | 'arf' | 'rfc3834' | 'other bounces' | 'no bounces';
  readonly category: string;
  readonly report: DeliveryReport | null;
  /** Whether the kind is right: bounce or delay, complaint, no report. */
  readonly kind: boolean;
  /** Whether a recipient was found. */
  readonly recipient: Verdict;
  /** Whether the recipients are those in the report's fields. */
  readonly fields: Verdict;
  /** Whether the first recipient has a status. */
  readonly status: Verdict;
  /** Whether the original is one of the returned Message-IDs. */
  readonly original: Verdict;
  /** Whether permanence matches the recipient's local part, where it names the cause. */
  readonly permanence: Verdict;
}

export async function measureReports(): Promise<ReportCase[]> {
  return await Promise.all(
    messagesUnder('bounces').map(async (file) => {
      const raw = readFileSync(join(corpus, file));
      return caseOf(file, textOf(raw), await parseMime(raw));
    }),
  );
}

function caseOf(file: string, raw: string, message: ParsedMessage): ReportCase {
  const report = readDeliveryReport(message);
  const group = groupOf(file);
  const isReport = group !== 'rfc3834' && group !== 'no bounces';
  const recipients = report?.recipients ?? [];
  return {
    file,
    group,
    category: categorize({ ...message, verdicts: { spam: null } }),
    report,
    kind: isReport
      ? (group === 'arf') === (report?.kind === 'complaint') && report !== null
      : report === null,
    recipient: isReport ? recipients.length > 0 : null,
    fields: report && isReport ? fieldsAgree(raw, report) : null,
    status: isReport && group !== 'arf' ? recipients[0]?.status != null : null,
    original: report && isReport ? originalAgrees(raw, report) : null,
    permanence: permanenceAgrees(basename(file), report),
  };
}

/** The raw text with LF line ends, without soft line breaks of quoted-printable. */
function textOf(raw: Buffer): string {
  return raw.toString('latin1').replace(/\r\n?/g, '\n').replaceAll('=\n', '');
}

function groupOf(file: string): ReportCase['group'] {
  const [prefix] = basename(file).split('-');
  if (
    prefix === 'lhost' ||
    prefix === 'rhost' ||
    prefix === 'rfc3464' ||
    prefix === 'arf' ||
    prefix === 'rfc3834'
  )
    return prefix;
  return file.includes('/not/') ? 'no bounces' : 'other bounces';
}

/** Reports also name successful recipients, so ours may be fewer, but never others. */
function fieldsAgree(raw: string, { kind, recipients }: DeliveryReport): Verdict {
  const pattern =
    kind === 'complaint'
      ? /^original-rcpt-to:.*?([^\s<>;:"]+@[^\s<>;:"]+)/gim
      : /^(?:final|original)-recipient:.*?([^\s<>;:]+@[^\s<>;:]+)/gim;
  const named = new Set([...raw.matchAll(pattern)].map(([, address = '']) => addressKey(address)));
  if (named.size === 0) return null;
  return recipients.length > 0 && recipients.every(({ address }) => named.has(addressKey(address)));
}

/** The Message-IDs in the body of the report. */
function originalAgrees(raw: string, { originalMessageId }: DeliveryReport): Verdict {
  const headerEnd = raw.indexOf('\n\n');
  const returned = [...raw.slice(headerEnd).matchAll(/^[ \t]*message-id[ \t]*:\s*<?([^\s<>]+)>?/gim)].map(
    ([, id]) => `<${id}>`,
  );
  if (returned.length === 0) return null;
  return originalMessageId !== null && returned.includes(originalMessageId);
}

/** Local parts in the corpus that name the cause of the failure. */
const permanentRecipient =
  /^(?:user-?unknown|host-?unknown|has-?moved|suspend|this-local-part-does-not-exist)/i;
const temporaryRecipient =
  /^(?:mailbox-?full|mesg-?too-?big|exceed-?limit|spam-?detected|policy-?violation|security-?error|no-?relaying|content-?error|mailer-?error|not-?accept|blocked)@/i;

/** Reports that give another cause than the local part: the host did not respond, and the message expired. */
const expired: ReadonlySet<string> = new Set(['lhost-ezweb-05.eml', 'lhost-sendmail-30.eml']);

function permanenceAgrees(file: string, report: DeliveryReport | null): Verdict {
  const telling = (report?.recipients ?? []).filter(
    ({ address, action }) =>
      action === 'failed' && (permanentRecipient.test(address) || temporaryRecipient.test(address)),
  );
  if (telling.length === 0) return null;
  const isAtFault = (address: string) => permanentRecipient.test(address) && !expired.has(file);
  return telling.every(({ address, permanent }) => permanent === isAtFault(address));
}

/** The number of applicable cases, and of those answered with yes. */
export function share(
  cases: readonly ReportCase[],
  question: 'kind' | 'recipient' | 'fields' | 'status' | 'original' | 'permanence',
) {
  const answers = cases.map((one) => one[question]).filter((answer) => answer !== null);
  return { yes: answers.filter(Boolean).length, of: answers.length };
}
