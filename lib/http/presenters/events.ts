/** Events: the bodies of webhooks (docs/concepts/webhooks.md). */
import * as z from 'zod';
import { displayName } from '../../core/domains/sending-domain.ts';
import { categories, type HistoryEntry } from '../../core/email.ts';
import type { Engagement } from '../../core/engagement.ts';
import type { Address } from '../../core/mail/addresses.ts';
import { allKeys, suppressionScopes } from '../../core/suppression.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import type { WebhookEvent, WebhookEventData } from '../../services/webhooks/publish-event.ts';
import type { FullEmail } from '../../storage/emails.ts';
import { idSchema, timestampSchema } from '../schemas.ts';
import { preparationSchema, presentPreparation } from './attachment.ts';
import { addressSchema } from './email.ts';

const attachmentSchema = z.strictObject({
  id: idSchema('att'),
  filename: z.string(),
  content_type: z.string(),
  size: z.int(),
  preparation: preparationSchema.nullable(),
});

/** Bounds the size of a webhook body; the API returns all attachments. */
const attachmentsMax = 100;

const email = {
  email_id: idSchema('eml'),
  thread_id: idSchema('thr'),
  domain_id: idSchema('dom').nullable(),
  mailbox_id: idSchema('mbx').nullable(),
};
const outbound = { ...email, suppression_key: z.string().nullable() };
const message = {
  message_id: z.string(),
  from: addressSchema,
  subject: z.string(),
  snippet: z.string(),
  attachments: z.array(attachmentSchema).describe(`The first ${attachmentsMax}.`),
};
const recipients = z.array(z.string());
const engagement = {
  user_agent: z.string().nullable(),
  bot: z.boolean().describe('Whether a scanner or another program caused it.'),
};
const verdict = z.string().nullable();
const domain = z.strictObject({ domain_id: idSchema('dom'), name: z.string(), region: z.string() });

const dataSchemas = {
  'email.received': z.strictObject({
    ...email,
    ...message,
    to: recipients.describe('The envelope recipients.'),
    category: z.enum(categories).nullable(),
    verdicts: z.strictObject({ spam: verdict, spf: verdict, dkim: verdict, dmarc: verdict }),
  }),
  'email.sent': z.strictObject({ ...outbound, ...message, to: z.array(addressSchema) }),
  'email.delivered': z.strictObject({ ...outbound, recipients }),
  'email.bounced': z.strictObject({ ...outbound, recipients, permanent: z.boolean(), reason: z.string() }),
  'email.complained': z.strictObject({ ...outbound, recipients, reason: z.string().nullable() }),
  'email.failed': z.strictObject({ ...outbound, reason: z.string() }),
  'email.opened': z.strictObject({ ...outbound, ...engagement }),
  'email.clicked': z.strictObject({ ...outbound, url: z.string(), ...engagement }),
  'email.unsubscribed': z.strictObject({
    email_id: email.email_id,
    domain_id: email.domain_id,
    mailbox_id: email.mailbox_id,
    address: z.string(),
    key: z
      .string()
      .describe('The suppression list that the address was added to; `*` applies to every send.'),
    scope: z.enum(suppressionScopes),
    source: z.enum(['link', 'one_click', 'reply']),
  }),
  'thread.created': z.strictObject({
    thread_id: idSchema('thr'),
    subject: z.string(),
    mailbox: z.string(),
    forward_of: idSchema('thr').nullable(),
  }),
  'domain.verified': domain,
  'domain.lost': domain,
} satisfies Partial<Record<EventType, z.ZodType>>;

type Data = { [Type in keyof typeof dataSchemas]: z.input<(typeof dataSchemas)[Type]> };

function envelopeOf<Type extends keyof typeof dataSchemas>(type: Type) {
  return z.strictObject({
    id: idSchema('evt').describe('Stable across retries and replays; use it to deduplicate.'),
    type: z.literal(type),
    created_at: timestampSchema.describe('When the event happened.'),
    space_id: idSchema('spc').nullable().describe('The Space of the email, thread or domain.'),
    data: dataSchemas[type],
  });
}

export const eventSchema = z
  .discriminatedUnion('type', [
    envelopeOf('email.received'),
    envelopeOf('email.sent'),
    envelopeOf('email.delivered'),
    envelopeOf('email.bounced'),
    envelopeOf('email.complained'),
    envelopeOf('email.failed'),
    envelopeOf('email.opened'),
    envelopeOf('email.clicked'),
    envelopeOf('email.unsubscribed'),
    envelopeOf('thread.created'),
    envelopeOf('domain.verified'),
    envelopeOf('domain.lost'),
  ])
  .meta({ id: 'Event' });

/** Builds the webhook body of an event. @throws Error for a type that has no body */
export function presentEvent({ id, type, at, subject }: WebhookEvent) {
  return {
    id,
    type,
    created_at: new Date(at).toISOString(),
    space_id: spaceOf(subject),
    data: dataOf(type, subject),
  };
}

