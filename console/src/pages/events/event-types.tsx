/** Event types as people choose them, and what an event is about in a line. */
import type { Event, EventType } from 'parley-client';
import type { Tone } from '../../kit/badge.tsx';

/** In the order of the API's documentation. */
export const eventTypes: readonly EventType[] = [
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
];

const bad: ReadonlySet<string> = new Set([
  'email.bounced',
  'email.complained',
  'email.failed',
  'domain.lost',
]);
const good: ReadonlySet<string> = new Set(['email.delivered', 'domain.verified', 'mailbox.connected']);
const warn: ReadonlySet<string> = new Set([
  'email.unsubscribed',
  'mailbox.needs_reauth',
  'mailbox.disconnected',
]);

export function toneOfEvent(type: string): Tone {
  if (bad.has(type)) return 'bad';
  if (good.has(type)) return 'good';
  if (warn.has(type)) return 'warn';
  return type === 'email.received' ? 'accent' : 'neutral';
}

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
