/** Messages in which every field can be replaced: an ordinary mail, a delivery status notification, a feedback report. */
import { octets } from './hostile-text.ts';

/** Stands for the number of the case, so that no two bodies are equal. */
export const caseMark = '@@case@@';

/** Values by place: `message.Subject`, `file.Content-ID`, `html body`. Strings of octets. */
export type Slots = Readonly<Record<string, string>>;

/** What messages refer to. */
export interface Correspondence {
  /** An address of the workspace. */
  readonly mailbox: string;
  /** Message-ID of an email that the workspace sent to `customer` and `bystander`, as it was delivered. */
  readonly sentId: string;
  /** The other Message-ID of that email, which replies have in References. */
  readonly ownId: string;
  /** Message-ID of optional mail to `bystander`. */
  readonly optionalId: string;
  readonly threadId: string;
  readonly customer: string;
  /** A recipient of the same email that no report may suppress. */
  readonly bystander: string;
}

/** A place in a message with a text that an attacker chose. */
export interface Field {
  readonly name: string;
  readonly base: 'mail' | 'status' | 'feedback';
  readonly slot: string;
  /** The value of the slot; default: the text itself. */
  readonly wrap?: (text: string) => string;
}

const header = (name: string, wrap?: Field['wrap'], part = 'message'): Field => ({
  name: wrap ? `${part} ${name}: ${wrap('…')}` : `${part} ${name}`,
  base: 'mail',
  slot: `${part}.${name}`,
  ...(wrap && { wrap }),
});
const inPart = (part: string, base: Field['base'], names: readonly string[]): Field[] =>
  names.map((name) => ({ ...header(name, undefined, part), base }));

/** Every field of a message that the service reads. */
export const fields: readonly Field[] = [
  header('From', (text) => `"${text}" <anna@example.test>`),
  header('From', (text) => `${text} <anna@example.test>`),
  header('From', (text) => `<${text}@example.test>`),
  header('From', (text) => `"${text}"@example.test`),
  header('From', (text) => `<anna@${text}.example.test>`),
  header('From', (text) => `(${text}) anna@example.test`),
  header('From'),
  ...['To', 'Cc', 'Bcc', 'Reply-To', 'Sender'].flatMap((name) => [
    header(name, (text) => `"${text}" <ben@example.test>`),
    header(name, (text) => `Group: ${text};`),
    header(name),
  ]),
  header('Message-ID', (text) => `<${text}@example.test>`),
  header('Message-ID'),
  header('In-Reply-To', (text) => `<${text}@example.test>`),
  header('In-Reply-To'),
  header('References', (text) => `<a@b.test> <${text}@example.test>`),
  header('References'),
  header('Content-Type', (text) => `${text}/mixed; boundary=mixed`),
  header('Content-Type', (text) => `multipart/mixed; boundary=mixed; x=${text}`),
  header('Content-Type', (text) => `multipart/mixed; boundary="${text}"`),
  header(`X-Custom`),
  { name: 'header name', base: 'mail', slot: 'message.X-Named', wrap: (text) => `a\r\nX-${text}: b` },
  ...inPart('message', 'mail', [
    'Subject',
    'Date',
    'MIME-Version',
    'Received',
    'Return-Path',
    'Auto-Submitted',
    'Precedence',
    'List-Id',
    'List-Unsubscribe',
    'Thread-Index',
    'Authentication-Results',
    'DKIM-Signature',
    'X-Autoreply',
    'Content-Transfer-Encoding',
  ]),
  header('Content-Type', (text) => `text/plain; charset="${text}"`, 'text'),
  header('Content-Type', (text) => `text/plain; format=flowed; delsp=${text}`, 'text'),
  header('Content-Transfer-Encoding', undefined, 'text'),
  header('Content-Type', (text) => `text/html; charset=${text}`, 'html'),
  header('Content-Type', (text) => `${text}/csv; name=a.csv`, 'file'),
  header('Content-Type', (text) => `text/csv; name="${text}"`, 'file'),
  header('Content-Type', undefined, 'file'),
  header('Content-Disposition', (text) => `attachment; filename="${text}"`, 'file'),
  header('Content-Disposition', (text) => `attachment; filename*=utf-8''${text}`, 'file'),
  header(
    'Content-Disposition',
    (text) => `attachment; filename*0="${text}"; filename*1="${text}.csv"`,
    'file',
  ),
  header('Content-Disposition', (text) => `${text}; filename=a.csv`, 'file'),
  header('Content-ID', (text) => `<${text}@example.test>`, 'file'),
  ...inPart('file', 'mail', [
    'Content-ID',
    'Content-Description',
    'Content-Location',
    'Content-Transfer-Encoding',
  ]),
  ...['text body', 'html body', 'file body'].map((slot): Field => ({ name: slot, base: 'mail', slot })),
  {
    name: 'link',
    base: 'mail',
    slot: 'html body',
    wrap: (text) => `<a href="${text}">a</a><img src="${text}">`,
  },
  ...inPart('message', 'status', ['From', 'Subject', 'X-Failed-Recipients', 'References']),
  { name: 'status report text', base: 'status', slot: 'text body' },
  ...inPart('report', 'status', [
    'Reporting-MTA',
    'Original-Envelope-Id',
    'Original-Recipient',
    'Final-Recipient',
    'Action',
    'Status',
    'Remote-MTA',
    'Diagnostic-Code',
  ]),
  ...inPart('original', 'status', ['Message-ID', 'References', 'To', 'Subject']),
  ...inPart('report', 'feedback', [
    'Feedback-Type',
    'User-Agent',
    'Original-Rcpt-To',
    'Original-Mail-From',
    'Reported-Domain',
  ]),
  ...inPart('original', 'feedback', ['Message-ID', 'To', 'X-HmXmrOriginalRecipient']),
];

