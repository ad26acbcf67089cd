/** The API record of an email with its content, history and engagements (docs/concepts/email-lifecycle.md). */
import * as z from 'zod';
import {
  currentStatus,
  directionOf,
  type HistoryEntry,
  noVerdicts,
  wireMessageIds,
} from '../../core/emails/email.ts';
import { bytesInResponse, fitEmail, newestThatFit } from '../../core/emails/response-size.ts';
import { limits } from '../../core/limits.ts';
import type { Engagement } from '../../core/tracking/engagement.ts';
import { type Address, formatAddress } from '../../mail/addresses/addresses.ts';
import type { Verdicts } from '../../mail/message/verdicts.ts';
import type { EmailDetails } from '../../services/reading/email-details.ts';
import { nullableText, text, timestampOf, timestampSchema } from '../schemas.ts';
import { attachmentSchema, presentAttachment } from './attachment.ts';
import { addressesSchema, addressOf, emailFields, presentEmail } from './email.ts';

/** Absent: the check was not made. */
const verdict = nullableText('PASS');
export const verdictsSchema = z
  .strictObject({
    spam: verdict,
    virus: verdict,
    spf: verdict,
    dkim: verdict,
    dmarc: verdict,
    dmarc_policy: nullableText('reject').describe("The policy of the author's domain where DMARC failed."),
  })
  .meta({ id: 'Verdicts' });

const segmentSchema = z
  .strictObject({
    kind: z.enum(['written', 'quoted', 'signature']),
    text: text('It is on its way.'),
  })
  .meta({ id: 'Segment' });

const headerSchema = z.strictObject({ name: text('X-Priority'), value: text('1') }).meta({ id: 'Header' });

const historyEntrySchema = z
  .strictObject({
    type: text('delivered'),
    at: timestampSchema,
    recipients: z.array(z.string()).meta({ examples: [['anna@example.com']] }),
    detail: nullableText(null, "The provider's words, for example the reason of a bounce."),
  })
  .meta({ id: 'EmailEvent' });

export const engagementSchema = z
  .strictObject({
    type: z.enum(['open', 'click']).meta({ examples: ['click'] }),
    at: timestampSchema,
    url: nullableText('https://acme.dev/orders/4711', 'The target of a click.'),
    user_agent: nullableText('Mozilla/5.0'),
    bot: z
      .boolean()
      .meta({ examples: [false], description: 'Whether a scanner or another program caused it.' }),
  })
  .meta({ id: 'Engagement' });

export const wireMessageIdsSchema = z.array(z.string()).meta({
  examples: [['<0100019c1430b8-00000000-0000-0000-0000-000000000000-000000@email.amazonses.com>']],
  description:
    'The Message-ID headers that Amazon SES wrote: one for each submission, empty before the first.',
});

export const fullEmailSchema = z
  .strictObject({
    ...emailFields,
    cc: addressesSchema,
    bcc: addressesSchema,
    reply_to: addressesSchema,
    wire_message_ids: wireMessageIdsSchema,
    html: nullableText(
      '<p>It is on its way.</p>',
      'At most 1 MB of a received message; a longer body is also an attachment, in full.',
    ),
    text: nullableText(
      'It is on its way.',
      'At most 512 KB of a received message; a longer body is also an attachment, in full.',
    ),
    stripped_text: nullableText('It is on its way.', 'The text without quotes and signature.'),
    stripped_html: nullableText(
      null,
      'The html without quotes and signature; also null when the response would exceed 6 MB.',
    ),
    segments: z.array(segmentSchema),
    references: z.array(z.string()).meta({ examples: [[]] }),
    headers: z.array(headerSchema),
    attachments: z.array(attachmentSchema),
    verdicts: verdictsSchema,
    events: z
      .array(historyEntrySchema)
      .describe('The history of the email, oldest first; the newest 500 KB of it.'),
    engagements: z.array(engagementSchema).describe('The newest 20 opens and clicks, the newest first.'),
  })
  .meta({ id: 'FullEmail' });

export function presentFullEmail(details: EmailDetails): z.input<typeof fullEmailSchema> {
  const { email, attachments, engagements } = details;
  const { head, content, history } = email;
  const to = content.to ?? head.to;
  const lists = {
    recipientHeaders: directionOf(head.status) === 'outbound' ? recipientHeaders({ ...content, to }) : [],
    wireMessageIds: wireMessageIds(history),
    attachments: attachments.map(presentAttachment),
    events: newestThatFit(history.map(presentHistoryEntry), limits.historyBytes),
    engagements: engagements.map(presentEngagement),
  };
  const shown = fitEmail({ ...content, to }, bytesInResponse(lists));
  return {
    ...presentEmail({ ...head, to: shown.to, status: currentStatus(email) }),
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

/** Emails stored before `virus` and `dmarc_policy` were recorded lack them. */
export function presentVerdicts(verdicts: Partial<Verdicts>): z.input<typeof verdictsSchema> {
  const { spam, virus, spf, dkim, dmarc, dmarcPolicy } = { ...noVerdicts, ...verdicts };
  return { spam, virus, spf, dkim, dmarc, dmarc_policy: dmarcPolicy };
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
