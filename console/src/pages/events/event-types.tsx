/** Event types as people choose them, and what an event is about in a line. */
import type { Event, EventType } from 'parley-client';
import type { Tone } from '../../kit/badge.tsx';

/** Every type, in the order of the API's documentation. */
const tones: Readonly<Record<EventType, Tone>> = {
  'email.received': 'accent',
  'email.sent': 'neutral',
  'email.delivered': 'good',
  'email.bounced': 'bad',
  'email.complained': 'bad',
  'email.blocked': 'warn',
  'email.failed': 'bad',
  'email.opened': 'neutral',
  'email.clicked': 'neutral',
  'email.unsubscribed': 'warn',
  'email.drafted': 'neutral',
  'email.approved': 'neutral',
  'email.canceled': 'warn',
  'thread.created': 'neutral',
  'domain.verified': 'good',
  'domain.lost': 'bad',
  'mailbox.connected': 'good',
  'mailbox.needs_reauth': 'warn',
  'mailbox.disconnected': 'warn',
};

export const eventTypes = Object.keys(tones) as EventType[];

/** Of a newer release's types, too. */
export const toneOfEvent = (type: EventType): Tone => tones[type] ?? 'neutral';

/** A field of the data of any type. */
function field(data: object, name: string): unknown {
  return (data as Readonly<Record<string, unknown>>)[name];
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ');
  if (value !== null && typeof value === 'object') {
    const { name, address } = value as { name?: unknown; address?: unknown };
    return [name, typeof address === 'string' ? `<${address}>` : ''].filter(Boolean).join(' ');
  }
  return '';
}

/** What an event is about: subject, addresses, name. */
export function aboutEvent({ data }: Pick<Event, 'data'>): string {
  const parts = ['subject', 'from', 'to', 'recipients', 'recipient', 'name', 'address', 'reason', 'url'].map(
    (name) => textOf(field(data, name)),
  );
  return parts.filter(Boolean).join(' · ');
}

/** The conversation that an event belongs to, where it has one. */
export function threadOfEvent({ data }: Pick<Event, 'data'>): string | null {
  const id = field(data, 'thread_id') ?? (field(data, 'object') === 'thread' ? field(data, 'id') : undefined);
  return typeof id === 'string' ? id : null;
}
