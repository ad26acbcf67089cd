/** Reads the written responses and notices as reports, and compares with their meaning. */
import { categorize } from '../../../../lib/mail/category/category.ts';
import { parseMime } from '../../../../lib/mail/message/parse-mime.ts';
import { readDeliveryReport } from '../../../../lib/mail/reports/delivery-report.ts';
import { lookAlikes, type Notice, notices } from './notices.ts';
import { otherResponses, permanentResponses } from './responses.ts';

export interface WrittenCase {
  readonly group: string;
  readonly what: string;
  /** Whether it was taken for a report, or not, as it should. */
  readonly kind: boolean;
  /** Whether permanence is right; null where there should be no report. */
  readonly permanence: boolean | null;
  /** Whether a failure that passes was taken for permanent, which suppresses the address. */
  readonly suppressesWrongly: boolean;
}

const recipient = 'anna@example.net';

export async function measureWritten(): Promise<WrittenCase[]> {
  const responses = (of: typeof otherResponses, permanent: boolean) =>
    Object.entries(of).flatMap(([group, list]) =>
      list.flatMap(([status, response]) =>
        [standardReport, eximNotice].map((write) => {
          const isDelay = status.startsWith('4') && write === standardReport;
          return caseOf(group, response, write(status, response), isDelay ? 'delay' : 'bounce', permanent);
        }),
      ),
    );
  const texts = (group: string, of: readonly Notice[]) =>
    of.map((notice) => caseOf(group, notice.what, rawNotice(notice), notice.kind, notice.permanent));
  return await Promise.all([
    ...responses(permanentResponses, true),
    ...responses(otherResponses, false),
    ...texts('notices in words', notices),
    ...texts('no reports', lookAlikes),
  ]);
}

async function caseOf(
  group: string,
  what: string,
  raw: string,
  kind: Notice['kind'],
  permanent: boolean,
): Promise<WrittenCase> {
  const message = await parseMime(Buffer.from(raw));
  const report = readDeliveryReport(message);
  const named = report?.recipients.find(({ address }) => address === recipient);
  const category = categorize({ ...message, verdicts: { spam: null } });
  const isReport = kind === null ? report === null && category !== 'bounce' : report?.kind === kind;
  return {
    group,
    what,
    kind: isReport && (kind === null || named !== undefined),
    permanence: kind === null ? null : named?.permanent === permanent,
    suppressesWrongly: !permanent && (report?.recipients.some((one) => one.permanent) ?? false),
  };
}

/** A delivery status notification as Postfix writes it. */
function standardReport(status: string, response: string): string {
  const isDelay = status.startsWith('4');
  return [
    'Return-Path: <>',
    'From: MAILER-DAEMON@mail.acme.example (Mail Delivery System)',
    `Subject: ${isDelay ? 'Delayed Mail (still being retried)' : 'Undelivered Mail Returned to Sender'}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `<${recipient}>: host mx.example.net[192.0.2.4] said: ${response}`,
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.acme.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${isDelay ? 'delayed' : 'failed'}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${response}`,
    '',
    '--b--',
    '',
  ].join('\r\n');
}

/** The same as older Exim writes it: words only, without the status. */
function eximNotice(_status: string, response: string): string {
  return [
    'Return-Path: <>',
    `X-Failed-Recipients: ${recipient}`,
    'From: Mail Delivery System <Mailer-Daemon@mail.acme.example>',
    'Subject: Mail delivery failed: returning message to sender',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'A message that you sent could not be delivered to one or more of its recipients.',
    'This is a permanent error. The following address(es) failed:',
    '',
    `  ${recipient}`,
    '    host mx.example.net [192.0.2.4]',
    `    SMTP error from remote mail server after RCPT TO:<${recipient}>:`,
    `    ${response}`,
    '',
  ].join('\r\n');
}

function rawNotice({ from, subject, headers = [], body }: Notice): string {
  const encoded = `=?utf-8?b?${Buffer.from(subject).toString('base64')}?=`;
  return [
    ...headers,
    `From: ${from}`,
    'To: news@acme.example',
    `Subject: ${encoded}`,
    ...(headers.some((line) => line.startsWith('Content-Type'))
      ? []
      : ['Content-Type: text/plain; charset=utf-8']),
    '',
    body,
  ].join('\r\n');
}
