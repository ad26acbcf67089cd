/** The API records of an email in lists, and as the answer to a send (docs/concepts/email-lifecycle.md). */
import * as z from 'zod';
import { directionOf, type EmailHead, emailStatuses } from '../../core/emails/email.ts';
import type { HeldBy } from '../../core/pacing/project.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import type { AcceptedEmail } from '../../services/sending/accept-email.ts';
import {
  idSchema,
  nullableText,
  spaceId,
  text,
  timestampOf,
  timestampOrNull,
  timestampSchema,
} from '../schemas.ts';
import {
  addresses,
  bareAddressText,
  category,
  messageId,
  snippet,
  subject,
  suppressionKey,
} from './fields.ts';

export const addressSchema = z
  .strictObject({
    name: nullableText('Support', 'Display name without quotes; null: the address has none.'),
    address: text('support@acme.dev', bareAddressText),
  })
  .meta({ id: 'Address', description: 'An address with its display name.' });

export const directionText = '`inbound`: received; `outbound`: sent, or to be sent.';
const statusText =
  'Progress over all recipients; `events` has that of each. `sent`: a mail provider accepted the email; `delivered`: the ' +
  'server of a recipient did; `failed`: it was refused before delivery; `received`: inbound, which never changes.';

/** `direction` and `status` as filters. */
export const emailFilters = {
  direction: z.enum(['inbound', 'outbound']).optional().describe(`Only these emails. ${directionText}`),
  status: z
    .enum(emailStatuses)
    .optional()
    .describe('Only emails that have this status when the page is read.'),
};

export const emailFields = {
  id: idSchema('eml'),
  thread_id: idSchema('thr'),
  space_id: spaceId,
  direction: z.enum(['inbound', 'outbound']).meta({ examples: ['outbound'], description: directionText }),
  status: z.enum(emailStatuses).meta({ examples: ['queued'], description: statusText }),
  from: addressSchema.describe('The author: the sender of outbound email, the From header of inbound email.'),
  to: addresses('Recipients of the To header, suppressed ones included.'),
  subject,
  snippet,
  category,
  suppression_key: suppressionKey,
  message_id: messageId,
  in_reply_to: nullableText(null, 'Message-ID of the message that this one answers; null: it answers none.'),
  idempotency_key: nullableText(
    'order-4711-shipped',
    'The `Idempotency-Key` of the send request; null: it had none, or the email was received.',
  ),
  created_at: timestampSchema.describe('When the send was accepted, or the received message was stored.'),
  scheduled_at: timestampSchema
    .nullable()
    .meta({ examples: [null], description: 'Requested time of sending; null: at once, or received.' }),
  sent_at: timestampSchema.nullable().meta({
    examples: [null],
    description: 'When the status became `sent`; of inbound email the Date header; else null.',
  }),
};

export const emailSchema = z
  .strictObject(emailFields)
  .meta({ id: 'Email', description: 'A sent or received message, without its content.' });

export const heldBySchema = z
  .strictObject({
    kind: z.enum(['ready', 'hours', 'limit']).meta({
      examples: ['limit'],
      description:
        '`ready`: no rule holds it; `hours`: outside of the hours of a rule; `limit`: a limit is used up.',
    }),
    rule_id: idSchema('pace')
      .nullable()
      .describe('The rule that holds it the longest; null when it is ready.'),
  })
  .meta({ id: 'HeldBy', description: 'What an email waits for.' });

export const estimatedSendAt = timestampSchema.describe(
  'When the email leaves if no rule changes and no other email is released before it.',
);

const sentPacingSchema = z
  .strictObject({
    held_by: heldBySchema,
    estimated_send_at: estimatedSendAt,
  })
  .meta({ id: 'SentPacing', description: 'The decision of the pacing rules about an accepted email.' });

/** The response of send, reply and forward. */
export const sentEmailSchema = z
  .strictObject({
    ...emailFields,
    suppressed: z.array(z.string()).meta({
      examples: [[]],
      description: 'Recipients that get nothing because they are suppressed; empty for a replay.',
    }),
    pacing: sentPacingSchema.nullable().meta({
      examples: [null],
      description:
        'What the pacing rules make of the email; null when none matched, for a scheduled email, with `pacing.skip`, and ' +
        'for a replay.',
    }),
  })
  .meta({ id: 'SentEmail', description: 'An accepted email, with what suppressions and pacing do with it.' });

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
      'Preference-Applied': '`wait=<seconds>` where the request waited.',
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
