/** A message that SES accepted: what was handed over, and what went on the wire. */
import { mailDate, rewriteHeaders } from './headers.ts';
import { wireMessageId } from './ids.ts';
import type { Submission } from './submission.ts';

export interface SentMail extends Submission {
  /** SES's message id. */
  readonly id: string;
  readonly region: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** Access key id of the caller. */
  readonly principal: string;
  /** Name of the identity that vouched for the sender. */
  readonly identity: string;
  /** Envelope sender, where bounces go. */
  readonly returnPath: string;
  /** With the Message-ID and Date that SES sets, and without Bcc. */
  readonly wire: Buffer;
}

/** What SES delivers of `raw`. Everything but these fields goes out as it came, References among it. */
export function wireForm(raw: Buffer, mail: Pick<SentMail, 'id' | 'region' | 'at'>): Buffer {
  return rewriteHeaders(
    raw,
    ['message-id', 'date', 'bcc', 'return-path'],
    [
      ['Message-ID', wireMessageId(mail.region, mail.id)],
      ['Date', mailDate(mail.at)],
      ['Feedback-ID', `::1.${mail.region}.local:AmazonSES`],
      ['X-SES-Outgoing', `${new Date(mail.at).toISOString().slice(0, 10).replaceAll('-', '.')}-127.0.0.1`],
    ],
  );
}
