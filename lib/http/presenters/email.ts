/** The API records of an email (docs/concepts/email-lifecycle.md). */
import * as z from 'zod';
import {
  categories,
  currentStatus,
  directionOf,
  type EmailHead,
  emailStatuses,
  type HistoryEntry,
  noVerdicts,
  type Verdicts,
  wireMessageIds,
} from '../../core/email.ts';
import type { Engagement } from '../../core/engagement.ts';
import { limits } from '../../core/limits.ts';
import { type Address, formatAddress } from '../../core/mail/addresses.ts';
import type { HeldBy } from '../../core/pacing/project.ts';
import { bytesInResponse, fitEmail, newestThatFit } from '../../core/response-size.ts';
import type { EmailDetails } from '../../services/reading/email-details.ts';
import type { AcceptedEmail } from '../../services/sending/accept-email.ts';
import { idSchema, nullableText, text, timestampOf, timestampOrNull, timestampSchema } from '../schemas.ts';
import { attachmentSchema, presentAttachment } from './attachment.ts';

export const addressSchema = z
  .strictObject({ name: nullableText('Support'), address: text('support@acme.dev') })
  .meta({ id: 'Address' });
/** Recipients in responses and events: addresses without display names, which are in `headers`. */
export const addressesSchema = z.array(z.string()).meta({ examples: [['anna@example.com']] });

const base = {
  id: idSchema('eml'),
  thread_id: idSchema('thr'),
  space_id: idSchema('spc')
    .nullable()
    .meta({ examples: [null] }),
  direction: z.enum(['inbound', 'outbound']).meta({ examples: ['outbound'] }),
  status: z.enum(emailStatuses).meta({ examples: ['queued'] }),
  from: addressSchema,
  to: addressesSchema,
  subject: text('Your order'),
  snippet: text('It is on its way.', 'The first 200 characters of the readable text.'),
  category: z
    .enum(categories)
    .nullable()
    .meta({ examples: [null], description: 'Of inbound email; null for outbound email.' }),
  suppression_key: nullableText(null, 'The suppression list that was checked in addition to `*`.'),
  message_id: text(
    '<eml_019c1430b800a1b2c3d4e5f60718293a@acme.dev>',
    'With angle brackets; never changes. Of outbound email it is in References on the wire, since Amazon SES replaces ' +
      'Message-ID: see `wire_message_ids`.',
  ),
  in_reply_to: nullableText(null),
  idempotency_key: nullableText('order-4711-shipped'),
  created_at: timestampSchema,
  scheduled_at: timestampSchema.nullable().meta({ examples: [null] }),
  sent_at: timestampSchema.nullable().meta({ examples: [null] }),
};

export const emailSchema = z.strictObject(base).meta({ id: 'Email' });

export const heldBySchema = z
  .strictObject({
    kind: z
      .enum(['ready', 'hours', 'limit'])
      .meta({ examples: ['limit'], description: '`ready`: no rule holds it.' }),
    rule_id: idSchema('pace')
      .nullable()
      .describe('The rule that holds it the longest; null when it is ready.'),
  })
  .meta({ id: 'HeldBy' });

const sentPacingSchema = z
  .strictObject({
    held_by: heldBySchema,
    estimated_send_at: timestampSchema.describe('When the email leaves if nothing changes.'),
  })
  .meta({ id: 'SentPacing' });

/** The response of send, reply and forward. */
export const sentEmailSchema = z
  .strictObject({
    ...base,
    suppressed: z
      .array(z.string())
      .meta({ examples: [[]], description: 'Recipients removed because they are suppressed.' }),
    pacing: sentPacingSchema.nullable().meta({
      examples: [null],
      description:
        'What the pacing rules make of the email; null when none matched, for a scheduled email, with `pacing.skip`, and ' +
        'for a replay.',
    }),
  })
  .meta({ id: 'SentEmail' });

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
    ...base,
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

const addressOf = ({ address }: Address): string => address;

export function presentEmail(head: EmailHead): z.input<typeof emailSchema> {
  return {
    id: head.id,
    thread_id: head.threadId,
    space_id: head.spaceId,
    direction: directionOf(head.status),
    status: head.status,
    from: { name: head.from.name, address: head.from.address },
    to: head.to.map(addressOf),
    subject: head.subject,
    snippet: head.snippet,
    category: head.category,
    suppression_key: head.suppressionKey,
    message_id: head.messageId,
    in_reply_to: head.inReplyTo,
    idempotency_key: head.idempotencyKey,
    created_at: timestampOf(head.createdAt),
    scheduled_at: timestampOrNull(head.scheduledAt),
    sent_at: timestampOrNull(head.sentAt),
  };
}

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

export function presentHeldBy({ kind, ruleId }: HeldBy): z.input<typeof heldBySchema> {
  return { kind, rule_id: ruleId };
}

/** The responses of send, reply and forward, for their contracts. */
export const sentResponses = {
  201: {
    description: 'The email was accepted.',
    body: sentEmailSchema,
    optionalHeaders: {
      'Preference-Applied': '`wait=<seconds>` where the request waited (RFC 7240, section 3).',
    },
  },
  200: {
    description: 'The email of an earlier request with this Idempotency-Key; nothing was sent.',
    body: sentEmailSchema,
    headers: { 'Idempotent-Replayed': '`true`' },
  },
} as const;

/** The header that says what was applied (RFC 7240, section 3). */
export function preferenceApplied(waitSeconds: number | null): Record<string, string> {
  return waitSeconds === null ? {} : { 'Preference-Applied': `wait=${waitSeconds}` };
}

/** The response of send, reply and forward: the email, new or replayed. */
export function sentResponse({
  email,
  replayed,
  suppressed,
  pacing,
  waitSeconds = null,
}: AcceptedEmail & { readonly waitSeconds?: number | null }) {
  const body: z.input<typeof sentEmailSchema> = {
    ...presentEmail(email),
    suppressed: [...suppressed],
    pacing: pacing && {
      held_by: presentHeldBy(pacing.heldBy),
      estimated_send_at: timestampOf(pacing.sendAt),
    },
  };
  if (replayed) return { status: 200 as const, body, headers: { 'Idempotent-Replayed': 'true' } };
  return { status: 201 as const, body, headers: preferenceApplied(waitSeconds) };
}
