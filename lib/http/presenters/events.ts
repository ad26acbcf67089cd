/** Events: the bodies of webhooks (docs/concepts/webhooks.md). */
import * as z from 'zod';
import { displayName } from '../../core/domains/sending-domain.ts';
import { type FullEmail, type HistoryEntry, wireMessageIds } from '../../core/emails/email.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { allKeys } from '../../core/suppressions/suppression.ts';
import type { Engagement } from '../../core/tracking/engagement.ts';
import {
  type EventSubject,
  type StoredEvent,
  type SubjectOf,
  spaceOf,
  type WebhookEvent,
} from '../../core/webhooks/event.ts';
import { type EventType, eventTypeTable } from '../../core/webhooks/event-types.ts';
import { includedParts } from '../../core/webhooks/included.ts';
import { pascalCase } from '../operation-names.ts';
import {
  idSchema,
  nullableText,
  spaceId,
  text,
  timestampOf,
  timestampOrNull,
  timestampSchema,
} from '../schemas.ts';
import { preparationSchema, presentPreparation } from './attachment.ts';
import { cancellationFields, draftFields } from './email.ts';
import {
  addresses,
  bareAddressText,
  category,
  fileFields,
  headerSchema,
  keyText,
  mailboxAddress,
  mailboxAppId,
  messageId,
  provider,
  snippet,
  subject,
  suppressionKey,
  suppressionScope,
  threadFields,
  visitorFields,
} from './fields.ts';
import { presentSignals, signalsSchema } from './signal.ts';
import { presentVerdicts, verdictsSchema, wireMessageIdsSchema } from './transmission.ts';

const attachmentSchema = z
  .strictObject({
    ...fileFields,
    preparation: preparationSchema
      .nullable()
      .describe('The extracted text; null where it was not ready when the event was made.'),
  })
  .meta({ id: 'EventAttachment', description: 'A file of the email; the API has a link to it.' });

/** Bounds the size of a webhook body; the API returns all attachments. */
const attachmentsMax = 100;

const source = {
  email_id: idSchema('eml'),
  domain_id: idSchema('dom')
    .nullable()
    .describe('The domain that the email was sent from or received at; null: a mailbox was.'),
  mailbox_id: idSchema('mbx')
    .nullable()
    .meta({
      examples: [null],
      description: 'The mailbox that the email was sent from or received at; null: a domain was.',
    }),
};
const email = { ...source, thread_id: idSchema('thr'), message_id: messageId };
const outbound = { ...email, suppression_key: suppressionKey };
const message = {
  from: text('support@acme.dev', bareAddressText),
  subject,
  snippet,
  attachments: z
    .array(attachmentSchema)
    .describe(`The first ${attachmentsMax} files; \`GET /emails/{email_id}\` has all.`),
};
const recipients = addresses('The recipients that the event is about.');

const mailbox = { mailbox_id: idSchema('mbx'), address: mailboxAddress, provider };
const lostMailbox = {
  ...mailbox,
  reason: nullableText(
    'Google answered 400 (invalid_grant).',
    'What the provider answered, for people; null: nothing.',
  ),
};
const domain = {
  domain_id: idSchema('dom'),
  name: text('acme.dev', 'ASCII form (RFC 5891); a wildcard begins with `*.`.'),
  region: text('us-east-1', 'The AWS Region that sends and receives its mail.'),
};

const envelope = {
  id: idSchema('evt').describe('Stable across retries and replays; use it to deduplicate.'),
  created_at: timestampSchema.describe('When the event happened; order events by it.'),
  space_id: spaceId,
};

/** What several types of events have. */
export const eventFields = { envelope, source, email, outbound, message, mailbox, lostMailbox, domain };

/** The body of events of a type: its schema, whose parts have the values of the example, and the builder of its `data`. */
interface EventBody<Type extends EventType> {
  readonly schema: z.ZodObject<{ type: z.ZodLiteral<Type>; data: z.ZodObject }>;
  present(subject: SubjectOf<Type>): object;
}

function bodyOf<Type extends EventType, Fields extends z.core.$ZodShape>(
  type: Type,
  fields: Fields,
  present: (subject: SubjectOf<Type>) => z.input<z.ZodObject<Fields, z.core.$strict>>,
) {
  const name = pascalCase(type);
  const { summary } = eventTypeTable[type];
  const schema = z
    .strictObject({
      ...envelope,
      type: z.literal(type).describe('Decides what `data` has.'),
      data: z.strictObject(fields).meta({
        id: `${name}Data`,
        description: `The \`data\` of \`${type}\`.`,
      }),
    })
    .meta({ id: `${name}Event`, description: summary });
  return { schema, present };
}

const reasonText =
  "The mail provider's or receiving server's words, for people; `unknown` where it gave none.";

/** Of webhooks of endpoints that include content; events in the log have none. */
const includedFields = {
  text: nullableText(
    'It is on its way.',
    'Plain text of the email; only where the endpoint includes `text`.',
  ).optional(),
  stripped_text: nullableText(
    'It is on its way.',
    'What its author wrote, without quotes and signature; only where the endpoint includes `stripped_text`.',
  ).optional(),
  headers: z
    .array(headerSchema)
    .optional()
    .describe('Its headers in order; only where the endpoint includes `headers`.'),
  truncated: z
    .array(z.enum(includedParts))
    .optional()
    .meta({
      examples: [[]],
      description: 'The included parts that were cut at 64 KB; `GET /emails/{email_id}` has all.',
    }),
};

