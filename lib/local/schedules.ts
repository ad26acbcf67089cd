/** Recurring schedules of the template (`rate(…)`), on the local clock. */
import type { LocalClock } from './aws/service.ts';

export interface RateSchedule {
  readonly expression: string;
  readonly functionArn: string;
}

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Milliseconds between two firings of `rate(5 minutes)`. */
export function rateMs(expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = unitMs[unit];
  if (!ms) throw new Error(`the local cloud knows no schedules of the form ${expression}`);
  return Number(count) * ms;
}

export interface Schedules {
  /** To be called after the clock was moved: runs what came due. */
  catchUp(): void;
  close(): void;
}

/** A schedule's next time, and whether a run is under way. */
interface Entry {
  readonly schedule: RateSchedule;
  readonly everyMs: number;
  dueAt: number;
  isRunning: boolean;
}

/**
 * Starts the schedules. They do not stop the clock on its way, as timers of the clock would: a jump over a week would
 * take ten thousand runs of what comes every minute. One run after the jump does the work of all.
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
  let alarm: NodeJS.Timeout | undefined;

  function catchUp(): void {
    for (const entry of entries) {
      if (entry.dueAt > clock.now()) continue;
      entry.dueAt = clock.now() + entry.everyMs;
      fire(entry);
    }
    arm();
  }

  function arm(): void {
    clearTimeout(alarm);
    const next = Math.min(...entries.map(({ dueAt }) => dueAt));
    if (Number.isFinite(next)) alarm = setTimeout(catchUp, Math.max(next - clock.now(), 0)).unref();
  }

  function fire(entry: Entry): void {
    if (entry.isRunning) return;
    entry.isRunning = true;
    // A failure is in the log of the function; the next run comes anyway.
    options
      .invoke(entry.schedule.functionArn, {})
      .catch(() => {})
      .finally(() => {
        entry.isRunning = false;
      });
  }

  arm();
  return { catchUp, close: () => clearTimeout(alarm) };
}
