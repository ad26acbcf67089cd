/** Events: the bodies of webhooks (docs/concepts/webhooks.md). */
import * as z from 'zod';
import { displayName } from '../../core/domains/sending-domain.ts';
import { categories, type FullEmail, type HistoryEntry, wireMessageIds } from '../../core/email.ts';
import type { Engagement } from '../../core/engagement.ts';
import { type Mailbox, mailboxProviders } from '../../core/mailboxes/mailbox.ts';
import { allKeys } from '../../core/suppression.ts';
import { suppressionScopes } from '../../core/suppression-scope.ts';
import {
  type EventSubject,
  type StoredEvent,
  spaceOf,
  type WebhookEvent,
} from '../../core/webhooks/event.ts';
import { eventSummaries } from '../../core/webhooks/event-summaries.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { idSchema, nullableText, text, timestampSchema } from '../schemas.ts';
import { preparationSchema, presentPreparation } from './attachment.ts';
import { addressesSchema, presentVerdicts, verdictsSchema, wireMessageIdsSchema } from './email.ts';

const attachmentSchema = z
  .strictObject({
    id: idSchema('att'),
    filename: text('order.pdf'),
    content_type: text('application/pdf'),
    size: z.int().meta({ examples: [48213] }),
    preparation: preparationSchema.nullable(),
  })
  .meta({ id: 'EventAttachment' });

/** Bounds the size of a webhook body; the API returns all attachments. */
const attachmentsMax = 100;

const email = {
  email_id: idSchema('eml'),
  thread_id: idSchema('thr'),
  domain_id: idSchema('dom').nullable(),
  mailbox_id: idSchema('mbx')
    .nullable()
    .meta({ examples: [null] }),
  message_id: text('<eml_019c1430b800a1b2c3d4e5f60718293a@acme.dev>'),
};
const outbound = { ...email, suppression_key: nullableText(null) };
const message = {
  from: text('support@acme.dev'),
  subject: text('Your order'),
  snippet: text('It is on its way.'),
  attachments: z.array(attachmentSchema).describe(`The first ${attachmentsMax}.`),
};

const engagement = {
  user_agent: nullableText('Mozilla/5.0'),
  bot: z
    .boolean()
    .meta({ examples: [false], description: 'Whether a scanner or another program caused it.' }),
};
const mailbox = {
  mailbox_id: idSchema('mbx'),
  address: text('anna@acme.dev'),
  provider: z.enum(mailboxProviders).meta({ examples: ['google'] }),
};
const lostMailbox = {
  ...mailbox,
  reason: nullableText('Google answered 400 (invalid_grant).'),
};
const domain = { domain_id: idSchema('dom'), name: text('acme.dev'), region: text('us-east-1') };

