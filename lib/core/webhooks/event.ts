/** Events: what they are about, and as they are stored, once each (docs/concepts/webhooks.md#envelope). */
import type { SendingDomain } from '../domains/sending-domain.ts';
import type { FullEmail, HistoryEntry } from '../emails/email.ts';
import { composeId, type EventId, idTime, type SpaceId } from '../ids.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import type { EventSubjectRef } from '../queue-messages.ts';
import type { BlockedEmail } from '../receiving/inbound-rules.ts';
import type { Thread } from '../threads/thread.ts';
import type { Engagement } from '../tracking/engagement.ts';
import type { EventType, SubjectKindOf } from './event-types.ts';

/** The record that an event is about. */
export type EventSubject =
  | {
      readonly kind: 'email';
      readonly email: FullEmail;
      /** The history entry of the event. */
      readonly entry: HistoryEntry | null;
      /** The open or click of the event. */
      readonly engagement: Engagement | null;
    }
  | { readonly kind: 'thread'; readonly thread: Thread }
  | { readonly kind: 'blocked'; readonly blocked: BlockedEmail }
  | { readonly kind: 'domain'; readonly domain: SendingDomain }
  | {
      readonly kind: 'mailbox';
      readonly mailbox: Mailbox;
      /** Number of the connection that the event reports, from 1; null: it reports none. */
      readonly connection: number | null;
    };

/** The record that events of a type are about. */
export type SubjectOf<Type extends EventType> = Extract<EventSubject, { kind: SubjectKindOf<Type> }>;

/** An event with its subject. */
export interface WebhookEvent {
  readonly id: EventId;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly at: number;
  readonly subject: EventSubject;
}

/** The space of an event's subject; null is the workspace. */
export function spaceOf(subject: EventSubject): SpaceId | null {
  switch (subject.kind) {
    case 'email':
      return subject.email.head.spaceId;
    case 'thread':
      return subject.thread.spaceId;
    case 'blocked':
      return subject.blocked.spaceId;
    case 'domain':
      return subject.domain.spaceId;
    case 'mailbox':
      return subject.mailbox.spaceId;
  }
}

/** An event with the envelope that endpoints receive. */
export interface StoredEvent {
  readonly id: EventId;
  readonly type: EventType;
  /** When it happened; Unix milliseconds. */
  readonly createdAt: number;
  /** The space of its subject; null is the workspace. */
  readonly spaceId: SpaceId | null;
  /** What it is about. */
  readonly subject: EventSubjectRef;
  /** The envelope as JSON, the same for every endpoint and in every attempt. */
  readonly body: string;
  /** No longer shown from then on; Unix milliseconds. */
  readonly expiresAt: number;
}

const dayMs = 24 * 3_600_000;

/** When an event and its deliveries expire. @param retentionDays the setting `eventRetentionDays` */
export function eventExpiry(id: EventId, retentionDays: number): number {
  return idTime(id) + retentionDays * dayMs;
}

/** The bounds of all event ids of one millisecond: a list by time is a list by id. */
export function eventIdsAt(atMs: number): { readonly first: EventId; readonly last: EventId } {
  return {
    first: composeId('evt', atMs, new Uint8Array(10)),
    last: composeId('evt', atMs, new Uint8Array(10).fill(0xff)),
  };
}
