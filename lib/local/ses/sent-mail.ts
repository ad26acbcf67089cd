/** A mail that SES accepted: the submission and the delivered message. */
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
  /** Name of the sender's identity. */
  readonly identity: string;
  /** Envelope sender. */
  readonly returnPath: string;
  /** The delivered message: with SES's Message-ID and Date, without Bcc. */
  readonly wire: Buffer;
}

/** The message that SES delivers: replaces Message-ID and Date, removes Bcc and Return-Path. */
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
