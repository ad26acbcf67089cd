/** The event log as it grows: the newest page, new events as they come, older ones on request. */
import type { Event, EventType } from 'parley-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLive } from '../../api/live.tsx';
import { parley } from '../../api/parley.ts';
import { merge, shownMax, withPage } from './event-log.ts';

const pageSize = 50;

export interface LiveEvents {
  /** Newest first. */
  readonly events: readonly Event[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
  readonly loadMore: () => void;
}

const typesOf = (filter: string): EventType[] => (filter ? (filter.split(' ') as EventType[]) : []);

const readPage = async (filter: string, before: string | undefined) =>
  await parley.events.list({ type: typesOf(filter), before, limit: pageSize });

/** Calls `take` with events as they come; with those that came meanwhile when it is on again. */
function useNewEvents(isOn: boolean, take: (events: readonly Event[]) => void): void {
  const { listen } = useLive();
  const latest = useRef(take);
  latest.current = take;
  const held = useRef<readonly Event[]>([]);
  useEffect(() => {
    if (isOn && held.current.length > 0) latest.current(held.current);
    if (isOn) held.current = [];
    return listen((events) => {
      if (isOn) latest.current(events);
      else held.current = [...held.current, ...events].slice(-shownMax);
    });
  }, [isOn, listen]);
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
            ...withPage(events, items, next_cursor),
            isLoading: false,
            isLoadingMore: false,
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
  useNewEvents(isLive, (events) => {
    const wanted = typesOf(filter);
    const ofTypes = events.filter(({ type }) => wanted.length === 0 || wanted.includes(type));
    change((before) => ({ events: merge(before.events, ofTypes) }));
  });
  return {
    ...log,
    loadMore: () => {
      change(() => ({ isLoadingMore: true }));
      void addPage(log.events.at(-1)?.id);
    },
  };
}
