/**
 * Follows the event log: which page to read next, and which of its events are new. An event can appear behind later ones for a
 * minute (docs/concepts/webhooks.md#event-log), so that each read begins before the last known event and skips the known ones.
 * Times are those of the ids, so that the clock of this machine does not matter. Pure.
 */
import type { Event } from '../../../typescript/src/index.ts';

/** How long an event may take to appear behind one with a later id. */
export const lagMs = 60_000;
/** Known events that a quick read begins before, so that one page of 100 has room for new ones. */
const knownPerRead = 40;
/** How often the whole minute is read where it does not fit into a quick read. */
export const sweepEveryMs = 10_000;
export const pageEvents = 100;

/** Unix milliseconds of an event's id, by the clock of the deployment. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice('evt_'.length, 'evt_'.length + 12), 16);
}

/** The least id of a millisecond: `after` has it excluded. */
export function idBefore(atMs: number): string {
  return `evt_${Math.max(0, Math.trunc(atMs)).toString(16).padStart(12, '0')}${'0'.repeat(20)}`;
}

export interface Feed {
  /** `after` of the next read. @param nowMs of any steady clock, for the pace of sweeps */
  next(nowMs: number): string;
  /** The events of a page that are new, in their order; they are known from then on. */
  take(events: readonly Event[]): Event[];
  /** The latest id that is known. */
  latest(): string;
}

/**
 * @param start id that the first read begins behind
 * @param known ids behind `start` that are not new
 */
export function feedFrom(start: string, known: Iterable<string> = []): Feed {
  /** In the order of their ids. */
  let ids = [...known].sort();
  const seen = new Set(ids);
  let latest = ids.at(-1) ?? start;
  if (latest < start) latest = start;
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  return {
    next(nowMs) {
      const whole = maxOf(start, idBefore(idTime(latest) - lagMs));
      const quick = ids.at(-knownPerRead - 1);
      if (quick === undefined || quick <= whole) return whole;
      if (nowMs - sweptAtMs < sweepEveryMs) return quick;
      sweptAtMs = nowMs;
      return whole;
    },
    take(events) {
      const fresh = events.filter(({ id }) => !seen.has(id) && id > start);
      if (fresh.length === 0) return fresh;
      for (const { id } of fresh) {
        seen.add(id);
        ids.push(id);
        latest = maxOf(latest, id);
      }
      ids.sort();
      const oldest = idBefore(idTime(latest) - 2 * lagMs);
      const cut = ids.findIndex((id) => id > oldest);
      for (const id of ids.slice(0, cut)) seen.delete(id);
      ids = ids.slice(cut);
      return fresh;
    },
    latest: () => latest,
  };
}

const maxOf = (one: string, other: string): string => (one > other ? one : other);
