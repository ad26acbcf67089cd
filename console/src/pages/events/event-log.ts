/** The events that a page shows, newest first. */
import type { Event } from 'parley-client';

/** Events kept in the page; older ones are not loaded. */
export const shownMax = 2_000;

/** New ids first; each id once. */
export function merge(known: readonly Event[], more: readonly Event[]): readonly Event[] {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = more.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return known;
  return [...known, ...fresh].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, shownMax);
}

/** The events with an older page, and whether there is a further one that the page has room for. */
export function withPage(known: readonly Event[], items: readonly Event[], nextCursor: string | null) {
  const events = merge(known, items);
  return { events, hasMore: nextCursor !== null && events.length < shownMax };
}