/** The message of a base with some slots replaced. */
export function messageWith(base: Field['base'], with_: Correspondence, replaced: Slots): string {
  if (base === 'mail') return mail(with_, replaced);
  return report(base, with_, replaced);
}

/** The slot values of a field with its text. */
export function slotOf({ slot, wrap }: Field, text: string): Slots {
  return { [slot]: wrap ? wrap(text) : text };
}

function mail({ mailbox, customer }: Correspondence, replaced: Slots): string {
  const slots: Slots = {
    'message.From': `Anna <${customer}>`,
    'message.To': mailbox,
    'message.Subject': 'Hello',
    'message.Date': 'Fri, 30 Jan 2026 10:00:00 +0000',
    'message.MIME-Version': '1.0',
    'message.Content-Type': 'multipart/mixed; boundary=mixed',
    'text.Content-Type': 'text/plain; charset=utf-8',
    'text body': octets(`Guten Tag, schöne Grüße ${caseMark}\r\n\r\n> Hello\r\n`),
    'html.Content-Type': 'text/html; charset=utf-8',
    'html body': '<p>Hello</p><blockquote>Before</blockquote>',
    'file.Content-Type': 'text/csv; name=a.csv',
    'file.Content-Disposition': 'attachment; filename=a.csv',
    'file.Content-ID': '<file@example.test>',
    'file body': 'a,b\r\n1,2\r\n',
    ...replaced,
  };
  return multipart('mixed', slots, ['text', 'html', 'file']);
}

function report(base: 'status' | 'feedback', with_: Correspondence, replaced: Slots): string {
  const { mailbox, sentId, ownId, customer } = with_;
  const type = base === 'status' ? 'delivery-status' : 'feedback-report';
  const ofBase: Slots =
    base === 'status'
      ? {
          'report.Reporting-MTA': 'dns; mx.example.test',
          // Ends the fields of the message (RFC 3464, section 2.1).
          'report.Arrival-Date': 'Fri, 30 Jan 2026 10:00:00 +0000\r\n',
          'report.Final-Recipient': `rfc822; ${customer}`,
          'report.Action': 'failed',
          'report.Status': '5.1.1',
          'report.Diagnostic-Code': 'smtp; 550 5.1.1 No such user',
        }
      : {
          'report.Feedback-Type': 'abuse',
          'report.User-Agent': 'Feedback/1.0',
          'report.Version': '1',
          'report.Original-Rcpt-To': customer,
        };
  const slots: Slots = {
    'message.From': 'Mail Delivery Subsystem <mailer-daemon@example.test>',
    'message.To': mailbox,
    'message.Subject': 'Undelivered Mail Returned to Sender',
    'message.MIME-Version': '1.0',
    'message.Content-Type': `multipart/report; report-type=${type}; boundary=mixed`,
    'text.Content-Type': 'text/plain',
    'text body': `Your message ${caseMark} could not be delivered.\r\n`,
    'report.Content-Type': `message/${type}\r\n`,
    ...ofBase,
    'original.Content-Type': 'message/rfc822\r\n',
    'original.Message-ID': sentId,
    'original.References': ownId,
    'original.From': mailbox,
    'original.To': customer,
    'original body': 'Hello\r\n',
    ...replaced,
  };
  return multipart('mixed', slots, ['text', 'report', 'original']);
}

function multipart(boundary: string, slots: Slots, parts: readonly string[]): string {
  const fieldsOf = (part: string) =>
    Object.entries(slots)
      .filter(([slot]) => slot.startsWith(`${part}.`))
      .map(([slot, value]) => `${slot.slice(part.length + 1)}: ${value}\r\n`)
      .join('');
  const rendered = parts.map(
    (part) => `--${boundary}\r\n${fieldsOf(part)}\r\n${slots[`${part} body`] ?? ''}\r\n`,
  );
  return `${fieldsOf('message')}\r\n${rendered.join('')}--${boundary}--\r\n`;
}
