/** Connections of clients that take events live, and what each is to be sent (docs/concepts/live.md). */
import type { Actor } from '../access/api-key.ts';
import { type EventId, idTime, parseId, type SpaceId, type ThreadId, type WorkspaceId } from '../ids.ts';
import type { EventType } from '../webhooks/event-types.ts';

/** A ticket opens one connection within this time. */
export const ticketMs = 60_000;
/** Open connections of a workspace. */
export const connectionsMax = 100;
/** API Gateway ends a connection after two hours ("Quotas for configuring and running a WebSocket in API Gateway"). */
export const connectionMs = 2 * 3_600_000;
/** Bytes of a message to a client (the same page). */
export const payloadBytesMax = 128 * 1024;
/** Ids that a connection remembers, and events that wait for it. */
export const rememberedMax = 200;
/** Turns in a row in which a connection took nothing, before it is ended. */
export const failuresMax = 10;
/** Events that one turn reads from the log for one connection. */
export const pageOfTurn = 50;

/** Who a connection is for: the key or the session that asked for its ticket. */
export interface LiveActor {
  readonly actor: Actor;
  /** Hash of the session's token; null: a key. */
  readonly sessionHash: string | null;
}

/** What a client has subscribed to. */
export interface Subscription {
  /** Tells it from the one that it replaces. */
  readonly id: string;
  /** Empty: every type. */
  readonly types: readonly EventType[];
  /** Only events of emails in threads with all of these labels; empty: every event. */
  readonly labels: readonly string[];
  /** `none`: events outside of spaces; null: of every space. */
  readonly space: SpaceId | 'none' | null;
}

/**
 * How far a connection is. An event goes to it when it enters the log, except while the connection reads the log from
 * `cursor`, and while events wait in `owed`: then a message that continues the connection is on its way.
 */
export interface Progress {
  /** Whether the client was told that the subscription has begun. */
  readonly isBegun: boolean;
  /** The last event that was read from the log; null: the log is read to its end. */
  readonly cursor: EventId | null;
  /** Events that were sent from the log a short while ago: they may be announced yet. */
  readonly sent: readonly EventId[];
  /** Events that the connection did not take; they come first. */
  readonly owed: readonly EventId[];
  /** Turns in a row that ended because the connection took no more. */
  readonly failures: number;
}

/** A connection of a client. Times in Unix milliseconds. */
export interface LiveConnection extends LiveActor {
  /** API Gateway's id. */
  readonly id: string;
  /** From where it was opened. */
  readonly sourceIp: string;
  readonly endsAt: number;
  /** null: the client has not subscribed. */
  readonly subscription: Subscription | null;
  readonly progress: Progress;
}

/** The progress of a new subscription. @param after the last event that the client has; null: from now on */
export const newProgress = (after: EventId | null): Progress => ({
  isBegun: false,
  cursor: after,
  sent: [],
  owed: [],
  failures: 0,
});

/** Whether a connection is to be sent an event that has just entered the log; if not, it has it, or will read it. */
export function takesAnnounced({ isBegun, cursor, sent, owed }: Progress, eventId: EventId): boolean {
  if (!isBegun || sent.includes(eventId) || owed.includes(eventId)) return false;
  return cursor === null || eventId <= cursor;
}

/** Events whose announcement comes later than this after their recording may come twice after a resumption. */
const announcedWithinMs = 5 * 60_000;

/** Those of `sent` that may be announced yet. */
export const recentOf = (sent: readonly EventId[], nowMs: number): readonly EventId[] =>
  sent.filter((id) => idTime(id) > nowMs - announcedWithinMs);

/** The progress after events were read from the log. @param cursor null: the log is at its end */
export function afterReading(
  progress: Progress,
  {
    sent,
    cursor,
    nowMs,
  }: { readonly sent: readonly EventId[]; readonly cursor: EventId | null; readonly nowMs: number },
): Progress {
  const recent = recentOf([...progress.sent, ...sent], nowMs);
  return { ...progress, isBegun: true, cursor, sent: recent.slice(-rememberedMax) };
}

/** Whether a message has to continue the connection. */
export const isBehind = ({ isBegun, cursor, owed }: Progress): boolean =>
  !isBegun || cursor !== null || owed.length > 0;

/** Whether the connection is to be ended: it takes nothing. The client opens another one, from its last event. */
export const hasGivenUp = ({ failures, owed }: Progress): boolean =>
  failures >= failuresMax || owed.length > rememberedMax;

/** An event as subscriptions see it. */
export interface LiveEvent {
  readonly id: EventId;
  readonly type: EventType;
  readonly spaceId: SpaceId | null;
  /** Of the email or thread that it is about; null: it is about none. */
  readonly threadId: ThreadId | null;
}

/** @param labelsOf labels of a thread as they are now */
export function isSubscribed(
  { types, labels, space }: Subscription,
  event: LiveEvent,
  labelsOf: (threadId: ThreadId) => readonly string[],
): boolean {
  if (types.length > 0 && !types.includes(event.type)) return false;
  if (space !== null && (event.spaceId ?? 'none') !== space) return false;
  if (labels.length === 0) return true;
  const held = event.threadId === null ? [] : labelsOf(event.threadId);
  return labels.every((label) => held.includes(label));
}

const ticketForm = /^([0-9a-f]{32})\.[A-Za-z0-9_-]{43}$/;

/** A ticket with its workspace, in whose partition it is found. @param secret 32 random bytes in base64url */
export function composeTicket(workspaceId: WorkspaceId, secret: string): string {
  return `${workspaceId.slice('wks_'.length)}.${secret}`;
}

/** The workspace of a ticket, which proves nothing; null where the text is no ticket. */
export function workspaceOfTicket(ticket: string): WorkspaceId | null {
  const workspace = ticketForm.exec(ticket)?.[1];
  return workspace === undefined ? null : parseId('wks', `wks_${workspace}`);
}
