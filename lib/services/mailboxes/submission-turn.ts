/**
 * The order of the submissions of a mailbox. As long as its provider takes them, each is independent. One that the provider
 * does not take waits for its next try, and later ones wait behind it; whoever ends calls the next.
 */
import {
  type SubmissionPosition,
  type WaitingSubmission,
  waitMsMax,
} from '../../core/mailboxes/waiting-submission.ts';

export interface TurnPorts {
  readonly own: Pick<WaitingSubmission, 'position' | 'emailId' | 'chunk'>;
  /** Unix milliseconds. */
  now(): number;
  /** The submission of the mailbox whose turn it is; null: none waits. */
  findFirst(): Promise<WaitingSubmission | null>;
  /** The own entry; null: it does not wait. */
  findOwn(): Promise<WaitingSubmission | null>;
  /**
   * Stores the own entry, with a message at the end of its wait, whatever becomes of those before it. False where `before` does
   * not wait any more: nothing was written.
   */
  join(own: WaitingSubmission, before: WaitingSubmission): Promise<boolean>;
  remove(position: SubmissionPosition): Promise<void>;
  /** Sends the message of a submission. */
  call(waiting: WaitingSubmission): Promise<void>;
  /** Whether the mailbox is connected. */
  isConnected(): Promise<boolean>;
}

/** `since`: when it began to wait; null: it has not waited. */
export type Turn =
  | { readonly kind: 'now'; readonly since: number | null }
  /** A message follows. */
  | { readonly kind: 'later' }
  /** It has waited for too long behind others. */
  | { readonly kind: 'over' };

/** The clocks of two functions differ by less. */
const clockMarginMs = 5000;
/** A submission whose last try is that late has lost its message: nobody waits for it. */
const lostMs = 10 * 60_000;
const triesMax = 5;

/** Whether a submission may be tried now. One that may not waits behind the first. */
export async function takeTurn(ports: TurnPorts): Promise<Turn> {
  for (let tries = 0; tries < triesMax; tries++) {
    const at = ports.now();
    const first = await ports.findFirst();
    if (!first) return { kind: 'now', since: null };
    if (first.position === ports.own.position) {
      // Another message of it came earlier than its own, which comes; of a mailbox that is gone it need not be waited for.
      const isEarly = at < first.dueAt - clockMarginMs && (await ports.isConnected());
      return isEarly ? { kind: 'later' } : { kind: 'now', since: first.since };
    }
    if (at > first.since + waitMsMax + lostMs) {
      await endTurn(ports, first.position);
      continue;
    }
    const own = await ports.findOwn();
    if (own) return { kind: at < own.since + waitMsMax ? 'later' : 'over' };
    if (await ports.join({ ...ports.own, since: at, dueAt: 0 }, first)) return { kind: 'later' };
  }
  throw new Error('the first submission of the mailbox was another one at every try');
}

/** Ends the wait of a submission that is completed, and calls the next. Idempotent. @param position default: the own */
export async function endTurn(ports: TurnPorts, position = ports.own.position): Promise<void> {
  await ports.remove(position);
  // Read after the removal: nobody joins behind an entry that is gone.
  const next = await ports.findFirst();
  if (next && next.dueAt <= ports.now()) await ports.call(next);
}
