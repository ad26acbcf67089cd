/** The event log as it grows: the newest page, new events within two seconds, older ones on request. */
import type { Event, EventType } from 'parley-client';
import { ParleyError } from 'parley-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { parley } from '../../api/parley.ts';

const pageSize = 50;
/** A list of events costs 5 units of the request budget, of which 50 refill in a second by default. */
const pollMs = 1_500;
/** Events with files are recorded late: each look reads this time again. */
const overlapMs = 20_000;
/** Pages of one look: a workspace with more events in that time is read further with the next look. */
const pagesMax = 3;
/** Events kept in the page. */
const shownMax = 2_000;

export interface LiveEvents {
  /** Newest first. */
  readonly events: readonly Event[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
  readonly loadMore: () => void;
}

/** New ids first; each id once. */
function merge(known: readonly Event[], more: readonly Event[]): readonly Event[] {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = more.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return known;
  return [...known, ...fresh].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, shownMax);
}

async function readNew(types: readonly EventType[], since: string): Promise<readonly Event[]> {
  const found: Event[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const { items, next_cursor } = await parley.events.list({
      type: types,
      after: since,
      order: 'asc',
      limit: 100,
      cursor,
    });
    found.push(...items);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return found;
}

/** Where the next look begins: before the newest known event. */
const sinceOf = (events: readonly Event[], openedAt: number): string => {
  const [newest] = events;
  return new Date((newest ? Date.parse(newest.created_at) : openedAt) - overlapMs).toISOString();
};

const typesOf = (filter: string): EventType[] => (filter ? (filter.split(' ') as EventType[]) : []);

const readPage = async (filter: string, before: string | undefined) =>
  await parley.events.list({ type: typesOf(filter), before, limit: pageSize });

/** How long to wait after a failure; a spent request budget says it itself. */
const waitAfter = (cause: unknown): number =>
  Math.max(5_000, (cause instanceof ParleyError ? (cause.retryAfter ?? 0) : 0) * 1_000);

/** Calls `look` again and again while `isOn`. `look` returns after how many milliseconds it is called next. */
function useLooks(isOn: boolean, look: () => Promise<number>): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!isOn) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const next = (waitMs: number) => {
      if (isOver) return;
      timer = setTimeout(() => void latest.current().then(next), waitMs);
    };
    next(pollMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOn]);
}

interface Log {
  /** The types that it has, joined by blanks. */
  readonly filter: string;
  readonly events: readonly Event[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
}

const emptyLog = (filter: string): Log => ({
  filter,
  events: [],
  isLoading: true,
  isLoadingMore: false,
  hasMore: false,
  error: null,
});

export function useLiveEvents(types: readonly EventType[], isLive: boolean): LiveEvents {
  const filter = types.join(' ');
  const [log, setLog] = useState(emptyLog(filter));
  const [openedAt] = useState(() => Date.now());
  // An answer for types that are no longer chosen is dropped.
  const change = useCallback(
    (next: (before: Log) => Partial<Log>) =>
      setLog((before) => (before.filter === filter ? { ...before, ...next(before) } : before)),
    [filter],
  );
  const addPage = useCallback(
    (before: string | undefined) =>
      readPage(filter, before).then(
        ({ items, next_cursor }) =>
          change(({ events }) => ({
            events: merge(events, items),
            isLoading: false,
            isLoadingMore: false,
            hasMore: next_cursor !== null,
            error: null,
          })),
        (error: unknown) => change(() => ({ error, isLoading: false, isLoadingMore: false })),
      ),
    [filter, change],
  );
  useEffect(() => {
    setLog(emptyLog(filter));
    void addPage(undefined);
  }, [filter, addPage]);
  useLooks(isLive && !log.isLoading, async () => {
    // A page in the background asks for nothing.
    if (document.visibilityState !== 'visible') return pollMs;
    try {
      const fresh = await readNew(typesOf(filter), sinceOf(log.events, openedAt));
      change(({ events }) => ({ events: merge(events, fresh), error: null }));
      return pollMs;
    } catch (error) {
      change(() => ({ error }));
      return waitAfter(error);
    }
  });
  return {
    ...log,
    loadMore: () => {
      change(() => ({ isLoadingMore: true }));
      void addPage(log.events.at(-1)?.id);
    },
  };
}