function spaceOf(subject: WebhookEventData) {
  switch (subject.kind) {
    case 'email':
      return subject.email.head.spaceId;
    case 'thread':
      return subject.thread.spaceId;
    case 'domain':
      return subject.domain.spaceId;
  }
}

function dataOf(type: EventType, subject: WebhookEventData): object {
  switch (subject.kind) {
    case 'email': {
      const build = emailBuilders[type];
      if (!build) throw new Error(`${type} is not an event of an email`);
      return build(subject);
    }
    case 'thread':
      return presentThread(subject);
    case 'domain':
      return presentDomain(subject);
  }
}

type EmailSubject = Extract<WebhookEventData, { kind: 'email' }>;

const emailData: {
  readonly [Type in Extract<keyof Data, `email.${string}`>]: (subject: EmailSubject) => Data[Type];
} = {
  'email.received': ({ email }) => ({
    ...presentEmail(email),
    ...presentMessage(email),
    to: envelopeRecipients(email),
    category: email.head.category,
    verdicts: { ...email.content.verdicts },
  }),
  'email.sent': ({ email }) => ({
    ...presentOutbound(email),
    ...presentMessage(email),
    to: (email.content.to ?? email.head.to).map(presentAddress),
  }),
  'email.delivered': ({ email, entry }) => ({ ...presentOutbound(email), recipients: recipientsOf(entry) }),
  'email.bounced': ({ email, entry }) => ({
    ...presentOutbound(email),
    recipients: recipientsOf(entry),
    permanent: entry?.permanent ?? false,
    reason: entry?.detail ?? 'unknown',
  }),
  'email.complained': ({ email, entry }) => ({
    ...presentOutbound(email),
    recipients: recipientsOf(entry),
    reason: entry?.detail ?? null,
  }),
  'email.failed': ({ email, entry }) => ({
    ...presentOutbound(email),
    reason: (entry ?? lastRefusal(email))?.detail ?? 'unknown',
  }),
  'email.opened': ({ email, hit }) => ({ ...presentOutbound(email), ...presentEngagement(hit) }),
  'email.clicked': ({ email, hit }) => ({
    ...presentOutbound(email),
    url: hit?.url ?? '',
    ...presentEngagement(hit),
  }),
  'email.unsubscribed': ({ email: { head }, entry }) => ({
    email_id: head.id,
    domain_id: head.domainId,
    mailbox_id: head.mailboxId,
    address: entry?.recipients[0] ?? '',
    key: head.suppressionKey ?? allKeys,
    scope: entry?.optOut?.scope ?? 'all',
    source: entry?.optOut?.source ?? 'link',
  }),
};

const emailBuilders: Readonly<Partial<Record<EventType, (subject: EmailSubject) => object>>> = emailData;

function presentEmail({ head }: FullEmail) {
  return {
    email_id: head.id,
    thread_id: head.threadId,
    domain_id: head.domainId,
    mailbox_id: head.mailboxId,
  };
}

function presentOutbound(email: FullEmail) {
  return { ...presentEmail(email), suppression_key: email.head.suppressionKey };
}

function presentMessage({ head, content, extractions }: FullEmail) {
  return {
    message_id: head.messageId,
    from: presentAddress(head.from),
    subject: head.subject,
    snippet: head.snippet,
    attachments: content.attachments.slice(0, attachmentsMax).map((file) => ({
      id: file.id,
      filename: file.filename,
      content_type: file.contentType,
      size: file.size,
      preparation: presentPreparation(extractions.get(file.id) ?? null),
    })),
  };
}

function presentEngagement(engagement: Engagement | null) {
  return { user_agent: engagement?.userAgent ?? null, bot: engagement?.bot ?? false };
}

const presentAddress = ({ name, address }: Address) => ({ name, address });

function envelopeRecipients({ head, content }: FullEmail): string[] {
  return [...(content.envelope ?? (content.to ?? head.to).map(({ address }) => address))];
}

const recipientsOf = (entry: HistoryEntry | null): string[] => [...(entry?.recipients ?? [])];

/** An `email.failed` event for all recipients names no history entry; the last refusal has the reason. */
function lastRefusal({ history }: FullEmail): HistoryEntry | null {
  return history.findLast(({ type }) => type === 'failed' || type === 'rejected') ?? null;
}

function presentThread({ thread }: Extract<WebhookEventData, { kind: 'thread' }>): Data['thread.created'] {
  return {
    thread_id: thread.id,
    subject: thread.subject,
    mailbox: thread.mailbox,
    forward_of: thread.forwardOf,
  };
}

function presentDomain({ domain }: Extract<WebhookEventData, { kind: 'domain' }>): Data['domain.verified'] {
  return { domain_id: domain.id, name: displayName(domain), region: domain.region };
}
