/**
 * A job whose callers, workers, timers and sweep run step by step, in an order that `choose` decides. Workers may die at any call,
 * fail, put their work off, or hang until their lease has expired; timers may be lost.
 */
import { type JobCall, type JobState, LeaseLost } from '../../../lib/core/work/job.ts';
import { type Ending, runJob } from '../../../lib/services/jobs/run-job.ts';
import { type MemoryJob, memoryJobStore } from '../../../scripts/jobs/memory-job.ts';

/** What may go wrong, once each. */
export type Fault = 'death' | 'failure' | 'refusal' | 'hang' | 'lost timer';

export interface JobWorldOptions {
  /** Requests: the milliseconds from the time of each until it can be worked off. */
  readonly requests: readonly number[];
  readonly faults: readonly Fault[];
  /** How long a worker goes on before it hands over. */
  readonly sessionMs: number;
  /** One of so many possibilities, from 0. */
  choose(options: number): number;
}

interface Message extends JobCall {
  /** When SQS delivers it next. */
  at: number;
}

/** A call that a worker waits for. */
interface Pending {
  readonly worker: Message;
  readonly name: string;
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** What a worker works with does not work: it tries again later. */
class Refused extends Error {}

const [leaseMs, visibilityMs, retryMs, overdueMs, sweepMs] = [60_000, 90_000, 10_000, 120_000, 60_000];
const stepsMax = 2000;

/** Runs until nothing is to do. @returns what was worked off, in order @throws Error where a rule of jobs is broken */
export async function runJobWorld({
  requests,
  faults,
  sessionMs,
  choose,
}: JobWorldOptions): Promise<number[]> {
  const job: MemoryJob<JobState> = {
    state: { lease: null, again: false, wakeAt: null },
    timers: new Set(),
  };
  let now = 1_000_000;
  let tokens = 0;
  let nextSweepAt = 0;
  const waiting = new Map<number, number>();
  const done: number[] = [];
  const asked = requests.map((_, at) => at);
  const left = [...faults];
  const queue: Message[] = [];
  const pending: Pending[] = [];
  const send = (timer: number | null, at: number) => queue.push({ token: `m${tokens++}`, timer, at });
  const spend = (fault: Fault) => left.splice(left.indexOf(fault), 1);

  const work = (worker: Message): Promise<void> => {
    const call = <T>(name: string, run: () => T | Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => pending.push({ worker, name, run, resolve, reject }));
    const store = memoryJobStore<JobState, Record<string, never>>({
      job,
      leaseMs,
      call,
      now: () => now,
      schedule(timer) {
        const isLost = left.includes('lost timer') && choose(2) === 1;
        if (isLost) spend('lost timer');
        else send(timer, Math.max(now, timer));
      },
    });
    const turn = async (token: string): Promise<Ending<Record<string, never>>> => {
      const due = await call('read', () => [...waiting].find(([, at]) => at <= now)?.[0]);
      if (due !== undefined) {
        const isStored = await call('work', () => {
          if (job.state.lease?.token !== token) return false;
          if (waiting.delete(due)) done.push(due);
          return true;
        });
        if (!isStored) throw new LeaseLost();
        return { kind: 'more', set: {} };
      }
      const times = await call('plan', () => [...waiting.values()]);
      return { kind: 'done', nextAt: times.length === 0 ? null : Math.min(...times), set: {} };
    };
    return runJob(
      {
        store,
        sessionMs,
        now: () => now,
        isIdle: () => call('is idle', () => waiting.size === 0),
        begin:
          (_, { token }) =>
          async () => {
            try {
              return await turn(token);
            } catch (error) {
              if (!(error instanceof Refused)) throw error;
              return { kind: 'failed', nextAt: now + retryMs, set: {} };
            }
          },
      },
      worker,
    );
  };

  /** The steps that may be next. */
  const possible = (): (() => void)[] => {
    const steps: (() => void)[] = pending.map((one) => () => {
      take(one);
      one.resolve(one.run() as never);
    });
    for (const message of queue.filter(({ at }) => at <= now)) {
      steps.push(() => {
        queue.splice(queue.indexOf(message), 1);
        void work(message).catch(() => queue.push({ ...message, at: now + retryMs }));
      });
    }
    const [number] = asked;
    if (number !== undefined) {
      steps.push(() => {
        asked.shift();
        waiting.set(number, now + (requests[number] ?? 0));
        send(null, now);
      });
    }
    if (left.includes('death')) {
      for (const one of pending) {
        const die = (isDone: boolean) => () => {
          spend('death');
          take(one);
          if (isDone) one.run();
          queue.push({ ...one.worker, at: now + visibilityMs });
        };
        steps.push(die(false), die(true));
      }
    }
    if (left.includes('failure')) {
      for (const one of pending.filter(({ name }) => name !== 'fail')) {
        steps.push(() => {
          spend('failure');
          take(one);
          one.reject(new Error(one.name));
        });
      }
    }
    if (left.includes('refusal')) {
      for (const one of pending.filter(({ name }) => ['read', 'work', 'plan'].includes(name))) {
        steps.push(() => {
          spend('refusal');
          take(one);
          one.reject(new Refused());
        });
      }
    }
    if (left.includes('hang') && pending.length > 0) {
      steps.push(() => {
        spend('hang');
        now += leaseMs;
      });
    }
    return steps;
  };
  const take = (one: Pending) => pending.splice(pending.indexOf(one), 1);

  /** Time goes on to the next message, or to the sweep. False where nothing is to come. */
  const goOn = (): boolean => {
    const overdue = [...job.timers].map((timer) => Math.max(timer + overdueMs, nextSweepAt));
    const next = Math.min(...queue.map(({ at }) => at), ...overdue);
    if (next === Number.POSITIVE_INFINITY) return false;
    now = Math.max(now, next);
    if (now < nextSweepAt) return true;
    for (const timer of job.timers) {
      if (timer + overdueMs > now) continue;
      send(timer, now);
      nextSweepAt = now + sweepMs;
    }
    return true;
  };

  for (let step = 0; step < stepsMax; step++) {
    const steps = possible();
    const next = steps.length > 1 ? steps[choose(steps.length)] : steps[0];
    if (next) next();
    else if (!goOn()) break;
    // Lets the workers run up to their next calls.
    for (let turn = 0; turn < 12; turn++) await null;
    const { wakeAt } = job.state;
    if ([...job.timers].join() !== (wakeAt === null ? '' : String(wakeAt)))
      throw new Error(`the timers ${[...job.timers].join()} are not that of the state, ${wakeAt}`);
  }
  if (waiting.size > 0) throw new Error('work is left, and nobody comes');
  if (pending.length > 0 || queue.length > 0 || job.timers.size > 0) throw new Error('it does not end');
  return done;
}
