/**
 * The position in the event log: which page to read next, and which events are new. An event can appear behind later ones for a
 * minute (docs/concepts/webhooks.md#event-log), so that reads begin a minute before the last event up to which all was read, and skip
 * the known ones. Times are those of the ids, so that the clock of this machine does not matter. Pure.
 */
import type { Event } from '../types.ts';

/** How long an event may take to appear behind one with a later id. */
export const lagMs = 60_000;
/** Known events that a quick read begins before, so that one page of 100 has room for new ones. */
const knownPerRead = 40;
/** How often the whole minute is read where it does not fit into a quick read. */
export const sweepEveryMs = 10_000;
export const pageEvents = 100;

export const eventIdPattern = /^evt_[0-9a-f]{32}$/;

/** Unix milliseconds of an event's id, by the clock of the deployment. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice('evt_'.length, 'evt_'.length + 12), 16);
}

/** The least id of a millisecond: `after` has it excluded. */
export function idBefore(atMs: number): string {
  return `evt_${Math.max(0, Math.trunc(atMs)).toString(16).padStart(12, '0')}${'0'.repeat(20)}`;
}

export interface Feed {
  /** `after` of the next read; it is whole where that is `resume`. @param nowMs of any steady clock, for the pace of sweeps */
  next(nowMs: number): string;
  /** Where a whole read, or a connection, begins. */
  resume(): string;
  /**
   * The events that are new, in their order; they are known from then on.
   *
   * @param upTo whatever was in the log, up to this id, at the time of this id, has been taken. Default: that of the last event, as in a
   * page from `resume` on. Empty: of a read that began later.
   */
  take(events: readonly Event[], upTo?: string): Event[];
  has(id: string): boolean;
  /** The latest id that is known. */
  latest(): string;
}

/** @param start id that the first read begins behind */
export function feedFrom(start: string): Feed {
  /** Those that a read may give again, in the order of their ids. */
  let ids: string[] = [];
  /** Those of the last minutes, in the order in which they came: a connection may give them again, however late they were. */
  let [recent, before] = [new Set<string>(), new Set<string>()];
  let recentSince = start;
  let known = new Set<string>();
  let latest = start;
  let covered = start;
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  const has = (id: string) => known.has(id) || recent.has(id) || before.has(id);
  const resume = () => maxOf(start, earlier(covered));

  function add(id: string): void {
    latest = maxOf(latest, id);
    recent.add(id);
    if (id <= resume()) return;
    known.add(id);
    const isSorted = id > (ids.at(-1) ?? '');
    ids.push(id);
    if (!isSorted) ids.sort();
  }

  function forget(): void {
    const oldest = resume();
    const found = ids.findIndex((id) => id > oldest);
    if (found === 0) return;
    ids = found < 0 ? [] : ids.slice(found);
    known = new Set(ids);
  }

  return {
    has,
    resume,
    latest: () => latest,
    next(nowMs) {
      const whole = resume();
      const quick = ids.at(-knownPerRead - 1);
      if (quick === undefined || quick <= whole) return whole;
      if (nowMs - sweptAtMs < sweepEveryMs) return quick;
      sweptAtMs = nowMs;
      return whole;
    },
    take(events, upTo = events.at(-1)?.id ?? '') {
      if (idTime(latest) - idTime(recentSince) >= 2 * lagMs) {
        [recent, before] = [new Set(), recent];
        recentSince = latest;
      }
      const fresh: Event[] = [];
      for (const event of events) {
        if (has(event.id)) continue;
        add(event.id);
        fresh.push(event);
      }
      if (upTo > covered) {
        covered = upTo;
        latest = maxOf(latest, upTo);
        forget();
      }
      return fresh;
    },
  };
}

/** A minute before an id. */
const earlier = (id: string): string => idBefore(idTime(id) - lagMs);

const maxOf = (one: string, other: string): string => (one > other ? one : other);
