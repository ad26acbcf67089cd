/**
 * When a mailbox is synchronized (docs/mailbox-providers.md#times). Pure: times are Unix milliseconds, and what spreads
 * mailboxes over time is derived from their ids.
 */
import { createHash } from 'node:crypto';
import type { MailboxId } from '../ids.ts';
import type { PushSubscription } from './provider.ts';

const minute = 60_000;

export const syncTimes = {
  /** Between polls that catch what pushes have lost. */
  pollWithPushMs: 10 * minute,
  /** Between polls where there are no pushes. */
  pollWithoutPushMs: 2 * minute,
  /** After a failure: doubled with each, up to the longest. */
  firstRetryMs: 30_000,
  longestRetryMs: 15 * minute,
  /** What has failed for so long is shown on the mailbox, and the operator is told. */
  failingMs: 60 * minute,
  /** A session reads pages for so long before it hands over to the next. */
  sessionMs: 60_000,
  /** The lease: a session, and one call of the provider that takes long. */
  leaseMs: 150_000,
} as const;

/** A number in [0, 1), the same always for a mailbox and a purpose. */
function spreadOf(mailboxId: MailboxId, purpose: string): number {
  const digest = createHash('sha256').update(`${purpose} ${mailboxId}`).digest();
  return digest.readUInt32BE() / 2 ** 32;
}

/**
 * The next poll: at the mailbox's own place in the interval, so that mailboxes are spread evenly however they were
 * connected, and not within half an interval.
 */
export function nextPollAt(mailboxId: MailboxId, nowMs: number, hasPush: boolean): number {
  const interval = hasPush ? syncTimes.pollWithPushMs : syncTimes.pollWithoutPushMs;
  const phase = Math.floor(spreadOf(mailboxId, 'poll') * interval);
  const earliest = nowMs + interval / 2;
  return Math.ceil((earliest - phase) / interval) * interval + phase;
}

/** When a subscription is renewed: after half of its time, spread over a further quarter. */
export function renewAt(mailboxId: MailboxId, { expiresAt }: PushSubscription, subscribedAt: number): number {
  const life = Math.max(0, expiresAt - subscribedAt);
  return subscribedAt + life * (0.5 + 0.25 * spreadOf(mailboxId, 'renew'));
}

/**
 * The next try after a failure: exponential backoff whose second half is random, so that mailboxes do not come back
 * together after an outage; not before the provider's `Retry-After`, which is spread likewise.
 *
 * @param failures in a row, from 1
 * @param random a number in [0, 1)
 */
export function nextRetryAt(
  nowMs: number,
  failures: number,
  retryAfterMs: number | null,
  random: number,
): number {
  const backoff = Math.min(
    syncTimes.firstRetryMs * 2 ** Math.min(failures - 1, 20),
    syncTimes.longestRetryMs,
  );
  const wait = backoff / 2 + (backoff / 2) * random;
  const told = Math.min(retryAfterMs ?? 0, 24 * 60 * minute);
  return Math.ceil(nowMs + (told > 0 ? told + wait / 2 : wait));
}
