/**
 * Submission of one message of an email through a mailbox: turn, claim, call, outcome (docs/concepts/sending.md#mailboxes).
 *
 * A provider has no idempotency token. The message is claimed by a conditional write before the call and completed after it. A
 * worker that finds a claim without an outcome looks for the message by our Message-ID first, and submits again only where the
 * provider does not have it.
 */

import type { SubmissionChunk } from '../../core/emails/submission.ts';
import type { ProviderError } from '../../core/mailboxes/provider.ts';
import { nextRetryAt } from '../../core/mailboxes/schedule.ts';
import { type WaitingSubmission, waitMsMax } from '../../core/mailboxes/waiting-submission.ts';
import { endTurn, type TurnPorts, takeTurn } from './submission-turn.ts';

/** A message that was sent is found in the mailbox within seconds; without one in this time it was not sent. */
export const unconfirmedWaitMs = 5 * 60_000;
/** Another look at an email that cannot be submitted now: a suspended workspace, an outcome that nobody may look up. */
const lookAgainMs = 10 * 60_000;

/** The provider's ids of a message. */
export interface SentIds {
  readonly id: string | null;
  readonly threadId: string | null;
}

/** How a call has ended. */
export type CallResult =
  | { readonly sent: SentIds }
  /** `isCalled` is false where only the token failed: nothing was sent. */
  | { readonly failure: ProviderError; readonly isCalled: boolean };

export interface SubmitPorts extends TurnPorts {
  /** A number in [0, 1). */
  random(): number;
  isSuspended(): Promise<boolean>;
  /** The message in the mailbox, where the call of a claim without an outcome has sent it. */
  findSent(
    claim: SubmissionChunk,
  ): Promise<{ readonly found: SentIds | null } | { readonly failure: ProviderError }>;
  /** Composes and claims the message. null: another worker has it. @param before the claim that is replaced */
  claim(before: SubmissionChunk | null): Promise<SubmissionChunk | null>;
  /** Calls the provider with the message that `claim` has composed. */
  send(): Promise<CallResult>;
  accept(claim: SubmissionChunk, sent: SentIds): Promise<void>;
  refuse(claim: SubmissionChunk, reason: string, isRefused: boolean): Promise<void>;
  /** Notes what the provider answered to a call whose outcome is not known. */
  noteUnconfirmed(claim: SubmissionChunk, failure: ProviderError): Promise<void>;
  /**
   * Puts a claim back that has certainly not been sent, with the entry that waits and its message. False where the claim is
   * another one by now.
   */
  hold(claim: SubmissionChunk, failure: ProviderError, waiting: WaitingSubmission): Promise<boolean>;
  /** Writes what may be missing of an email whose message is completed. */
  complete(): Promise<void>;
}

/** When the message is to come again, Unix milliseconds; null: nothing follows, or another message; `ended`: others may wait for it. */
type Next = number | null | 'ended';

/**
 * Continues the submission of a message. Idempotent.
 *
 * @param before its claim; null: none yet; `completed`: it has its outcome
 * @returns when the message of the submission is to come again; null: another one comes, or none is needed
 */
export async function submitChunk(
  ports: SubmitPorts,
  before: SubmissionChunk | null | 'completed',
): Promise<number | null> {
  const next = await submit(ports, before);
  if (next !== 'ended') return next;
  await endTurn(ports);
  return null;
}

async function submit(ports: SubmitPorts, before: SubmissionChunk | null | 'completed'): Promise<Next> {
  if (before === 'completed') {
    await ports.complete();
    return 'ended';
  }
  if (before && ports.now() < before.claimedAt + unconfirmedWaitMs) {
    return before.claimedAt + unconfirmedWaitMs;
  }
  if (await ports.isSuspended()) return ports.now() + lookAgainMs;
  // A claim that was put back has certainly not been sent.
  const looked = before && before.claimedAt > 0 ? await lookUp(ports, before) : 'not sent';
  if (looked !== 'not sent') return looked;
  const turn = await takeTurn(ports);
  if (turn.kind === 'later') return null;
  const claim = await ports.claim(before);
  // The other worker may end without an outcome.
  if (!claim) return ports.now() + unconfirmedWaitMs;
  if (turn.kind === 'over') {
    const reason = 'it has waited for a day behind email that the provider of the mailbox did not take';
    return await refuse(ports, claim, reason, false);
  }
  if (claim.recipients.length === 0) {
    return await refuse(ports, claim, 'every recipient is suppressed', false);
  }
  return await callProvider(ports, claim, turn.since);
}

async function refuse(ports: SubmitPorts, claim: SubmissionChunk, reason: string, isRefused: boolean) {
  await ports.refuse(claim, reason, isRefused);
  return 'ended' as const;
}

/** Looks for a message whose outcome is not known, and completes it where the provider has it. */
async function lookUp(ports: SubmitPorts, before: SubmissionChunk): Promise<Next | 'not sent'> {
  const result = await ports.findSent(before);
  if ('found' in result) {
    if (!result.found) return 'not sent';
    await ports.accept(before, result.found);
    return 'ended';
  }
  if (ports.now() > before.claimedAt + waitMsMax) {
    const reason = 'it is not known whether the provider has sent it, and the mailbox could not be asked';
    return await refuse(ports, before, reason, false);
  }
  const { retryAfterMs } = result.failure;
  return Math.max(ports.now() + lookAgainMs, nextRetryAt(ports.now(), 1, retryAfterMs, ports.random()));
}

/** @param since when the submission began to wait; null: it has not waited */
async function callProvider(ports: SubmitPorts, claim: SubmissionChunk, since: number | null): Promise<Next> {
  const result = await ports.send();
  if ('sent' in result) {
    await ports.accept(claim, result.sent);
    return since === null ? null : 'ended';
  }
  const { failure, isCalled } = result;
  // A provider that refuses the OAuth client refuses no email.
  if (!isCalled && failure.kind !== 'unauthorized') return await hold(ports, claim, failure, since);
  switch (failure.kind) {
    case 'unauthorized':
    case 'refused':
    case 'not_found':
      return await refuse(ports, claim, failure.message, isCalled);
    case 'unknown':
      await ports.noteUnconfirmed(claim, failure);
      return claim.claimedAt + unconfirmedWaitMs;
    case 'throttled':
    case 'expired':
    case 'network':
      return await hold(ports, claim, failure, since);
  }
}

/** Puts a message back that has certainly not been sent: it is the first to be tried again, for a day. */
async function hold(
  ports: SubmitPorts,
  claim: SubmissionChunk,
  failure: ProviderError,
  since: number | null,
): Promise<Next> {
  const at = ports.now();
  const began = since ?? at;
  const endsAt = began + waitMsMax;
  if (at >= endsAt) {
    return await refuse(ports, claim, `the provider has not taken it for a day: ${failure.message}`, false);
  }
  const dueAt = Math.min(endsAt, nextRetryAt(at, claim.attempt, failure.retryAfterMs, ports.random()));
  const isHeld = await ports.hold(claim, failure, { ...ports.own, since: began, dueAt });
  // Completed meanwhile, or claimed again by a worker whose own outcome decides.
  return isHeld ? null : 'ended';
}
