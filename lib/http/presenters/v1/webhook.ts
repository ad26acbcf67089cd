/** Bodies of webhooks of format `v1`, built when they are sent (docs/concepts/webhooks.md#format-v1). */
import * as z from 'zod';
import { bounceTypes, type HistoryEntry, type RecipientFacts } from '../../../core/emails/email.ts';
import type { Engagement } from '../../../core/tracking/engagement.ts';
import type { Endpoint } from '../../../core/webhooks/endpoint.ts';
import { eventTypeTable } from '../../../core/webhooks/event-types.ts';
import { type V1EventType, v1EventNameAt } from '../../../core/webhooks/v1-format.ts';
import type { V1Event } from '../../../services/webhooks/load-v1-event.ts';
import { count, idSchema, optionalText, text, timestampOf, timestampSchema } from '../../schemas.ts';
import { addresses } from '../fields.ts';
import { presentV1Email, v1EmailSchema } from './email.ts';
import { v1MessageId } from './fields.ts';
import { optional } from './optional.ts';

const record = {
  email: v1EmailSchema,
  organization: z
    .strictObject({ id: idSchema('wks'), slug: text('acme', 'Short name that the operator gave it.') })
    .meta({
      id: 'V1Organization',
      description: 'The workspace of the email, which version 1 calls an organization.',
    }),
};
const outbound = {
  messageId: v1MessageId,
  emailId: idSchema('eml'),
};
const recipients = addresses('The recipients that the event is about.');
const userAgent = optionalText(
  'Mozilla/5.0',
  'The User-Agent header of the request; absent where it had none.',
);

const bouncedRecipientSchema = z
  .strictObject({
    emailAddress: text('anna@example.com', 'Address to which delivery failed.'),
    action: optionalText('failed', 'Action of the delivery report (RFC 3464), such as `failed`.'),
    status: optionalText('5.1.1', 'Enhanced status code (RFC 3463); absent where the report has none.'),
    diagnosticCode: optionalText(
      '550 5.1.1 user unknown',
      "The receiving server's words; absent where the report has none.",
    ),
  })
  .meta({ id: 'V1BouncedRecipient', description: 'A recipient to which delivery failed, and why.' });

function bodyOf<Type extends V1EventType, Facts extends z.core.$ZodShape>(
  type: Type,
  facts: Facts,
  present: (event: V1Event) => z.input<z.ZodObject<Facts, z.core.$strict>>,
) {
  // Such as `EmailReceived`.
  const name = type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { summary, v1Name } = eventTypeTable[type];
  const schema = z
    .strictObject({
      event:
        type === 'email.clicked'
          ? z.enum(['outbound.email.link_clicked', 'outbound.email.clicked']).meta({
              description: `${summary} Which of the two names is sent, \`click_event\` of the endpoint decides.`,
            })
          : z.literal(v1Name).describe(summary),
      data: z
        .strictObject({ ...record, ...facts })
        .meta({ id: `V1${name}Data`, description: `The records of \`${v1Name}\`, and what it reports.` }),
      attempt: z
        .int()
        .min(1)
        .meta({ examples: [1], description: 'Consecutive failures of the endpoint plus 1.' }),
      timestamp: count(1769860801, 'Unix seconds of sending, as in the header of the signature.'),
    })
    .meta({ id: `V1${name}`, description: `The event \`${v1Name}\`: ${summary}` });
  return { schema, present };
}

