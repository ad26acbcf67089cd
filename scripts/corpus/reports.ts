/** How much of the reports in the corpus is understood, measured against what their raw text and their names tell. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addressKey } from '../../lib/core/mail/addresses.ts';
import { categorize } from '../../lib/core/mail/category.ts';
import { type DeliveryReport, readDeliveryReport } from '../../lib/core/mail/delivery-report.ts';
import { type ParsedMessage, parseMime } from '../../lib/core/mail/parse-mime.ts';
import { corpus, messagesUnder } from './files.ts';

/** `null`: the question does not arise for this file, or nothing independent answers it. */
export type Verdict = boolean | null;

export interface ReportCase {
  readonly file: string;
  /** What the corpus calls it: a server's bounces, standard reports, feedback, automatic answers. */
  readonly group: 'lhost' | 'rhost' | 'rfc3464' | 'arf' | 'rfc3834' | 'other bounces' | 'no bounces';
  readonly category: string;
  readonly report: DeliveryReport | null;
  /** Whether it is taken for what it is: a bounce or delay, a complaint, or no report. */
  readonly kind: boolean;
  /** Whether a recipient was found. */
  readonly recipient: Verdict;
  /** Whether the recipients are those that the report's fields name. */
  readonly fields: Verdict;
  /** Whether a status, or a word about permanence, was found for the first recipient. */
  readonly status: Verdict;
  /** Whether the original is named by one of the Message-IDs that came back. */
  readonly original: Verdict;
  /** Whether permanence is what the recipient's telling name says. */
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
    permanence: permanenceAgrees(report),
  };
}

/** The raw text with line feeds, and without the line breaks that quoted-printable puts into long lines. */
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

/** Recipients whose delivery succeeded are named too, so ours may be fewer, but never others. */
function fieldsAgree(raw: string, { kind, recipients }: DeliveryReport): Verdict {
  const pattern =
    kind === 'complaint'
      ? /^original-rcpt-to:.*?([^\s<>;:"]+@[^\s<>;:"]+)/gim
      : /^(?:final|original)-recipient:.*?([^\s<>;:]+@[^\s<>;:]+)/gim;
  const named = new Set([...raw.matchAll(pattern)].map(([, address = '']) => addressKey(address)));
  if (named.size === 0) return null;
  return recipients.length > 0 && recipients.every(({ address }) => named.has(addressKey(address)));
}

/** Message-IDs of the raw text without the first, which is the report's own. */
function originalAgrees(raw: string, { originalMessageId }: DeliveryReport): Verdict {
  const headerEnd = raw.indexOf('\n\n');
  const returned = [...raw.slice(headerEnd).matchAll(/^[ \t]*message-id[ \t]*:\s*<?([^\s<>]+)>?/gim)].map(
    ([, id]) => `<${id}>`,
  );
  if (returned.length === 0) return null;
  return originalMessageId !== null && returned.includes(originalMessageId);
}

/** Local parts of the corpus that say why mail to them fails. */
const gone = /^(?:user-?unknown|host-?unknown|has-?moved|suspend|this-local-part-does-not-exist)/i;
const there =
  /^(?:mailbox-?full|mesg-?too-?big|exceed-?limit|spam-?detected|policy-?violation|security-?error|no-?relaying|content-?error|mailer-?error|not-?accept|blocked)@/i;

function permanenceAgrees(report: DeliveryReport | null): Verdict {
  const telling = (report?.recipients ?? []).filter(
    ({ address, action }) => action === 'failed' && (gone.test(address) || there.test(address)),
  );
  return telling.length === 0
    ? null
    : telling.every(({ address, permanent }) => permanent === gone.test(address));
}

/** Of the cases in which the question arises, how many answer it with yes. */
export function share(
  cases: readonly ReportCase[],
  question: 'kind' | 'recipient' | 'fields' | 'status' | 'original' | 'permanence',
) {
  const answers = cases.map((one) => one[question]).filter((answer) => answer !== null);
  return { yes: answers.filter(Boolean).length, of: answers.length };
}
