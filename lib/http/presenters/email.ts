/** The API records of an email in lists, and as the answer to a send (docs/concepts/email-lifecycle.md). */
import * as z from 'zod';
import {
  type Cancellation,
  cancelReasons,
  type DraftFacts,
  directionOf,
  type EmailHead,
  emailStatuses,
  type OriginalMessage,
} from '../../core/emails/email.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
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
  'Progress over all recipients; `events` has that of each. `draft`: it waits for its approval; `sent`: a mail provider accepted the email; `delivered`: the ' +
  'server of a recipient did; `failed`: it was refused before delivery; `received`: inbound, which never changes.';

const actor = (what: string) => nullableText(null, `${what}: id of an API key, or address of a member.`);

const originalSchema = z
  .strictObject({
    subject: text('Your order', 'The subject line.'),
    to: addresses('Recipients of the To header.'),
    cc: addresses('Recipients of the Cc header.', []),
    bcc: addresses('Recipients of neither header.', []),
    text: nullableText('It is on its way.', 'The first 65,536 characters.'),
    html: nullableText(null, 'The first 65,536 characters.'),
    truncated: z.boolean().meta({ examples: [false], description: 'Whether `text` or `html` is cut.' }),
  })
  .meta({ id: 'OriginalDraft', description: 'A draft before its first edit.' });

export const draftFields = {
  version: z.int().meta({ examples: [1], description: 'Raised by each edit.' }),
  drafted_by: actor('Who wrote it'),
  edited_by: actor('Who edited it last'),
  approved_by: actor('Who approved it'),
  expires_at: timestampSchema.nullable().describe('When it is canceled unless approved; null: it has ended.'),
};

const draftSchema = z
  .strictObject({
    ...draftFields,
    original: originalSchema
      .nullable()
      .meta({ examples: [null], description: 'null: not edited; also in lists.' }),
  })
  .meta({ id: 'Draft', description: 'What is known of a draft.' });

export const cancellationFields = {
  reason: z.enum(cancelReasons).meta({
    examples: ['request'],
    description: '`reply`: a person answered first; `discarded`, `expired`: it was a draft.',
  }),
  by: actor('Who canceled it'),
  by_email_id: idSchema('eml')
    .nullable()
    .meta({ examples: [null], description: 'The received email of `reply`.' }),
};

const cancellationSchema = z
  .strictObject({ ...cancellationFields, at: timestampSchema.describe('When it was canceled.') })
  .meta({ id: 'Cancellation', description: 'Why an email was canceled.' });

/** `direction` and `status` as filters. */
export const emailFilters = {
  direction: z.enum(['inbound', 'outbound']).optional().describe(`Only these emails. ${directionText}`),
  status: z
    .enum(emailStatuses)
    .optional()
    .describe('Only emails that have this status when the page is read. Only `draft` lists drafts.'),
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
  cancel_on_reply: z.boolean().meta({ examples: [false], description: 'Whether a reply cancels it.' }),
  draft: draftSchema.nullable().meta({ examples: [null], description: 'null: never a draft.' }),
  cancellation: cancellationSchema.nullable().meta({ examples: [null], description: 'null: not canceled.' }),
};

export const emailSchema = z
  .strictObject(emailFields)
  .meta({ id: 'Email', description: 'A sent or received message, without its content.' });

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
    cancel_on_reply: head.cancelOnReply ?? false,
    draft: head.draft ? presentDraft(head.draft, head.status) : null,
    cancellation: head.cancellation ? presentCancellation(head.cancellation) : null,
  };
}

function presentDraft(
  { version, draftedBy, editedBy, approvedBy, expiresAt }: DraftFacts,
  status: EmailHead['status'],
): z.input<typeof draftSchema> {
  return {
    version,
    drafted_by: draftedBy,
    edited_by: editedBy,
    approved_by: approvedBy,
    expires_at: status === 'draft' ? timestampOrNull(expiresAt) : null,
    original: null,
  };
}

/** Of an email that is read whole. */
export function presentOriginal(original: OriginalMessage): z.input<typeof originalSchema> {
  const { subject, text, html, isCut } = original;
  return {
    subject,
    to: original.to.map(addressOf),
    cc: original.cc.map(addressOf),
    bcc: original.bcc.map(addressOf),
    text,
    html,
    truncated: isCut,
  };
}

function presentCancellation({
  reason,
  at,
  by,
  byEmailId,
}: Cancellation): z.input<typeof cancellationSchema> {
  return { reason, at: timestampOf(at), by, by_email_id: byEmailId };
}