/** The body of each event type. */
export const eventBodies = {
  'email.received': bodyOf(
    'email.received',
    {
      ...email,
      ...message,
      to: addresses('The envelope recipients, which the headers need not name.'),
      category: category.meta({ examples: ['human'] }),
      verdicts: verdictsSchema,
      signals: signalsSchema,
      ...includedFields,
    },
    ({ email }) => ({
      ...presentEmail(email),
      ...presentMessage(email),
      to: envelopeRecipients(email),
      category: email.head.category,
      verdicts: presentVerdicts(email.content.verdicts),
      signals: presentSignals(email.content.signals),
    }),
  ),
  'email.blocked': bodyOf(
    'email.blocked',
    {
      blocked_email_id: idSchema('blk').describe(
        'Accepts the message: `POST /blocked-emails/{blocked_email_id}/accept`.',
      ),
      from: text('eve@spam.example', bareAddressText),
      to: addresses('The envelope recipients that the message did not reach.'),
      subject,
      rule_id: idSchema('rul')
        .nullable()
        .describe('The rule that blocked it; null: no `allow` rule of the scope matched.'),
    },
    ({ blocked }) => ({
      blocked_email_id: blocked.id,
      from: blocked.from,
      to: [...blocked.to],
      subject: blocked.subject,
      rule_id: blocked.ruleId,
    }),
  ),
  'email.sent': bodyOf(
    'email.sent',
    {
      ...outbound,
      ...message,
      to: addresses('Recipients of the To header, suppressed ones included.'),
      wire_message_ids: wireMessageIdsSchema,
    },
    ({ email }) => ({
      ...presentOutbound(email),
      ...presentMessage(email),
      to: headerRecipients(email),
      wire_message_ids: wireMessageIds(email.history),
    }),
  ),
  'email.delivered': bodyOf('email.delivered', { ...outbound, recipients }, ({ email, entry }) => ({
    ...presentOutbound(email),
    recipients: recipientsOf(entry),
  })),
  'email.bounced': bodyOf(
    'email.bounced',
    {
      ...outbound,
      recipients,
      permanent: z
        .boolean()
        .describe(
          '`true`: the address itself takes no mail, and is suppressed; `false`: a later email may arrive.',
        ),
      reason: text('550 5.1.1 user unknown', reasonText),
    },
    ({ email, entry }) => ({
      ...presentOutbound(email),
      recipients: recipientsOf(entry),
      permanent: entry?.permanent ?? false,
      reason: entry?.detail ?? 'unknown',
    }),
  ),
  'email.complained': bodyOf(
    'email.complained',
    {
      ...outbound,
      recipients,
      reason: nullableText(
        'abuse',
        'Type of the feedback, in the words of the mail provider; null: it gave none.',
      ),
    },
    ({ email, entry }) => ({
      ...presentOutbound(email),
      recipients: recipientsOf(entry),
      reason: entry?.detail ?? null,
    }),
  ),
  'email.failed': bodyOf(
    'email.failed',
    { ...outbound, reason: text('Email address is not verified.', reasonText) },
    ({ email, entry }) => ({
      ...presentOutbound(email),
      reason: (entry ?? lastRefusal(email))?.detail ?? 'unknown',
    }),
  ),
  'email.opened': bodyOf('email.opened', { ...outbound, ...visitorFields }, ({ email, engagement }) => ({
    ...presentOutbound(email),
    ...presentEngagement(engagement),
  })),
  'email.clicked': bodyOf(
    'email.clicked',
    {
      ...outbound,
      url: text('https://acme.dev/orders/4711', 'The target of the link, as it was in the sent html.'),
      ...visitorFields,
    },
    ({ email, engagement }) => ({
      ...presentOutbound(email),
      url: engagement?.url ?? '',
      ...presentEngagement(engagement),
    }),
  ),
  'email.unsubscribed': bodyOf(
    'email.unsubscribed',
    {
      ...source,
      address: text('anna@example.com', 'The address that is now suppressed.'),
      key: text('*', keyText),
      scope: suppressionScope,
      source: z
        .enum(['link', 'one_click', 'reply'])
        .describe(
          '`link`: on the page of the link; `one_click`: the button of a mail program; `reply`: by mail.',
        ),
    },
    ({ email: { head }, entry }) => ({
      email_id: head.id,
      domain_id: head.domainId,
      mailbox_id: head.mailboxId,
      address: entry?.recipients[0] ?? '',
      key: head.suppressionKey ?? allKeys,
      scope: entry?.optOut?.scope ?? 'all',
      source: entry?.optOut?.source ?? 'link',
    }),
  ),
  'email.drafted': bodyOf(
    'email.drafted',
    {
      ...outbound,
      ...message,
      to: addresses('Recipients of the To header.'),
      version: draftFields.version,
      drafted_by: draftFields.drafted_by,
      expires_at: timestampSchema.nullable().describe('When it is canceled without an approval.'),
    },
    ({ email }) => ({
      ...presentOutbound(email),
      ...presentMessage(email),
      to: headerRecipients(email),
      version: email.head.draft?.version ?? 1,
      drafted_by: email.head.draft?.draftedBy ?? null,
      expires_at: timestampOrNull(email.head.draft?.expiresAt ?? null),
    }),
  ),
  'email.approved': bodyOf(
    'email.approved',
    {
      ...outbound,
      ...message,
      to: addresses('Recipients of the To header, suppressed ones included.'),
      version: draftFields.version,
      drafted_by: draftFields.drafted_by,
      approved_by: draftFields.approved_by,
    },
    ({ email }) => ({
      ...presentOutbound(email),
      ...presentMessage(email),
      to: headerRecipients(email),
      version: email.head.draft?.version ?? 1,
      drafted_by: email.head.draft?.draftedBy ?? null,
      approved_by: email.head.draft?.approvedBy ?? null,
    }),
  ),
  'email.canceled': bodyOf('email.canceled', { ...outbound, ...cancellationFields }, ({ email }) => {
    const { reason = 'request', by = null, byEmailId = null } = email.head.cancellation ?? {};
    return { ...presentOutbound(email), reason, by, by_email_id: byEmailId };
  }),
  'thread.created': bodyOf(
    'thread.created',
    {
      thread_id: idSchema('thr'),
      ...threadFields,
    },
    ({ thread: { id, subject, mailbox, forwardOf } }) => ({
      thread_id: id,
      subject,
      mailbox,
      forward_of: forwardOf,
    }),
  ),
  'domain.verified': bodyOf('domain.verified', domain, presentDomain),
  'domain.lost': bodyOf('domain.lost', domain, presentDomain),
  'mailbox.connected': bodyOf(
    'mailbox.connected',
    {
      ...mailbox,
      app_id: mailboxAppId,
      ref: nullableText('user-4711', 'The `ref` of the connection; null: it had none.'),
      reconnected: z
        .boolean()
        .meta({ examples: [false], description: 'Whether the mailbox was connected before.' }),
    },
    ({ mailbox, connection }) => ({
      ...presentMailbox(mailbox),
      app_id: mailbox.appId,
      ref: mailbox.ref,
      reconnected: (connection ?? mailbox.connections) > 1,
    }),
  ),
  'mailbox.needs_reauth': bodyOf('mailbox.needs_reauth', lostMailbox, presentLost),
  'mailbox.disconnected': bodyOf('mailbox.disconnected', lostMailbox, presentLost),
} as const satisfies { readonly [Type in EventType]: EventBody<Type> };

