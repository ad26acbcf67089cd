/** Recurring EventBridge schedules (`rate(…)`) of the templates, on the local clock. */
import type { LocalClock } from './aws/service.ts';

export interface RateSchedule {
  readonly expression: string;
  readonly functionArn: string;
  /** The event of each invocation. */
  readonly input?: unknown;
  /** Whether the role of the schedule may invoke the function now; default: it may. */
  readonly mayInvoke?: () => boolean;
}

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The interval of `rate(5 minutes)` in milliseconds. @throws Error for other expressions */
export function rateMs(expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = unitMs[unit];
  if (!ms) throw new Error(`unsupported schedule expression ${expression}`);
  return Number(count) * ms;
}

export interface Schedules {
  /** Call after the clock was moved: runs what is due. */
  catchUp(): void;
  close(): void;
}

/** A schedule with its next run. */
interface Entry {
  readonly schedule: RateSchedule;
  readonly everyMs: number;
  dueAt: number;
  isRunning: boolean;
}

/**
 * Starts the schedules. A move of the clock triggers one run however far it goes: as timers of the clock, a schedule
 * of one minute would run ten thousand times in a week.
 */
export function startSchedules(options: {
  schedules: readonly RateSchedule[];
  clock: Pick<LocalClock, 'now'>;
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
}): Schedules {
  const { clock } = options;
  const entries = options.schedules.map((schedule): Entry => {
    const everyMs = rateMs(schedule.expression);
    return { schedule, everyMs, dueAt: clock.now() + everyMs, isRunning: false };
  });
  let timeout: NodeJS.Timeout | undefined;

  function catchUp(): void {
    for (const entry of entries) {
      if (entry.dueAt > clock.now()) continue;
      entry.dueAt = clock.now() + entry.everyMs;
      fire(entry);
    }
    arm();
  }

  function arm(): void {
    clearTimeout(timeout);
    const next = Math.min(...entries.map(({ dueAt }) => dueAt));
    if (Number.isFinite(next)) timeout = setTimeout(catchUp, Math.max(next - clock.now(), 0)).unref();
  }

  function fire(entry: Entry): void {
    if (entry.isRunning || entry.schedule.mayInvoke?.() === false) return;
    entry.isRunning = true;
    // Failures are logged by the function.
    options
      .invoke(entry.schedule.functionArn, entry.schedule.input ?? {})
      .catch(() => {})
      .finally(() => {
        entry.isRunning = false;
      });
  }

  arm();
  return { catchUp, close: () => clearTimeout(timeout) };
}
