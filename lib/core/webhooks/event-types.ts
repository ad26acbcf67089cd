/** The event types: one row for each (docs/concepts/webhooks.md#event-types). Its body is in lib/http/presenters/events.ts. */

interface EventTypeRow {
  /** What events of the type are about. */
  readonly subject: 'email' | 'blocked' | 'thread' | 'domain' | 'mailbox';
  /** When the event is sent, in a sentence. */
  readonly summary: string;
  /** The section that describes what the event reports. */
  readonly documentation: `docs/concepts/${string}.md#${string}`;
  /** Its name in format `v1`; null: the format does not have it. */
  readonly v1Name: string | null;
}

const lifecycle = 'docs/concepts/email-lifecycle.md#transitions';
const mailboxEvents = 'docs/concepts/mailboxes.md#mailbox-events';

export const eventTypeTable = {
  'email.received': {
    subject: 'email',
    summary: 'A message was received.',
    documentation: lifecycle,
    v1Name: 'inbound.email.received',
  },
  'email.blocked': {
    subject: 'blocked',
    summary: 'An inbound rule blocked a message.',
    documentation: 'docs/concepts/inbound-rules.md#blocked-mail',
    v1Name: null,
  },
  'email.sent': {
    subject: 'email',
    summary: 'SES accepted a message.',
    documentation: lifecycle,
    v1Name: null,
  },
  'email.delivered': {
    subject: 'email',
    summary: 'A receiving server accepted a message.',
    documentation: lifecycle,
    v1Name: 'outbound.email.delivered',
  },
  'email.bounced': {
    subject: 'email',
    summary: 'Delivery failed for at least one recipient.',
    documentation: lifecycle,
    v1Name: 'outbound.email.bounced',
  },
  'email.complained': {
    subject: 'email',
    summary: 'A recipient reported a message as spam.',
    documentation: lifecycle,
    v1Name: 'outbound.email.complained',
  },
  'email.failed': {
    subject: 'email',
    summary: 'A message was refused before delivery.',
    documentation: lifecycle,
    v1Name: 'outbound.email.rejected',
  },
  'email.opened': {
    subject: 'email',
    summary: 'A tracked message was opened.',
    documentation: 'docs/concepts/tracking.md#what-is-recorded',
    v1Name: 'outbound.email.opened',
  },
  'email.clicked': {
    subject: 'email',
    summary: 'A tracked link was followed.',
    documentation: 'docs/concepts/tracking.md#what-is-recorded',
    v1Name: 'outbound.email.link_clicked',
  },
  'email.unsubscribed': {
    subject: 'email',
    summary: 'A recipient opted out.',
    documentation: 'docs/concepts/suppressions.md#the-emailunsubscribed-event',
    v1Name: null,
  },
  'email.drafted': {
    subject: 'email',
    summary: 'A draft was stored.',
    documentation: 'docs/concepts/drafts.md#events',
    v1Name: null,
  },
  'email.approved': {
    subject: 'email',
    summary: 'A draft was approved.',
    documentation: 'docs/concepts/drafts.md#events',
    v1Name: null,
  },
  'email.canceled': {
    subject: 'email',
    summary: 'A scheduled email was canceled, or a draft ended without approval.',
    documentation: 'docs/concepts/drafts.md#events',
    v1Name: null,
  },
  'thread.created': {
    subject: 'thread',
    summary: 'A thread was created.',
    documentation: 'docs/concepts/threads.md#threads',
    v1Name: null,
  },
  'domain.verified': {
    subject: 'domain',
    summary: "A domain's DKIM record was found.",
    documentation: 'docs/concepts/domains.md#verification',
    v1Name: null,
  },
  'domain.lost': {
    subject: 'domain',
    summary: 'The DKIM record of a verified domain is missing.',
    documentation: 'docs/concepts/domains.md#loss-of-a-domain',
    v1Name: null,
  },
  'mailbox.connected': {
    subject: 'mailbox',
    summary: 'A mailbox was connected or reconnected.',
    documentation: mailboxEvents,
    v1Name: null,
  },
  'mailbox.needs_reauth': {
    subject: 'mailbox',
    summary: 'A mailbox needs to be reconnected.',
    documentation: mailboxEvents,
    v1Name: null,
  },
  'mailbox.disconnected': {
    subject: 'mailbox',
    summary: 'A mailbox was disconnected.',
    documentation: mailboxEvents,
    v1Name: null,
  },
} as const satisfies Readonly<Record<string, EventTypeRow>>;

export type EventType = keyof typeof eventTypeTable;
export const eventTypes = Object.keys(eventTypeTable) as EventType[];

/** Types that the previous release does not know. */
const newTypes: ReadonlySet<EventType> = new Set([
  'email.blocked',
  'email.drafted',
  'email.approved',
  'email.canceled',
]);
export const isNewType = (type: EventType): boolean => newTypes.has(type);
/** The type as which the previous release reads an event; the body of the event has its own. */
export const olderType = (type: EventType): EventType => (isNewType(type) ? 'email.sent' : type);

/** What events of a type are about. */
export type SubjectKindOf<Type extends EventType> = (typeof eventTypeTable)[Type]['subject'];