const [first, ...others] = Object.values(eventBodies).map(({ schema }) => schema);
if (!first) throw new Error('there are no event types');
export const eventSchema = z.discriminatedUnion('type', [first, ...others]).meta({
  id: 'Event',
  description:
    'Something that happened; `type` decides what `data` has. Webhooks post it, and `GET /events` lists it.',
});

/** The envelope of a stored event. */
export function presentStoredEvent({ body }: StoredEvent): z.input<typeof eventSchema> {
  return JSON.parse(body);
}

/** Builds the webhook body of an event. @throws Error where the type has another kind of subject */
export function presentEvent({ id, type, at, subject }: WebhookEvent) {
  return {
    id,
    type,
    created_at: timestampOf(at),
    space_id: spaceOf(subject),
    data: dataOf(type, subject),
  };
}

function dataOf<Type extends EventType>(type: Type, subject: EventSubject): object {
  const bodies: { readonly [Each in EventType]: EventBody<Each> } = eventBodies;
  if (!isSubjectOf(type, subject)) throw new Error(`${type} is not an event of a ${subject.kind}`);
  return bodies[type].present(subject);
}

function isSubjectOf<Type extends EventType>(type: Type, subject: EventSubject): subject is SubjectOf<Type> {
  return eventTypeTable[type].subject === subject.kind;
}

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

function envelopeRecipients(email: FullEmail): string[] {
  return [...(email.content.envelope ?? headerRecipients(email))];
}

function headerRecipients({ head, content }: FullEmail): string[] {
  return (content.to ?? head.to).map(({ address }) => address);
}

const recipientsOf = (entry: HistoryEntry | null): string[] => [...(entry?.recipients ?? [])];

/** An `email.failed` event for all recipients names no history entry; the last refusal has the reason. */
function lastRefusal({ history }: FullEmail): HistoryEntry | null {
  return history.findLast(({ type }) => type === 'failed' || type === 'rejected') ?? null;
}

function presentDomain({ domain }: SubjectOf<'domain.verified'>) {
  return { domain_id: domain.id, name: displayName(domain), region: domain.region };
}

function presentLost({ mailbox }: SubjectOf<'mailbox.disconnected'>) {
  return { ...presentMailbox(mailbox), reason: mailbox.stateReason };
}

function presentMailbox({ id, address, provider }: Mailbox) {
  return { mailbox_id: id, address, provider };
}
