/** The event types that endpoints subscribe to, each with its subject (docs/concepts/webhooks.md#event-types). */

export const eventTable = {
  'email.received': { subject: 'email', summary: 'A message came in.' },
  'email.sent': { subject: 'email', summary: 'The provider took a message over.' },
  'email.delivered': { subject: 'email', summary: 'A receiving server accepted a message.' },
  'email.bounced': { subject: 'email', summary: 'Delivery failed for at least one recipient.' },
  'email.complained': { subject: 'email', summary: 'A recipient reported a message as spam.' },
  'email.failed': { subject: 'email', summary: 'A message was refused before delivery.' },
  'email.opened': { subject: 'email', summary: 'A tracked message was opened.' },
  'email.clicked': { subject: 'email', summary: 'A tracked link was followed.' },
  'email.unsubscribed': { subject: 'email', summary: 'A recipient opted out.' },
  'thread.created': { subject: 'thread', summary: 'A conversation began.' },
  'domain.verified': { subject: 'domain', summary: "A domain's DKIM record was found." },
  'domain.lost': { subject: 'domain', summary: "A verified domain's DKIM record is gone." },
  'mailbox.connected': { subject: 'mailbox', summary: 'A mailbox was connected, or connected again.' },
  'mailbox.needs_reauth': { subject: 'mailbox', summary: 'A mailbox has to be connected again.' },
  'mailbox.disconnected': { subject: 'mailbox', summary: 'A mailbox is gone.' },
} as const satisfies Record<string, { subject: 'email' | 'thread' | 'domain' | 'mailbox'; summary: string }>;

export type EventType = keyof typeof eventTable;

/** Every type, in the order of the table. */
export const eventTypes = Object.keys(eventTable) as EventType[];