/** The body of each event: its schema, and the builder of what its `data` has beside the records. */
export const v1WebhookBodies = {
  'email.received': bodyOf('email.received', {}, () => ({})),
  'email.delivered': bodyOf(
    'email.delivered',
    {
      ...outbound,
      deliveredAt: timestampSchema.describe('When the receiving server accepted the message.'),
      recipients,
      processingTimeMs: z
        .number()
        .optional()
        .meta({
          examples: [546],
          description:
            'Milliseconds from the acceptance by Amazon SES to the delivery; absent where unknown.',
        }),
      remoteMtaIp: optionalText('192.0.2.10', 'IP address of the receiving server; absent where unknown.'),
      smtpResponse: optionalText('250 2.0.0 OK', "The receiving server's answer; absent where unknown."),
    },
    ({ email, entry, at }) => ({
      ...idsOf(email),
      deliveredAt: timestampOf(at),
      recipients: recipientsOf(entry),
      ...optional('processingTimeMs', entry?.facts?.processingTimeMs),
      ...optional('remoteMtaIp', entry?.facts?.remoteMtaIp),
      ...optional('smtpResponse', entry?.detail),
    }),
  ),
  'email.bounced': bodyOf(
    'email.bounced',
    {
      ...outbound,
      bouncedAt: timestampSchema.describe('When the failure was reported.'),
      bounceType: z
        .enum(bounceTypes)
        .describe(
          '`Permanent`: the address takes no mail, and is suppressed; `Transient`: a later email may arrive.',
        ),
      bounceSubType: optionalText(
        'General',
        'Kind of failure in the words of Amazon SES; absent where unknown.',
      ),
      recipients: z.array(bouncedRecipientSchema).describe('The recipients to which delivery failed.'),
    },
    ({ email, entry, at }) => ({
      ...idsOf(email),
      bouncedAt: timestampOf(at),
      bounceType: bounceTypeOf(entry),
      ...optional('bounceSubType', entry?.facts?.bounceSubType),
      recipients: bouncedRecipientsOf(entry),
    }),
  ),
  'email.complained': bodyOf(
    'email.complained',
    {
      ...outbound,
      complainedAt: timestampSchema.describe('When the report of spam was received.'),
      recipients,
      complaintFeedbackType: optionalText(
        'abuse',
        'Type of the report (RFC 5965); absent where it has none.',
      ),
      feedbackId: optionalText(
        '01000192a3b4c5d6-18293a4b-000000',
        'Id that Amazon SES gave the report; absent where it came as mail.',
      ),
      userAgent: optionalText(
        'Yahoo!-Mail-Feedback/2.0',
        'Program that made the report; absent where it names none.',
      ),
    },
    ({ email, entry, at }) => ({
      ...idsOf(email),
      complainedAt: timestampOf(at),
      recipients: recipientsOf(entry),
      ...optional('complaintFeedbackType', entry?.detail),
      ...optional('feedbackId', entry?.facts?.feedbackId),
      ...optional('userAgent', entry?.facts?.userAgent),
    }),
  ),
  'email.failed': bodyOf(
    'email.failed',
    {
      ...outbound,
      rejectedAt: timestampSchema.describe('When the message was refused.'),
      reason: optionalText('Bad content', "The mail provider's words; absent where it gave none."),
    },
    ({ email, entry, at }) => {
      const refusal = entry ?? email.history.findLast(({ type }) => type === 'failed' || type === 'rejected');
      return { ...idsOf(email), rejectedAt: timestampOf(at), ...optional('reason', refusal?.detail) };
    },
  ),
  'email.opened': bodyOf(
    'email.opened',
    { ...outbound, openedAt: timestampSchema.describe('When the pixel was loaded.'), userAgent },
    ({ email, engagement, at }) => ({
      ...idsOf(email),
      openedAt: timestampOf(at),
      ...optional('userAgent', engagement?.userAgent),
    }),
  ),
  'email.clicked': bodyOf(
    'email.clicked',
    {
      ...outbound,
      clickedAt: timestampSchema.describe('When the link was followed.'),
      link: text('https://acme.dev/orders/4711', 'The target of the link, as it was in the sent html.'),
      linkDomain: optionalText('acme.dev', 'Host of `link`; absent where it has none.'),
      userAgent,
    },
    ({ email, engagement, at }) => ({
      ...idsOf(email),
      clickedAt: timestampOf(at),
      ...linkOf(engagement),
      ...optional('userAgent', engagement?.userAgent),
    }),
  ),
} as const satisfies Readonly<Record<V1EventType, object>>;

/** The JSON Schema of all bodies. */
export function v1WebhookJsonSchema(): { $schema: 'https://json-schema.org/draft/2020-12/schema' } {
  const bodies = z.union(Object.values(v1WebhookBodies).map(({ schema }) => schema));
  const schema = z.toJSONSchema(bodies, { io: 'input', unrepresentable: 'any' });
  return { ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' };
}

/**
 * The body of an attempt.
 *
 * @param attempt.clickEvent of the endpoint
 * @param attempt.number consecutive failures of the endpoint plus 1
 * @param attempt.atMs when it is sent
 */
export function presentV1Webhook(
  event: V1Event,
  attempt: Pick<Endpoint, 'clickEvent'> & { readonly number: number; readonly atMs: number },
): object {
  const { type, organization } = event;
  return {
    event: v1EventNameAt(type, attempt),
    data: {
      email: presentV1Email(event, attempt.atMs),
      organization: { id: organization.id, slug: organization.slug },
      ...v1WebhookBodies[type].present(event),
    },
    attempt: attempt.number,
    timestamp: Math.floor(attempt.atMs / 1000),
  };
}

/** Enhanced status codes (RFC 3463, 2). */
const enhancedStatus = /\b[245]\.\d{1,3}\.\d{1,3}\b/;

const idsOf = ({ head }: V1Event['email']) => ({ messageId: head.messageId, emailId: head.id });
const recipientsOf = (entry: HistoryEntry | null): string[] => [...(entry?.recipients ?? [])];

function bounceTypeOf(entry: HistoryEntry | null): (typeof bounceTypes)[number] {
  if (entry?.facts?.bounceType) return entry.facts.bounceType;
  if (entry?.permanent === undefined) return 'Undetermined';
  return entry.permanent ? 'Permanent' : 'Transient';
}

function bouncedRecipientsOf(entry: HistoryEntry | null): z.input<typeof bouncedRecipientSchema>[] {
  const { detail, facts, recipients } = entry ?? { detail: null, recipients: [] };
  return recipients.map((emailAddress, at) => {
    // A report without facts has one text for all recipients.
    const reported = facts?.recipients?.[at] ?? { action: 'failed', diagnosticCode: detail ?? undefined };
    const { action, status, diagnosticCode }: RecipientFacts = reported;
    return {
      emailAddress,
      ...optional('action', action),
      ...optional('status', status ?? enhancedStatus.exec(diagnosticCode ?? '')?.[0]),
      ...optional('diagnosticCode', diagnosticCode),
    };
  });
}

function linkOf(engagement: Engagement | null) {
  const link = engagement?.url ?? '';
  return { link, ...optional('linkDomain', URL.parse(link)?.hostname) };
}
