/** The API records of an email in lists, and as the answer to a send (docs/concepts/email-lifecycle.md). */
import * as z from 'zod';
import { directionOf, type EmailHead, emailStatuses } from '../../core/emails/email.ts';
import type { HeldBy } from '../../core/pacing/project.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { categories } from '../../mail/category/categories.ts';
import type { AcceptedEmail } from '../../services/sending/accept-email.ts';
import { idSchema, nullableText, text, timestampOf, timestampOrNull, timestampSchema } from '../schemas.ts';

export const addressSchema = z
  .strictObject({ name: nullableText('Support'), address: text('support@acme.dev') })
  .meta({ id: 'Address' });
/** Recipients in responses and events: addresses without display names, which are in `headers`. */
export const addressesSchema = z.array(z.string()).meta({ examples: [['anna@example.com']] });

export const emailFields = {
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

export const emailSchema = z.strictObject(emailFields).meta({ id: 'Email' });

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
    ...emailFields,
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

export const addressOf = ({ address }: Address): string => address;

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
