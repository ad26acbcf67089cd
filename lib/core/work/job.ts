/**
 * A job: work that goes on and on, and that one worker at a time does (docs/decisions/0068-one-worker-at-a-key.md). Pure: times
 * are Unix milliseconds.
 */

export interface JobState {
  /** The worker that has the job; past `until`, it has died or failed. null: none has it. */
  readonly lease: { readonly token: string; readonly until: number } | null;
  /** Whether the worker is to look again before it leaves. */
  readonly again: boolean;
  /** When the timer fires; null: there is none. */
  readonly wakeAt: number | null;
}

/** A message that calls a worker to a job. */
export interface JobCall {
  /** Identifies the message across its deliveries by SQS. */
  readonly token: string;
  /** The timer that sent it; null: something else did. */
  readonly timer: number | null;
}

/** Another worker has the job: what this one does is not stored any more. */
export class LeaseLost extends Error {}

/** How a worker leaves a job, in one transaction. */
export interface Leaving<C> {
  /** Changes of the job's own state; null: the attribute is removed. */
  readonly set: C;
  /** The timer as it was, and as it is from now on. */
  readonly timer: { readonly before: number | null; readonly after: number | null };
  /** Leaves only where nobody has asked to look again. */
  readonly unlessAsked: boolean;
}

/**
 * Where a job is stored; tests and simulations have one in memory (scripts/jobs).
 *
 * @typeParam S the state of the job
 * @typeParam C what a turn changes of it as the worker leaves
 */
export interface JobStore<S extends JobState, C> {
  /** null: there is no such job. */
  find(): Promise<S | null>;
  /** Takes the job where nobody has it, or the lease has expired; else null. */
  take(token: string): Promise<S | null>;
  /** Asks the worker to look again. False where it has the job no longer. */
  askAgain(token: string): Promise<boolean>;
  /** Before the worker looks again: what asks from now on is not answered yet. False where the lease is lost. */
  clearAgain(token: string): Promise<boolean>;
  /** False where the lease is lost, or somebody has asked: nothing was written. */
  leave(token: string, leaving: Leaving<C>): Promise<boolean>;
  /** Ends the lease of a worker that has failed, as if it had died long ago. */
  fail(token: string): Promise<void>;
}

/**
 * What a call does: take the job, ask the worker that has it to look again, nothing, or come back when the lease of its own
 * worker, which died, has expired.
 */
export function answerTo(
  { lease, again, wakeAt }: JobState,
  { token, timer }: JobCall,
  nowMs: number,
): 'take' | 'ask' | 'nothing' | 'come back' {
  if (lease && lease.until > nowMs) {
    // Only this message remembers the work of a worker that died.
    if (lease.token === token) return 'come back';
    return again ? 'nothing' : 'ask';
  }
  // Of a timer that was replaced.
  return timer !== null && timer !== wakeAt ? 'nothing' : 'take';
}

/** The timer after a turn. One that is set stays where it is early enough. @param hasFired whether it is known to have fired */
export function timerAfter(
  { wakeAt, hasFired }: { readonly wakeAt: number | null; readonly hasFired: boolean },
  nextAt: number | null,
  nowMs: number,
): number | null {
  if (nextAt === null || wakeAt === null) return nextAt;
  if (!hasFired && wakeAt > nowMs && wakeAt <= nextAt) return wakeAt;
  // Its time is its name: one that has fired does not fire again.
  return nextAt === wakeAt ? nextAt + 1 : nextAt;
}
