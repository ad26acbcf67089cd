/** A week of half hours, and the windows of a schedule that it stands for. */
import type { PacingWindow } from 'parley-client';

export const slotsOfDay = 48;
const minutesOfSlot = 30;
const minutesOfDay = 1440;

/** Days as the API numbers them, from Monday on. */
export const weekDays = [1, 2, 3, 4, 5, 6, 0] as const;
export const dayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** Open half hours: `day * 48 + half hour`, day 0 is Sunday. */
export type Week = ReadonlySet<number>;

export const slotAt = (day: number, slot: number): number => day * slotsOfDay + slot;

/** "09:30"; the end of a day is "24:00". */
export function clockText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** undefined: not a time of day. */
export function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(text.trim()) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && minute <= minutesOfDay ? minute : undefined;
}

/** The part of a window on its first day, and the one on the next day. */
function partsOf({ start_minute: start, end_minute: end }: PacingWindow) {
  if (end > start) return [{ later: 0, start, end }];
  return [
    { later: 0, start, end: minutesOfDay },
    { later: 1, start: 0, end },
  ];
}

/** Whether the windows begin and end at half hours: a week shows them as they are. */
export const isAligned = (windows: readonly PacingWindow[]): boolean =>
  windows.every(
    ({ start_minute: start, end_minute: end }) => start % minutesOfSlot === 0 && end % minutesOfSlot === 0,
  );

/** Half hours of which any minute is open. */
export function weekOf(windows: readonly PacingWindow[]): Week {
  const open = new Set<number>();
  for (const window of windows) {
    for (const day of window.days) {
      for (const { later, start, end } of partsOf(window)) {
        for (let slot = Math.floor(start / minutesOfSlot); slot * minutesOfSlot < end; slot++) {
          open.add(slotAt((day + later) % 7, slot));
        }
      }
    }
  }
  return open;
}

/** The runs of open half hours of a day, in minutes. */
function runsOf(week: Week, day: number): (readonly [start: number, end: number])[] {
  const runs: [number, number][] = [];
  for (let slot = 0; slot < slotsOfDay; slot++) {
    if (!week.has(slotAt(day, slot))) continue;
    const last = runs.at(-1);
    const start = slot * minutesOfSlot;
    if (last?.[1] === start) last[1] = start + minutesOfSlot;
    else runs.push([start, start + minutesOfSlot]);
  }
  return runs;
}

/** The fewest windows by day that open a week: days with the same hours share one. */
export function windowsOf(week: Week): PacingWindow[] {
  const days = new Map<string, PacingWindow & { days: number[] }>();
  for (const day of weekDays) {
    for (const [start, end] of runsOf(week, day)) {
      const key = `${start} ${end}`;
      const window = days.get(key) ?? { days: [], start_minute: start, end_minute: end };
      days.set(key, window);
      window.days.push(day);
    }
  }
  return [...days.values()];
}

/** All slots of the rectangle between two corners, in the order of `weekDays`. */
export function rectangle(a: number, b: number): number[] {
  const column = (slot: number) => weekDays.findIndex((day) => day === Math.floor(slot / slotsOfDay));
  const [left, right] = [column(a), column(b)].toSorted((x, y) => x - y);
  const [top, bottom] = [a % slotsOfDay, b % slotsOfDay].toSorted((x, y) => x - y);
  return weekDays
    .slice(left, (right ?? 0) + 1)
    .flatMap((day) =>
      Array.from({ length: (bottom ?? 0) - (top ?? 0) + 1 }, (_, at) => slotAt(day, (top ?? 0) + at)),
    );
}

/** "Mon–Fri", "Mon, Wed". */
export function daysText(days: readonly number[]): string {
  const columns = weekDays.flatMap((day, at) => (days.includes(day) ? [at] : []));
  if (columns.length === 7) return 'Every day';
  const name = (column: number) => dayNames[weekDays[column] ?? 0].slice(0, 3);
  const runs: number[][] = [];
  for (const column of columns) {
    const last = runs.at(-1);
    if (last?.at(-1) === column - 1) last.push(column);
    else runs.push([column]);
  }
  return runs
    .map((run) =>
      run.length > 2 ? `${name(run[0] ?? 0)}–${name(run.at(-1) ?? 0)}` : run.map(name).join(', '),
    )
    .join(', ');
}

export function windowText({ days, start_minute: start, end_minute: end }: PacingWindow): string {
  if (start === 0 && end === minutesOfDay) return `${daysText(days)}, all day`;
  return `${daysText(days)} ${clockText(start)}–${clockText(end)}${end <= start ? ' of the next day' : ''}`;
}
