/** One worker at a job: from the call to the next timer (docs/decisions/0068-one-worker-at-a-key.md). */
import {
  answerTo,
  type JobCall,
  type JobState,
  type JobStore,
  LeaseLost,
  timerAfter,
} from '../../core/work/job.ts';

interface Session {
  readonly token: string;
  /** When the worker hands over to the next. */
  readonly until: number;
}

/** How a turn ended. `set`: changes of the job's own state. */
export type Ending<C> =
  /** Nothing is to do before `nextAt`; null: until somebody calls. */
  | { readonly kind: 'done'; readonly nextAt: number | null; readonly set: C }
  /** The next try is at `nextAt`, whoever has called meanwhile; null: there is none. */
  | { readonly kind: 'failed'; readonly nextAt: number | null; readonly set: C }
  /** There is more to do now. */
  | { readonly kind: 'more'; readonly set: C };

export interface Job<S extends JobState, C> {
  readonly store: JobStore<S, C>;
  readonly sessionMs: number;
  now(): number;
  /** Whether a call finds nothing to do, so that it costs no write. */
  isIdle?(state: S): Promise<boolean>;
  /** @returns a turn, which is taken until nothing is to do or the session is over; it may throw LeaseLost */
  begin(state: S, session: Session): () => Promise<Ending<C>>;
}

/** The timer as a worker finds it. */
interface FoundTimer {
  readonly wakeAt: number | null;
  readonly hasFired: boolean;
}

/** Processes a message that calls a worker. Idempotent. @throws what a turn throws: the message is to be delivered again */
export async function runJob<S extends JobState, C>(job: Job<S, C>, call: JobCall): Promise<void> {
  const state = await take(job, call);
  if (!state) return;
  const session = { token: call.token, until: job.now() + job.sessionMs };
  const timer = { wakeAt: state.wakeAt, hasFired: call.timer === state.wakeAt };
  const turn = job.begin(state, session);
  try {
    while (!(await leave(job, session, timer, await turn())));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    await job.store.fail(call.token);
    throw error;
  }
}

const triesMax = 5;

/** The state with the lease taken; null where nothing is left to do for this call. */
async function take<S extends JobState, C>(job: Job<S, C>, call: JobCall): Promise<S | null> {
  const { store } = job;
  for (let tries = 0; tries < triesMax; tries++) {
    const state = await store.find();
    if (!state) return null;
    const answer = answerTo(state, call, job.now());
    if (answer === 'come back') throw new Error('the lease of this message has not expired');
    if (answer === 'nothing') return null;
    if (answer === 'ask') {
      if (state.lease && (await store.askAgain(state.lease.token))) return null;
      continue;
    }
    const mayBeIdle = state.lease === null && call.timer === null;
    if (mayBeIdle && (await job.isIdle?.(state))) return null;
    const taken = await store.take(call.token);
    if (taken) return taken;
  }
  throw new Error('the lease changed hands at every try');
}

/** Leaves the job and arranges the next turn. False where that is this worker's. */
async function leave<S extends JobState, C>(
  { store, now }: Job<S, C>,
  { token, until }: Session,
  timer: FoundTimer,
  ending: Ending<C>,
): Promise<boolean> {
  const leaveUntil = (nextAt: number | null, unlessAsked: boolean) => {
    const after = timerAfter(timer, nextAt, now());
    return store.leave(token, { set: ending.set, timer: { before: timer.wakeAt, after }, unlessAsked });
  };
  const isOver = now() >= until;
  if (ending.kind !== 'more') {
    const unlessAsked = ending.kind === 'done';
    if ((await leaveUntil(ending.nextAt, unlessAsked)) || !unlessAsked) return true;
    // The lease is lost, or somebody has asked.
    if (!isOver) return !(await store.clearAgain(token));
  }
  // The next worker is called by a timer of now, so that the sweep finds it as well.
  if (isOver) await leaveUntil(now(), false);
  return isOver;
}
