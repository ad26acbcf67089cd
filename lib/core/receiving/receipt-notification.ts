/** SES receipt notifications, parsed (Amazon SES Developer Guide, "Contents of notifications for Amazon SES email receiving"). */
import * as z from 'zod';
import type { Verdicts } from '../../mail/message/verdicts.ts';

const verdict = z.object({ status: z.string() }).optional();

const shape = z.object({
  notificationType: z.literal('Received'),
  mail: z.object({ messageId: z.string(), source: z.string().default('') }),
  receipt: z.object({
    recipients: z.array(z.string()),
    spamVerdict: verdict,
    virusVerdict: verdict,
    spfVerdict: verdict,
    dkimVerdict: verdict,
    dmarcVerdict: verdict,
    dmarcPolicy: z.string().optional(),
    action: z.object({ bucketName: z.string(), objectKey: z.string(), topicArn: z.string() }),
  }),
});

export interface ReceiptNotification {
  /** SES id of the message: the same in a repeated notification. */
  readonly sesId: string;
  /** Envelope sender; empty for a bounce. */
  readonly returnPath: string;
  /** Envelope recipients, which decide the delivery; headers do not. */
  readonly recipients: readonly string[];
  readonly verdicts: Verdicts;
  readonly raw: { readonly bucket: string; readonly key: string; readonly region: string };
}

/** What SES sends to test a topic and a receipt rule when they are set up. */
const topicTest = 'Successfully validated SNS topic';
const ruleTest = z.object({ mail: z.object({ messageId: z.literal('AMAZON_SES_SETUP_NOTIFICATION') }) });

/**
 * Parses a notification; null for one that SES sends when a receipt rule is created.
 *
 * @throws Error if it is invalid: the queue message goes to the dead-letter queue, the raw mail stays in the bucket
 */
export function parseReceiptNotification(json: string): ReceiptNotification | null {
  if (json.startsWith(topicTest)) return null;
  const notification: unknown = JSON.parse(json);
  if (ruleTest.safeParse(notification).success) return null;
  const { mail, receipt } = shape.parse(notification);
  const { action } = receipt;
  return {
    sesId: mail.messageId,
    returnPath: mail.source,
    recipients: receipt.recipients,
    verdicts: {
      spam: receipt.spamVerdict?.status ?? null,
      virus: receipt.virusVerdict?.status ?? null,
      spf: receipt.spfVerdict?.status ?? null,
      dkim: receipt.dkimVerdict?.status ?? null,
      dmarc: receipt.dmarcVerdict?.status ?? null,
      dmarcPolicy: receipt.dmarcPolicy?.toLowerCase() ?? null,
    },
    raw: {
      bucket: action.bucketName,
      key: action.objectKey,
      // Topic and bucket are in the region that received the mail.
      region: action.topicArn.split(':')[3] ?? '',
    },
  };
}
