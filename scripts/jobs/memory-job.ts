/** A job in memory: its state with lease and timer, as the table stores it. */
import type { JobState, JobStore } from '../../lib/core/work/job.ts';

/** Carries out an effect as a call with a name. */
export type Call = <T>(name: string, effect: () => T | Promise<T>) => Promise<T>;

export interface MemoryJob<S extends JobState> {
  state: S;
  /** The index of timers. */
  readonly timers: Set<number>;
}

export interface MemoryJobOptions<S extends JobState> {
  readonly job: MemoryJob<S>;
  readonly leaseMs: number;
  readonly call: Call;
  /** Unix milliseconds. */
  now(): number;
  /** Calls a worker at the time of a timer. */
  schedule(timer: number): void;
  /** Told of each write. */
  onWrite?(items: number): void;
}

export function memoryJobStore<S extends JobState, C extends Partial<S>>(
  options: MemoryJobOptions<S>,
): JobStore<S, C> {
  const { job, leaseMs, call, now, schedule, onWrite } = options;
  const changeUnder = (token: string, change: Partial<S | JobState>): boolean => {
    if (job.state.lease?.token !== token) return false;
    job.state = { ...job.state, ...change };
    onWrite?.(1);
    return true;
  };
  return {
    find: () => call('find', () => job.state),
    take: (token) =>
      call('take', () => {
        const { lease } = job.state;
        if (lease && lease.until > now()) return null;
        job.state = { ...job.state, again: false, lease: { token, until: now() + leaseMs } };
        onWrite?.(1);
        return job.state;
      }),
    askAgain: (token) => call('askAgain', () => changeUnder(token, { again: true })),
    clearAgain: (token) => call('clearAgain', () => changeUnder(token, { again: false })),
    leave: (token, { set, timer: { before, after }, unlessAsked }) =>
      call('leave', () => {
        if (unlessAsked && job.state.again) return false;
        if (!changeUnder(token, { ...set, wakeAt: after, again: false, lease: null })) return false;
        if (before === after) return true;
        onWrite?.((before === null ? 0 : 1) + (after === null ? 0 : 1));
        if (before !== null) job.timers.delete(before);
        if (after !== null) {
          if (job.timers.has(after)) throw new Error('the timer is set');
          job.timers.add(after);
          schedule(after);
        }
        return true;
      }),
    fail: (token) =>
      call('fail', () => {
        const { lease } = job.state;
        if (lease) changeUnder(token, { lease: { ...lease, until: 0 } });
      }),
  };
}
