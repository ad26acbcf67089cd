/** The event types that endpoints subscribe to (docs/concepts/webhooks.md#event-types), each named after its subject. */
export const eventTypes = [
  'email.received',
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.failed',
  'email.opened',
  'email.clicked',
  'email.unsubscribed',
  'thread.created',
  'domain.verified',
  'domain.lost',
  'mailbox.connected',
  'mailbox.needs_reauth',
  'mailbox.disconnected',
] as const;

export type EventType = (typeof eventTypes)[number];
