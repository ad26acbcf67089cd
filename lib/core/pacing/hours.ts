/**
 * Hours rules: whether a schedule is open at a time, and when it opens next (docs/concepts/pacing.md#hours). The clock of
 * the time zone decides: a time that a change to daylight saving time skips never comes, one that it repeats comes twice.
 */

/** A part of a week by the clock of the time zone. */
export interface Window {
  /** 0 is Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight, 0 to 1440. */
  readonly startMinute: number;
  /** At or before `startMinute`: on the next day. */
  readonly endMinute: number;
}

export interface Schedule {
  /** IANA name. */
  readonly timezone: string;
  readonly windows: readonly Window[];
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const formats = new Map<string, Intl.DateTimeFormat>();
/** Time zones of which a function keeps the format. */
const formatsMax = 500;

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  if (formats.size >= formatsMax) formats.clear();
  formats.set(timezone, format);
  return format;
}

/** Whether `name` is a time zone of the IANA database; offsets such as `+01:00` are not. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What the clock of the time zone shows, as if it were UTC; Unix milliseconds, whole minutes. */
function clockAt(timezone: string, atMs: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(timezone).formatToParts(atMs)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** Windows as parts of a week, in minutes from Sunday 0:00; one may run into the next week. */
function partsOf({ windows }: Schedule): readonly { readonly start: number; readonly end: number }[] {
  return windows.flatMap(({ days, startMinute, endMinute }) =>
    days.map((day) => {
      const start = day * 1440 + startMinute;
      const end = day * 1440 + endMinute + (endMinute <= startMinute ? 1440 : 0);
      return { start, end };
    }),
  );
}

const weekMinutes = 7 * 1440;
const weekMinute = (clock: number): number =>
  (new Date(clock).getUTCDay() * 1440 +
    new Date(clock).getUTCHours() * 60 +
    new Date(clock).getUTCMinutes()) %
  weekMinutes;

function isOpenBy(parts: ReturnType<typeof partsOf>, clock: number): boolean {
  const minute = weekMinute(clock);
  return parts.some(
    ({ start, end }) =>
      (minute >= start && minute < end) || (minute + weekMinutes >= start && minute + weekMinutes < end),
  );
}

export function isOpen(schedule: Schedule, atMs: number): boolean {
  return isOpenBy(partsOf(schedule), clockAt(schedule.timezone, atMs));
}

/** A schedule that opens at all is open within this time; changes of the clock can skip a week's only window. */
const searchedDays = 15;

/** The first time from `atMs` at which the schedule is open; `atMs` itself where it is. */
export function nextOpening(schedule: Schedule, atMs: number): number {
  return nextChange(schedule, atMs, true);
}

/** The first time from `atMs` at which the schedule is closed; two weeks later where it never is. */
export function nextClosing(schedule: Schedule, atMs: number): number {
  return nextChange(schedule, atMs, false);
}

function nextChange(schedule: Schedule, atMs: number, wanted: boolean): number {
  const { timezone } = schedule;
  const parts = partsOf(schedule);
  const isWanted = (time: number) => isOpenBy(parts, clockAt(timezone, time)) === wanted;
  if (isWanted(atMs)) return atMs;
  const edges = [...new Set(parts.map(({ start, end }) => (wanted ? start : end) % weekMinutes))];
  for (let from = atMs; from < atMs + searchedDays * dayMs; from += dayMs) {
    const found = timesOf(timezone, edges, from)
      .filter((time) => time > atMs && time >= from && time < from + dayMs && isWanted(time))
      .sort((one, other) => one - other);
    if (found[0] !== undefined) return found[0];
  }
  return atMs + (searchedDays - 1) * dayMs;
}

/**
 * Times within a day from `fromMs` at which something may change: where the clock shows one of these minutes of the week,
 * and where the clock itself is changed.
 */
function timesOf(timezone: string, minutes: readonly number[], fromMs: number): number[] {
  const offsetAt = (time: number) => clockAt(timezone, time) - floorMinute(time);
  const [before, after] = [offsetAt(fromMs), offsetAt(fromMs + dayMs)];
  const offsets = [...new Set([before, after])];
  const times = offsets.flatMap((offset) => {
    const clock = floorMinute(fromMs) + offset;
    const sinceSunday = weekMinute(clock);
    return minutes.map((minute) => {
      const ahead = (minute - sinceSunday + weekMinutes) % weekMinutes;
      return floorMinute(fromMs) + ahead * minuteMs;
    });
  });
  if (before !== after) times.push(changeBetween(offsetAt, floorMinute(fromMs), floorMinute(fromMs) + dayMs));
  return times;
}

/** The minute at which the offset changes. */
function changeBetween(offsetAt: (time: number) => number, fromMs: number, untilMs: number): number {
  let [low, high] = [fromMs, untilMs];
  const first = offsetAt(low);
  while (high - low > minuteMs) {
    const middle = floorMinute((low + high) / 2);
    if (offsetAt(middle) === first) low = middle;
    else high = middle;
  }
  return high;
}

const floorMinute = (time: number): number => Math.floor(time / minuteMs) * minuteMs;
