/** The email record of the API of version 1 (docs/concepts/webhooks.md#format-v1). */
import * as z from 'zod';
import {
  currentStatus,
  directionOf,
  type EmailHead,
  type EmailStatus,
  type FullEmail,
  isRefusedBySes,
} from '../../../core/emails/email.ts';
import { bytesInResponse, fitEmail } from '../../../core/emails/response-size.ts';
import { idTime } from '../../../core/ids.ts';
import { limits } from '../../../core/limits.ts';
import type { Address } from '../../../mail/addresses/addresses.ts';
import type { LinkedAttachment } from '../../../services/attachments/attachment-links.ts';
import type { LinkedV1Email, V1EmailDetails } from '../../../services/reading/v1-emails.ts';
import { createdAt, idSchema, nullableText, text, timestampOf, timestampSchema } from '../../schemas.ts';
import { addresses, bareAddressText, cidText, fileFields, snippet } from '../fields.ts';
import { directionText, dispositionText, statusText, v1MessageId, v1Subject } from './fields.ts';

export const v1Statuses = [
  'DRAFT',
  'QUEUED',
  'ACCEPTED',
  'SENT',
  'RECEIVED',
  'FAILED',
  'BOUNCED',
  'COMPLAINED',
  'REJECTED',
  'READ',
  'ARCHIVED',
] as const;
export type V1Status = (typeof v1Statuses)[number];

const v1AttachmentSchema = z
  .strictObject({
    id: idSchema('att'),
    createdAt,
    fileName: fileFields.filename,
    contentType: fileFields.content_type,
    sizeInBytes: fileFields.size,
    cid: nullableText(null, cidText),
    disposition: z
      .enum(['attachment', 'inline'])
      .nullable()
      .meta({ examples: ['attachment'], description: dispositionText }),
    signedUrl: text(
      'https://content.example.com/att/file?signature=example',
      'Link to the file, which needs no API key; valid until `expiresAt`.',
    ),
    expiresAt: timestampSchema.describe('End of the link: 15 minutes after the response was made.'),
  })
  .meta({ id: 'V1Attachment', description: 'A file of an email.' });

export const v1EmailSchema = z
  .strictObject({
    id: idSchema('eml'),
    createdAt: timestampSchema.describe(
      'When the send or draft was accepted, or the received message was stored.',
    ),
    messageId: v1MessageId,
    inReplyToId: nullableText(
      null,
      'The `messageId` of the email that this one answers, where it is known; null: it answers none.',
    ),
    references: z.array(z.string()).meta({
      examples: [[]],
      description:
        'The `messageId` of each email that this one cites, oldest first; of unknown ones as they were written.',
    }),
    subject: v1Subject,
    text: nullableText(
      'It is on its way.',
      'Plain text; of a message with only html, made from it; at most 512 KB of a received message; null: none.',
    ),
    html: nullableText(
      '<p>It is on its way.</p>',
      'As given or received, not sanitized; at most 1 MB of a received message; null: none.',
    ),
    strippedText: nullableText(
      'It is on its way.',
      'The text without quotes and signature; null also when the response would exceed 6 MB.',
    ),
    strippedHtml: nullableText(
      null,
      'The html without quotes and signature; null also when the response would exceed 6 MB.',
    ),
    snippet: snippet.nullable(),
    fromName: nullableText('Support', 'Display name of the author; null: there is none.'),
    fromAddress: text('support@acme.dev', bareAddressText),
    toAddresses: addresses('Recipients of the To header, suppressed ones included.'),
    ccAddresses: addresses('Recipients of the Cc header.', []),
    bccAddresses: addresses('Recipients that no other recipient sees; always empty for inbound email.', []),
    replyToAddresses: addresses('Addresses of the Reply-To header, to which answers go.', []),
    sentAt: timestampSchema
      .nullable()
      .describe('When a mail provider accepted it; of inbound email the Date header; else null.'),
    receivedAt: timestampSchema
      .nullable()
      .meta({ examples: [null], description: 'When it was stored; null for outbound email.' }),
    direction: z.enum(['INBOUND', 'OUTBOUND']).meta({ examples: ['OUTBOUND'], description: directionText }),
    status: z.enum(v1Statuses).meta({ examples: ['SENT'], description: statusText }),
    threadId: idSchema('thr'),
    attachments: z.array(v1AttachmentSchema).describe('The files, in the order of the message.'),
  })
  .meta({ id: 'V1Email', description: 'A sent or received message, or a draft, with its content.' });

