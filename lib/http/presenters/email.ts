/** The API records of an email (docs/concepts/email-lifecycle.md). */
import * as z from 'zod';
import { categories, directionOf, type EmailHead, emailStatuses } from '../../core/email.ts';
import type { Engagement } from '../../core/engagement.ts';
import type { Address } from '../../core/mail/addresses.ts';
import { fitEmail } from '../../core/response-size.ts';
import type { LinkedAttachment } from '../../services/attachments/attachment-links.ts';
import type { AcceptedEmail } from '../../services/sending/accept-email.ts';
import type { FullEmail } from '../../storage/emails.ts';
import { idSchema, timestampSchema } from '../schemas.ts';
import { attachmentSchema, presentAttachment } from './attachment.ts';

export const addressSchema = z.strictObject({ name: z.string().nullable(), address: z.string() });
const addresses = z.array(addressSchema);

const base = {
  id: idSchema('eml'),
  thread_id: idSchema('thr'),
  space_id: idSchema('spc').nullable(),
  direction: z.enum(['inbound', 'outbound']),
  status: z.enum(emailStatuses),
  from: addressSchema,
  to: addresses,
  subject: z.string(),
  snippet: z.string().describe('The first 200 characters of the readable text.'),
  category: z.enum(categories).nullable(),
  suppression_key: z.string().nullable(),
  message_id: z
    .string()
    .describe(
      'With angle brackets. Outbound: ours until the provider accepted it, then the one on the wire.',
    ),
  in_reply_to: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  created_at: timestampSchema,
  scheduled_at: timestampSchema.nullable(),
  sent_at: timestampSchema.nullable(),
};

export const emailSchema = z.strictObject(base);

/** The response of send, reply and forward. */
export const sentEmailSchema = z.strictObject({
  ...base,
  suppressed: z.array(z.string()).describe('Recipients removed because they are suppressed.'),
  pacing: z.null().describe('The pacing decision; null when no rule matched.'),
});

export const fullEmailSchema = z.strictObject({
  ...base,
  cc: addresses,
  bcc: addresses,
  reply_to: addresses,
  html: z
    .string()
    .nullable()
    .describe('At most 1 MB of a received message; a longer body is also an attachment, in full.'),
  text: z
    .string()
    .nullable()
    .describe('At most 512 KB of a received message; a longer body is also an attachment, in full.'),
  stripped_text: z.string().nullable().describe('The text without quotes and signature.'),
  stripped_html: z
    .string()
    .nullable()
    .describe('The html without quotes and signature; also null when the response would exceed 6 MB.'),
  segments: z.array(z.strictObject({ kind: z.enum(['written', 'quoted', 'signature']), text: z.string() })),
  references: z.array(z.string()),
  headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  attachments: z.array(attachmentSchema),
  verdicts: z.strictObject({
    spam: z.string().nullable(),
    spf: z.string().nullable(),
    dkim: z.string().nullable(),
    dmarc: z.string().nullable(),
  }),
  events: z.array(
    z.strictObject({
      type: z.string(),
      at: timestampSchema,
      recipients: z.array(z.string()),
      detail: z.string().nullable(),
    }),
  ),
  engagements: z
    .array(
      z.strictObject({
        type: z.enum(['open', 'click']),
        at: timestampSchema,
        url: z.string().nullable().describe('The target of a click.'),
        user_agent: z.string().nullable(),
        bot: z.boolean().describe('Whether a scanner or another program caused it.'),
      }),
    )
    .describe('Opens and clicks by all recipients; the first 1000.'),
});

const timestamp = (ms: number): string => new Date(ms).toISOString();
const optionalTimestamp = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));
const presentAddress = ({ name, address }: Address) => ({ name, address });

export function presentEmail(head: EmailHead): z.input<typeof emailSchema> {
  return {
    id: head.id,
    thread_id: head.threadId,
    space_id: head.spaceId,
    direction: directionOf(head.status),
    status: head.status,
    from: presentAddress(head.from),
    to: head.to.map(presentAddress),
    subject: head.subject,
    snippet: head.snippet,
    category: head.category,
    suppression_key: head.suppressionKey,
    message_id: head.messageId,
    in_reply_to: head.inReplyTo,
    idempotency_key: head.idempotencyKey,
    created_at: timestamp(head.createdAt),
    scheduled_at: optionalTimestamp(head.scheduledAt),
    sent_at: optionalTimestamp(head.sentAt),
  };
}

export function presentFullEmail(
  { head, content, history }: FullEmail,
  attachments: readonly LinkedAttachment[],
  engagements: readonly Engagement[],
): z.input<typeof fullEmailSchema> {
  const shown = fitEmail({ ...content, to: content.to ?? head.to });
  return {
    ...presentEmail({ ...head, to: shown.to }),
    cc: shown.cc.map(presentAddress),
    bcc: content.bcc.map(presentAddress),
    reply_to: content.replyTo.map(presentAddress),
    html: shown.html,
    text: shown.text,
    stripped_text: shown.strippedText,
    stripped_html: shown.strippedHtml,
    segments: shown.segments.map(({ kind, text }) => ({ kind, text })),
    references: [...shown.references],
    headers: shown.headers.map(({ name, value }) => ({ name, value })),
    attachments: attachments.map(presentAttachment),
    verdicts: { ...content.verdicts },
    events: history.map((entry) => ({
      type: entry.type,
      at: timestamp(entry.at),
      recipients: [...entry.recipients],
      detail: entry.detail,
    })),
    engagements: engagements.map(({ type, at, url, userAgent, bot }) => ({
      type,
      at: timestamp(at),
      url,
      user_agent: userAgent,
      bot,
    })),
  };
}

/** The responses of send, reply and forward, for their contracts. */
export const sentResponses = {
  201: { description: 'The email was accepted.', body: sentEmailSchema },
  200: {
    description: 'The email of an earlier request with this Idempotency-Key; nothing was sent.',
    body: sentEmailSchema,
    headers: { 'Idempotent-Replayed': '`true`' },
  },
} as const;

/** The response of send, reply and forward: the email, new or replayed. */
export function sentResponse({ email, replayed, suppressed }: AcceptedEmail) {
  const body: z.input<typeof sentEmailSchema> = {
    ...presentEmail(email),
    suppressed: [...suppressed],
    pacing: null,
  };
  return replayed
    ? { status: 200 as const, body, headers: { 'Idempotent-Replayed': 'true' } }
    : { status: 201 as const, body };
}
