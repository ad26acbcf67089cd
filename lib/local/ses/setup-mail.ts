/** The mail of which SES notifies a topic when a receipt rule with an S3 action is created (`docs/local-cloud.md#ses`). */
import { headerLines, mailDate } from './headers.ts';
import type { IncomingMail } from './incoming-mail.ts';

/** The message id and object name of the mail. */
export const setupMessageId = 'AMAZON_SES_SETUP_NOTIFICATION';

const sender = 'aws@amazon.com';
const recipient = 'recipient@example.com';

export function setupMail(region: string, atMs: number): IncomingMail {
  const fields = headerLines([
    ['From', `Amazon Web Services <${sender}>`],
    ['To', recipient],
    ['Subject', 'Amazon SES Setup Notification'],
    ['Date', mailDate(atMs)],
    ['Message-ID', `<${setupMessageId}@inbound-smtp.${region}.amazonaws.com>`],
  ]);
  const text =
    'You received this message because you attempted to set up Amazon SES to deliver emails to this S3 bucket.';
  return { from: sender, recipients: [recipient], raw: Buffer.from(`${fields}\r\n${text}\r\n`) };
}