const dataSchemas = {
  'email.received': z
    .strictObject({
      ...email,
      ...message,
      to: addressesSchema.describe('The envelope recipients.'),
      category: z
        .enum(categories)
        .nullable()
        .meta({ examples: ['human'] }),
      verdicts: verdictsSchema,
    })
    .meta({ id: 'EmailReceivedData' }),
  'email.sent': z
    .strictObject({
      ...outbound,
      ...message,
      to: addressesSchema,
      wire_message_ids: wireMessageIdsSchema,
    })
    .meta({ id: 'EmailSentData' }),
  'email.delivered': z
    .strictObject({ ...outbound, recipients: addressesSchema })
    .meta({ id: 'EmailDeliveredData' }),
  'email.bounced': z
    .strictObject({
      ...outbound,
      recipients: addressesSchema,
      permanent: z.boolean(),
      reason: text('550 5.1.1 user unknown'),
    })
    .meta({ id: 'EmailBouncedData' }),
  'email.complained': z
    .strictObject({ ...outbound, recipients: addressesSchema, reason: nullableText('abuse') })
    .meta({ id: 'EmailComplainedData' }),
  'email.failed': z
    .strictObject({ ...outbound, reason: text('Email address is not verified.') })
    .meta({ id: 'EmailFailedData' }),
  'email.opened': z.strictObject({ ...outbound, ...engagement }).meta({ id: 'EmailOpenedData' }),
  'email.clicked': z
    .strictObject({ ...outbound, url: text('https://acme.dev/orders/4711'), ...engagement })
    .meta({ id: 'EmailClickedData' }),
  'email.unsubscribed': z
    .strictObject({
      email_id: email.email_id,
      domain_id: email.domain_id,
      mailbox_id: email.mailbox_id,
      address: text('anna@example.com'),
      key: text('*', 'The suppression list that the address was added to; `*` applies to every send.'),
      scope: z.enum(suppressionScopes),
      source: z.enum(['link', 'one_click', 'reply']),
    })
    .meta({ id: 'EmailUnsubscribedData' }),
  'thread.created': z
    .strictObject({
      thread_id: idSchema('thr'),
      subject: text('Your order'),
      mailbox: text('support@acme.dev'),
      forward_of: idSchema('thr')
        .nullable()
        .meta({ examples: [null] }),
    })
    .meta({ id: 'ThreadCreatedData' }),
  'domain.verified': z.strictObject(domain).meta({ id: 'DomainVerifiedData' }),
  'domain.lost': z.strictObject(domain).meta({ id: 'DomainLostData' }),
  'mailbox.connected': z
    .strictObject({
      ...mailbox,
      app_id: idSchema('app').nullable().describe('null: an app that the deployment shares.'),
      ref: nullableText('user-4711').describe('The `ref` of the connection.'),
      reconnected: z
        .boolean()
        .meta({ examples: [false], description: 'Whether the mailbox was connected before.' }),
    })
    .meta({ id: 'MailboxConnectedData' }),
  'mailbox.needs_reauth': z.strictObject(lostMailbox).meta({ id: 'MailboxNeedsReauthData' }),
  'mailbox.disconnected': z.strictObject(lostMailbox).meta({ id: 'MailboxDisconnectedData' }),
} satisfies Partial<Record<EventType, z.ZodType>>;

type Data = { [Type in keyof typeof dataSchemas]: z.input<(typeof dataSchemas)[Type]> };

function envelopeOf<Type extends keyof typeof dataSchemas>(type: Type) {
  const name = type.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return z
    .strictObject({
      id: idSchema('evt').describe('Stable across retries and replays; use it to deduplicate.'),
      type: z.literal(type),
      created_at: timestampSchema.describe('When the event happened.'),
      space_id: idSchema('spc')
        .nullable()
        .meta({ examples: [null], description: 'The Space of the email, thread, domain or mailbox.' }),
      data: dataSchemas[type],
    })
    .meta({ id: `${name}Event` });
}

const envelopes = {
  'email.received': envelopeOf('email.received'),
  'email.sent': envelopeOf('email.sent'),
  'email.delivered': envelopeOf('email.delivered'),
  'email.bounced': envelopeOf('email.bounced'),
  'email.complained': envelopeOf('email.complained'),
  'email.failed': envelopeOf('email.failed'),
  'email.opened': envelopeOf('email.opened'),
  'email.clicked': envelopeOf('email.clicked'),
  'email.unsubscribed': envelopeOf('email.unsubscribed'),
  'thread.created': envelopeOf('thread.created'),
  'domain.verified': envelopeOf('domain.verified'),
  'domain.lost': envelopeOf('domain.lost'),
  'mailbox.connected': envelopeOf('mailbox.connected'),
  'mailbox.needs_reauth': envelopeOf('mailbox.needs_reauth'),
  'mailbox.disconnected': envelopeOf('mailbox.disconnected'),
} as const;

export const eventSchema = z
  .discriminatedUnion('type', [
    envelopes['email.received'],
    envelopes['email.sent'],
    envelopes['email.delivered'],
    envelopes['email.bounced'],
    envelopes['email.complained'],
    envelopes['email.failed'],
    envelopes['email.opened'],
    envelopes['email.clicked'],
    envelopes['email.unsubscribed'],
    envelopes['thread.created'],
    envelopes['domain.verified'],
    envelopes['domain.lost'],
    envelopes['mailbox.connected'],
    envelopes['mailbox.needs_reauth'],
    envelopes['mailbox.disconnected'],
  ])
  .meta({ id: 'Event' });

