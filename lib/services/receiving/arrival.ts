/** Messages as they arrive, by SES or from a mailbox: parsed once, for every space that they are stored in. */
import { createHash } from 'node:crypto';
import type { EmailContent } from '../../core/emails/email.ts';
import { textOfBody } from '../../mail/html/text-of-body.ts';
import type { ParsedMessage } from '../../mail/message/parse-mime.ts';
import type { Verdicts } from '../../mail/message/verdicts.ts';
import { strip } from '../../mail/quoting/strip.ts';
import { readContent } from '../../mail/signals/read-content.ts';
import { logEvent } from '../../observability/log.ts';

/** What brought a message. */
export interface Origin {
  /** Identifies the message where it has no Message-ID: the id of SES or of the provider; the same when it comes again. */
  readonly id: string;
  /** Envelope sender; empty for a null return path. */
  readonly returnPath: string;
  readonly verdicts: Verdicts;
  /** The object of the raw message; null: it is stored with the email. */
  readonly raw: NonNullable<EmailContent['raw']> | null;
  /** The message may become several emails: each has a copy of the object. */
  readonly isShared: boolean;
  /** The owner of a mailbox sent the message: its copy at a recipient in the same space is another email. */
  readonly isSent: boolean;
}

/** A message, parsed once for all spaces that it is stored in. */
export interface Arrival {
  readonly origin: Origin;
  readonly message: ParsedMessage;
  /** Identifies it across repetitions. */
  readonly fingerprint: string;
  readonly content: Omit<EmailContent, 'attachments' | 'envelope'>;
}

/** Addresses that a head holds; lists read heads. */
export const headAddressesMax = 100;

/** A parsed message as it is stored. It is without its raw bytes, which may be released: a message may have 40 MB. */
export async function newArrival(parsed: ParsedMessage, origin: Origin): Promise<Arrival> {
  const seen = await readContent(parsed);
  const message = { ...parsed, subject: seen.subject };
  if (message.problems.length > 0) {
    logEvent('inbound.parsed_partially', { ses_id: origin.id, problems: message.problems });
  }
  const { visibleHtml } = seen;
  const text = await textOfBody({ text: seen.text, html: visibleHtml });
  const { segments, strippedText, strippedHtml } = strip({ text, html: visibleHtml });
  const fingerprint = fingerprintOf(origin, parsed);
  return {
    origin,
    message,
    fingerprint,
    content: {
      ...(message.to.length > headAddressesMax && { to: message.to }),
      cc: message.cc,
      bcc: message.bcc,
      replyTo: message.replyTo,
      html: message.html,
      text,
      strippedText,
      strippedHtml,
      segments,
      references: message.references,
      headers: message.headers,
      verdicts: origin.verdicts,
      hiddenText: seen.hiddenText,
      signals: seen.signals,
      ...(origin.raw && { raw: origin.raw }),
      arrival: { fingerprint, inReplyTo: message.inReplyTo, isShared: origin.isShared },
    },
  };
}

/**
 * Identifies a message across repetitions: SES repeats notifications, a sending server whose connection broke sends the
 * message again, with other trace headers (RFC 5321, 4.4), and a provider may change the id of a message. By what readers see of
 * it: whoever borrows its Message-ID and its bytes, under a header that shows others, must not be taken for it.
 */
function fingerprintOf({ id, isSent }: Origin, message: ParsedMessage): string {
  const copy = isSent ? 'sent ' : '';
  const { messageId, date, from, subject, text, html, attachments } = message;
  if (!messageId) return `${copy}${id}`;
  const files = attachments.map(({ filename, contentType, content }) => [
    filename,
    contentType,
    content.length,
  ]);
  const read = [messageId, date, from?.address, subject, text, html, files];
  const hash = createHash('sha256').update(JSON.stringify(read));
  for (const { content } of attachments) hash.update(content);
  return `${copy}${hash.digest('hex')}`;
}
