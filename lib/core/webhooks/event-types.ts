/** The event types that endpoints subscribe to, each with its subject (docs/concepts/webhooks.md#event-types). */

export const eventTable = {
  'email.received': { subject: 'email', summary: 'A message was received.' },
  'email.sent': { subject: 'email', summary: 'SES accepted a message.' },
  'email.delivered': { subject: 'email', summary: 'A receiving server accepted a message.' },
  'email.bounced': { subject: 'email', summary: 'Delivery failed for at least one recipient.' },
  'email.complained': { subject: 'email', summary: 'A recipient reported a message as spam.' },
  'email.failed': { subject: 'email', summary: 'A message was refused before delivery.' },
  'email.opened': { subject: 'email', summary: 'A tracked message was opened.' },
  'email.clicked': { subject: 'email', summary: 'A tracked link was followed.' },
  'email.unsubscribed': { subject: 'email', summary: 'A recipient opted out.' },
  'thread.created': { subject: 'thread', summary: 'A thread was created.' },
  'domain.verified': { subject: 'domain', summary: "A domain's DKIM record was found." },
  'domain.lost': { subject: 'domain', summary: 'The DKIM record of a verified domain is missing.' },
  'mailbox.connected': { subject: 'mailbox', summary: 'A mailbox was connected or reconnected.' },
  'mailbox.needs_reauth': { subject: 'mailbox', summary: 'A mailbox needs to be reconnected.' },
  'mailbox.disconnected': { subject: 'mailbox', summary: 'A mailbox was disconnected.' },
} as const satisfies Record<string, { subject: 'email' | 'thread' | 'domain' | 'mailbox'; summary: string }>;

export type EventType = keyof typeof eventTable;

/** Every type, in the order of the table. */
export const eventTypes = Object.keys(eventTable) as EventType[];