const addressOf = ({ address }: Address): string => address;

/**
 * The record of an email, at most `limits.emailBytes` long.
 *
 * @param atMs when the links of `attachments` were signed
 */
export function presentV1Email(
  { email, attachments, citations }: LinkedV1Email,
  atMs: number,
): z.input<typeof v1EmailSchema> {
  const { head, content } = email;
  const files = attachments.map((attachment) => presentAttachment(attachment, atMs));
  const { inReplyToId, references } = citations;
  const shown = fitEmail({ ...content, references, to: content.to ?? head.to }, bytesInResponse(files));
  const isInbound = directionOf(head.status) === 'inbound';
  return {
    id: head.id,
    createdAt: timestampOf(head.createdAt),
    messageId: head.messageId,
    inReplyToId,
    references: [...shown.references],
    subject: head.subject || null,
    text: shown.text,
    html: shown.html,
    strippedText: shown.strippedText,
    strippedHtml: shown.strippedHtml,
    snippet: head.snippet || null,
    fromName: head.from.name,
    fromAddress: head.from.address,
    toAddresses: shown.to.map(addressOf),
    ccAddresses: shown.cc.map(addressOf),
    bccAddresses: content.bcc.map(addressOf),
    replyToAddresses: content.replyTo.map(addressOf),
    sentAt: head.sentAt === null ? null : timestampOf(head.sentAt),
    receivedAt: isInbound ? timestampOf(head.createdAt) : null,
    direction: isInbound ? 'INBOUND' : 'OUTBOUND',
    status: v1StatusOf({ ...email, head: { status: currentStatus(email) } }),
    threadId: head.threadId,
    attachments: files,
  };
}

function presentAttachment(
  { file, downloadUrl }: LinkedAttachment,
  atMs: number,
): z.input<typeof v1AttachmentSchema> {
  return {
    id: file.id,
    createdAt: timestampOf(idTime(file.id)),
    fileName: file.filename,
    contentType: file.contentType,
    sizeInBytes: file.size,
    cid: file.cid,
    disposition: file.disposition ?? (file.cid === null ? 'attachment' : 'inline'),
    signedUrl: downloadUrl,
    expiresAt: timestampOf(atMs + limits.linkSeconds * 1000),
  };
}

/** The record of an email or of a draft, as a service reads it. */
export function presentV1Details(details: V1EmailDetails): z.input<typeof v1EmailSchema> {
  return presentV1Email(details, details.at);
}

export const v1StatusTable: Readonly<Record<EmailStatus, V1Status>> = {
  draft: 'DRAFT',
  scheduled: 'QUEUED',
  queued: 'QUEUED',
  sending: 'ACCEPTED',
  sent: 'SENT',
  delivered: 'SENT',
  received: 'RECEIVED',
  bounced: 'BOUNCED',
  complained: 'COMPLAINED',
  failed: 'FAILED',
  canceled: 'ARCHIVED',
};

/** The status of an email. A failed one is `REJECTED` where SES refused it, when it was submitted or afterwards. */
export function v1StatusOf({
  head,
  history,
}: { head: Pick<EmailHead, 'status'> } & Pick<FullEmail, 'history'>): V1Status {
  return head.status === 'failed' && isRefusedBySes(history) ? 'REJECTED' : v1StatusTable[head.status];
}
