/** The delivery status notification that a provider puts into a mailbox whose mail bounced (RFC 3464, RFC 6522). */
import { headerLines, mailDate, readHeaders } from '../ses/headers.ts';
import type { IncomingMail } from '../ses/incoming-mail.ts';
import { factsOf } from './mail-facts.ts';
import type { RandomText } from './random-text.ts';

export interface BounceOptions {
  /** Of the provider: `mailer-daemon@googlemail.com`. */
  readonly sender: string;
  readonly at: number;
  readonly text: RandomText;
}

/** @param mail as it was sent; @param recipient the address that refused it */
export function bounceMessage(
  mail: IncomingMail,
  recipient: string,
  { sender, at, text }: BounceOptions,
): Buffer {
  const { messageId, subject } = factsOf(mail.raw);
  const boundary = `bounce-${text.hex(16)}`;
  const head = headerLines([
    ['From', `Mail Delivery Subsystem <${sender}>`],
    ['To', mail.from],
    ['Auto-Submitted', 'auto-replied'],
    ['Subject', `Delivery Status Notification (Failure): ${subject}`.replace(/[^\x20-\x7e]/g, '?')],
    ...(messageId === null ? [] : [['In-Reply-To', messageId] as const, ['References', messageId] as const]),
    ['Message-ID', `<${text.hex(24)}@${sender.split('@')[1]}>`],
    ['Date', mailDate(at)],
    ['MIME-Version', '1.0'],
    ['Content-Type', `multipart/report; report-type=delivery-status; boundary="${boundary}"`],
  ]);
  const status = headerLines([
    ['Reporting-MTA', `dns; ${sender.split('@')[1]}`],
    ['Arrival-Date', mailDate(at)],
  ]);
  const failure = headerLines([
    ['Final-Recipient', `rfc822; ${recipient}`],
    ['Action', 'failed'],
    ['Status', '5.1.1'],
    ['Diagnostic-Code', 'smtp; 550 5.1.1 The address was not found.'],
  ]);
  const original = mail.raw.subarray(0, readHeaders(mail.raw).endsAt);
  const part = (type: string, body: string) => `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  return Buffer.concat([
    Buffer.from(
      `${head}\r\n${part('text/plain; charset=utf-8', `Your message was not delivered to ${recipient}: the address was not found.\r\n`)}` +
        `${part('message/delivery-status', `${status}\r\n${failure}`)}--${boundary}\r\nContent-Type: text/rfc822-headers\r\n\r\n`,
    ),
    original,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}
