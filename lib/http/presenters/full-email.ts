/** The API record of an email with its content, history and engagements (docs/concepts/email-lifecycle.md). */
import * as z from 'zod';
import { currentStatus, directionOf, type HistoryEntry, wireMessageIds } from '../../core/emails/email.ts';
import { bytesInResponse, fitEmail, newestThatFit } from '../../core/emails/response-size.ts';
import { historyInOrder } from '../../core/emails/sent-entries.ts';
import { limits } from '../../core/limits.ts';
import type { Engagement } from '../../core/tracking/engagement.ts';
import { type Address, formatAddress } from '../../mail/addresses/addresses.ts';
import type { EmailDetails } from '../../services/reading/email-details.ts';
import { nullableText, text, timestampOf, timestampSchema } from '../schemas.ts';
import { attachmentSchema, presentAttachment } from './attachment.ts';
import { addressOf, emailFields, presentEmail, presentOriginal } from './email.ts';
import { addresses, headerSchema, visitorFields } from './fields.ts';
import { presentSignals, signalsSchema } from './signal.ts';
import { presentVerdicts, verdictsSchema, wireMessageIdsSchema } from './transmission.ts';

const segmentSchema = z
  .strictObject({
    kind: z
      .enum(['written', 'quoted', 'signature'])
      .describe(
        '`written`: by the author; `quoted`: an earlier message; `signature`: also footers and disclaimers.',
      ),
    text: text('It is on its way.', 'The lines of this part.'),
  })
  .meta({ id: 'Segment', description: 'A part of the readable text.' });

const historyEntrySchema = z
  .strictObject({
    type: text(
      'delivered',
      'What happened: `sent`, `delivered`, `delayed`, `bounced`, `complained`, `rejected`, `failed`, `suppressed` or `unsubscribed`.',
    ),
    at: timestampSchema.describe('When it happened, as the provider reports it.'),
    recipients: addresses('The recipients that it is about.'),
    detail: nullableText(
      null,
      "The provider's words, such as the reason of a bounce; of `sent` the Message-ID on the wire; null: none.",
    ),
  })
  .meta({ id: 'EmailEvent', description: 'An entry of the history of an email.' });

export const engagementSchema = z
  .strictObject({
    type: z.enum(['open', 'click']).meta({
      examples: ['click'],
      description: '`open`: the pixel was loaded; `click`: a link was followed.',
    }),
    at: timestampSchema.describe('When it was recorded.'),
    url: nullableText('https://acme.dev/orders/4711', 'The target of a click; null for an open.'),
    ...visitorFields,
  })
  .meta({
    id: 'Engagement',
    description: 'An open or a click; it does not identify a recipient, since all share the links.',
  });

export const fullEmailSchema = z
  .strictObject({
    ...emailFields,
    cc: addresses('Recipients of the Cc header.', []),
    bcc: addresses('Recipients that no other recipient sees; always empty for inbound email.', []),
    reply_to: addresses('Addresses of the Reply-To header, to which answers go; empty: to `from`.', []),
    wire_message_ids: wireMessageIdsSchema,
    html: nullableText(
      '<p>It is on its way.</p>',
      'As given or received, not sanitized; at most 1 MB of a received message, whose longer body is also an attachment; null: none.',
    ),
    text: nullableText(
      'It is on its way.',
      'Plain text that a person sees, made from `html` where the message has none; at most 512 KB of a received message, whose longer body is also an attachment; null: none.',
    ),
    stripped_text: nullableText(
      'It is on its way.',
      'The text without quotes and signature; null also when the response would exceed 6 MB.',
    ),
    stripped_html: nullableText(
      null,
      'The html without quotes and signature; null also when the response would exceed 6 MB.',
    ),
    segments: z
      .array(segmentSchema)
      .describe('The readable text in parts, in order; empty when the response would exceed 6 MB.'),
    references: z.array(z.string()).meta({
      examples: [[]],
      description: 'Message-IDs of the References header, oldest first, with angle brackets.',
    }),
    headers: z
      .array(headerSchema)
      .describe(
        'Of inbound email all headers in order; of outbound email To, Cc, Reply-To and the given ones.',
      ),
    attachments: z.array(attachmentSchema).describe('The files, in the order of the message.'),
    hidden_text: nullableText(null, 'Text that a person does not see, at most 64 KB; null: none.'),
    signals: signalsSchema,
    verdicts: verdictsSchema.describe('Checks of a received message; all null for outbound email.'),
    events: z
      .array(historyEntrySchema)
      .describe(
        'The history of outbound email, oldest first, the newest 500 KB of it; empty for inbound email.',
      ),
    engagements: z.array(engagementSchema).describe('The newest 20 opens and clicks, the newest first.'),
  })
  .meta({ id: 'FullEmail', description: 'An email with content, files, history and engagements.' });

export function presentFullEmail(details: EmailDetails): z.input<typeof fullEmailSchema> {
  const { email, attachments, engagements } = details;
  const { head, content, history } = email;
  const to = content.to ?? head.to;
  const lists = {
    recipientHeaders: directionOf(head.status) === 'outbound' ? recipientHeaders({ ...content, to }) : [],
    wireMessageIds: wireMessageIds(history),
    attachments: attachments.map(presentAttachment),
    hiddenText: content.hiddenText ?? null,
    signals: presentSignals(content.signals),
    events: newestThatFit(
      historyInOrder(history, head.createdAt).map(presentHistoryEntry),
      limits.historyBytes,
    ),
    engagements: engagements.map(presentEngagement),
  };
  const shown = fitEmail({ ...content, to }, bytesInResponse(lists));
  const shownHead = presentEmail({ ...head, to: shown.to, status: currentStatus(email) });
  return {
    ...shownHead,
    draft: shownHead.draft && {
      ...shownHead.draft,
      original: content.original ? presentOriginal(content.original) : null,
    },
    cc: shown.cc.map(addressOf),
    bcc: content.bcc.map(addressOf),
    reply_to: content.replyTo.map(addressOf),
    wire_message_ids: lists.wireMessageIds,
    html: shown.html,
    text: shown.text,
    stripped_text: shown.strippedText,
    stripped_html: shown.strippedHtml,
    segments: shown.segments.map(({ kind, text }) => ({ kind, text })),
    references: [...shown.references],
    headers: [...lists.recipientHeaders, ...shown.headers.map(({ name, value }) => ({ name, value }))],
    attachments: lists.attachments,
    hidden_text: lists.hiddenText,
    signals: lists.signals,
    verdicts: presentVerdicts(content.verdicts),
    events: [...lists.events],
    engagements: lists.engagements,
  };
}

export function presentEngagement(engagement: Engagement): z.input<typeof engagementSchema> {
  const { type, at, url, userAgent, bot } = engagement;
  return { type, at: timestampOf(at), url, user_agent: userAgent, bot };
}

function presentHistoryEntry({ type, at, recipients, detail }: HistoryEntry) {
  return { type, at: timestampOf(at), recipients: [...recipients], detail };
}

/** The headers of an outbound email that have display names; stored headers are those that the request gave. */
function recipientHeaders({
  to,
  cc,
  replyTo,
}: Readonly<Record<'to' | 'cc' | 'replyTo', readonly Address[]>>): z.input<typeof headerSchema>[] {
  const lists = { To: to, Cc: cc, 'Reply-To': replyTo };
  return Object.entries(lists).flatMap(([name, list]) =>
    list.length > 0 ? [{ name, value: list.map(formatAddress).join(', ') }] : [],
  );
}
