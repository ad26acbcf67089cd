/**
 * The notification of a message that SES received, made again from the message: after a restore, nothing else is left of it. SES puts
 * what it knows above the first field of the sender ("Contents of notifications for Amazon SES email receiving" has the fields that
 * `receipt-notification.ts` reads).
 */
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { firstHeaderValue, type Header, returnPathOf } from '../../mail/message/headers.ts';
import type { ParsedMessage } from '../../mail/message/parse-mime.ts';

/** What is read of a message. */
type Read = Pick<ParsedMessage, 'headers' | 'to' | 'cc' | 'bcc'>;

/** @returns JSON as SES's; null where no recipient is known */
export function recoveredNotification(
  message: Read,
  { bucket, key, region }: Required<ObjectRef>,
): string | null {
  const own = fieldsOfSes(message.headers);
  const recipients = recipientsOf(own, message);
  if (recipients.length === 0) return null;
  const authentication = firstHeaderValue(own, 'authentication-results') ?? '';
  const check = (name: string) => verdictOf(new RegExp(`\\b${name}=(\\w+)`).exec(authentication)?.[1]);
  const scan = (name: string) => ({ status: firstHeaderValue(own, name) ?? 'DISABLED' });
  return JSON.stringify({
    notificationType: 'Received',
    mail: { messageId: key.slice(key.lastIndexOf('/') + 1), source: returnPathOf(own) },
    receipt: {
      recipients,
      spamVerdict: scan('x-ses-spam-verdict'),
      virusVerdict: scan('x-ses-virus-verdict'),
      spfVerdict: check('spf'),
      dkimVerdict: check('dkim'),
      dmarcVerdict: check('dmarc'),
      // Only its region is read.
      action: { bucketName: bucket, objectKey: key, topicArn: `arn:aws:sns:${region}` },
    },
  });
}

/** Those above the second `Received`: what is below, anybody may have written. */
function fieldsOfSes(fields: readonly Header[]): readonly Header[] {
  const received = fields.flatMap(({ name }, at) => (name.toLowerCase() === 'received' ? [at] : []));
  return fields.slice(0, received[1] ?? fields.length);
}

/** Of one recipient, the `for` of SES's `Received`; of several, the addresses in the headers, which lack those in Bcc. */
function recipientsOf(own: readonly Header[], { to, cc, bcc }: Read): string[] {
  const only = /\bfor <?([^\s<>;]+)>?;/.exec(firstHeaderValue(own, 'received') ?? '')?.[1];
  if (only?.includes('@')) return [only];
  return [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
}

/** RFC 8601, 2.7. */
function verdictOf(result: string | undefined): { readonly status: string } {
  const known: Readonly<Record<string, string>> = {
    pass: 'PASS',
    fail: 'FAIL',
    temperror: 'PROCESSING_FAILED',
  };
  return { status: known[result ?? ''] ?? 'GRAY' };
}
