/** When each event is sent, in a sentence; apart from the types, which every function that reads queue messages loads. */
import type { EventType } from './event-types.ts';

export const eventSummaries: Readonly<Record<EventType, string>> = {
  'email.received': 'A message was received.',
  'email.sent': 'SES accepted a message.',
  'email.delivered': 'A receiving server accepted a message.',
  'email.bounced': 'Delivery failed for at least one recipient.',
  'email.complained': 'A recipient reported a message as spam.',
  'email.failed': 'A message was refused before delivery.',
  'email.opened': 'A tracked message was opened.',
  'email.clicked': 'A tracked link was followed.',
  'email.unsubscribed': 'A recipient opted out.',
  'thread.created': 'A thread was created.',
  'domain.verified': "A domain's DKIM record was found.",
  'domain.lost': 'The DKIM record of a verified domain is missing.',
  'mailbox.connected': 'A mailbox was connected or reconnected.',
  'mailbox.needs_reauth': 'A mailbox needs to be reconnected.',
  'mailbox.disconnected': 'A mailbox was disconnected.',
};
