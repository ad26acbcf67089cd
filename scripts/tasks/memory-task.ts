/** A task in memory: its state with lease and timer, as the table stores it. */
import type { TaskState, TaskStore } from '../../lib/core/task.ts';

/** Carries out an effect as a call with a name. */
export type Call = <T>(name: string, effect: () => T | Promise<T>) => Promise<T>;

export interface MemoryTask<S extends TaskState> {
  state: S;
  /** The index of timers. */
  readonly timers: Set<number>;
}

export interface MemoryTaskOptions<S extends TaskState> {
  readonly task: MemoryTask<S>;
  readonly leaseMs: number;
  readonly call: Call;
  /** Unix milliseconds. */
  now(): number;
  /** Calls a worker at the time of a timer. */
  schedule(timer: number): void;
  /** Told of each write. */
  onWrite?(items: number): void;
}

export function memoryTaskStore<S extends TaskState, C extends Partial<S>>(
  options: MemoryTaskOptions<S>,
): TaskStore<S, C> {
  const { task, leaseMs, call, now, schedule, onWrite } = options;
  const changeUnder = (token: string, change: Partial<S | TaskState>): boolean => {
    if (task.state.lease?.token !== token) return false;
    task.state = { ...task.state, ...change };
    onWrite?.(1);
    return true;
  };
  return {
    find: () => call('find', () => task.state),
    take: (token) =>
      call('take', () => {
        const { lease } = task.state;
        if (lease && lease.until > now()) return null;
        task.state = { ...task.state, again: false, lease: { token, until: now() + leaseMs } };
        onWrite?.(1);
        return task.state;
      }),
    askAgain: (token) => call('askAgain', () => changeUnder(token, { again: true })),
    clearAgain: (token) => call('clearAgain', () => changeUnder(token, { again: false })),
    leave: (token, { set, timer: { before, after }, unlessAsked }) =>
      call('leave', () => {
        if (unlessAsked && task.state.again) return false;
        if (!changeUnder(token, { ...set, wakeAt: after, again: false, lease: null })) return false;
        if (before === after) return true;
        onWrite?.((before === null ? 0 : 1) + (after === null ? 0 : 1));
        if (before !== null) task.timers.delete(before);
        if (after !== null) {
          if (task.timers.has(after)) throw new Error('the timer is set');
          task.timers.add(after);
          schedule(after);
        }
        return true;
      }),
    fail: (token) =>
      call('fail', () => {
        const { lease } = task.state;
        if (lease) changeUnder(token, { lease: { ...lease, until: 0 } });
      }),
  };
}