/** Every event type that is published: the schema of its webhook body, and when it is sent. */
export const eventSchemas: Readonly<Record<string, { schema: z.ZodType; summary: string }>> =
  Object.fromEntries(
    Object.values(envelopes).map((schema) => {
      const type = schema.shape.type.value;
      return [type, { schema, summary: eventSummaries[type] }];
    }),
  );

/** The envelope of a stored event. */
export function presentStoredEvent({ body }: StoredEvent): z.input<typeof eventSchema> {
  return JSON.parse(body);
}

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

function dataOf(type: EventType, subject: EventSubject): object {
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
    case 'mailbox':
      return type === 'mailbox.connected' ? presentConnected(subject) : presentLost(subject);
  }
}

type EmailSubject = Extract<EventSubject, { kind: 'email' }>;

const emailData: {
  readonly [Type in Extract<keyof Data, `email.${string}`>]: (subject: EmailSubject) => Data[Type];
} = {
  'email.received': ({ email }) => ({
    ...presentEmail(email),
    ...presentMessage(email),
    to: envelopeRecipients(email),
    category: email.head.category,
    verdicts: presentVerdicts(email.content.verdicts),
  }),
  'email.sent': ({ email }) => ({
    ...presentOutbound(email),
    ...presentMessage(email),
    to: (email.content.to ?? email.head.to).map(({ address }) => address),
    wire_message_ids: wireMessageIds(email.history),
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
  'email.opened': ({ email, engagement }) => ({
    ...presentOutbound(email),
    ...presentEngagement(engagement),
  }),
  'email.clicked': ({ email, engagement }) => ({
    ...presentOutbound(email),
    url: engagement?.url ?? '',
    ...presentEngagement(engagement),
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
    message_id: head.messageId,
  };
}

function presentOutbound(email: FullEmail) {
  return { ...presentEmail(email), suppression_key: email.head.suppressionKey };
}

function presentMessage({ head, content, extractions }: FullEmail) {
  return {
    from: head.from.address,
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

function envelopeRecipients({ head, content }: FullEmail): string[] {
  return [...(content.envelope ?? (content.to ?? head.to).map(({ address }) => address))];
}

const recipientsOf = (entry: HistoryEntry | null): string[] => [...(entry?.recipients ?? [])];

/** An `email.failed` event for all recipients names no history entry; the last refusal has the reason. */
function lastRefusal({ history }: FullEmail): HistoryEntry | null {
  return history.findLast(({ type }) => type === 'failed' || type === 'rejected') ?? null;
}

function presentThread({ thread }: Extract<EventSubject, { kind: 'thread' }>): Data['thread.created'] {
  return {
    thread_id: thread.id,
    subject: thread.subject,
    mailbox: thread.mailbox,
    forward_of: thread.forwardOf,
  };
}

function presentDomain({ domain }: Extract<EventSubject, { kind: 'domain' }>): Data['domain.verified'] {
  return { domain_id: domain.id, name: displayName(domain), region: domain.region };
}

type MailboxSubject = Extract<EventSubject, { kind: 'mailbox' }>;

function presentConnected({ mailbox, connection }: MailboxSubject): Data['mailbox.connected'] {
  const { appId, ref, connections } = mailbox;
  return {
    ...presentMailbox(mailbox),
    app_id: appId,
    ref,
    reconnected: (connection ?? connections) > 1,
  };
}

function presentLost({ mailbox }: MailboxSubject): Data['mailbox.needs_reauth'] {
  return { ...presentMailbox(mailbox), reason: mailbox.stateReason };
}

function presentMailbox({ id, address, provider }: Mailbox) {
  return { mailbox_id: id, address, provider };
}
