/** One live connection for each tab: what an event makes old is read again, and pages can listen. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Event } from 'parley-client';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { followEvents, type Via } from './live-events.ts';

interface Live {
  /** How events come at present; null: not at all. */
  readonly via: Via;
  /** @returns ends it */
  readonly listen: (listener: (events: readonly Event[]) => void) => () => void;
}

const LiveContext = createContext<Live>({ via: null, listen: () => () => {} });

/** What an event makes old, by the beginning of its type; the first parts of query keys. A draft that is open stays as it was read. */
const staleBy: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ['email.', [['threads'], ['emails']]],
  ['email.drafted', [['drafts', 'list']]],
  ['email.approved', [['drafts', 'list'], ['pacing-queue']]],
  ['email.canceled', [['drafts', 'list'], ['pacing-queue']]],
  ['email.sent', [['pacing-queue']]],
  ['email.bounced', [['suppressions']]],
  ['email.complained', [['suppressions']]],
  ['email.unsubscribed', [['suppressions']]],
  ['thread.', [['threads']]],
  ['domain.', [['domains']]],
  ['mailbox.', [['mailboxes']]],
];

/** Lists are read again at most this often, however much happens. */
const readAgainMs = 2_000;

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [via, setVia] = useState<Via>(null);
  const listeners = useRef(new Set<(events: readonly Event[]) => void>());
  useEffect(() => {
    const reader = readsAgain(client);
    const end = followEvents({
      onEvents: (events) => {
        for (const listener of listeners.current) listener(events);
        reader.add(events);
      },
      onVia: setVia,
      onSignedOut: () => void client.invalidateQueries({ queryKey: ['session'] }),
    });
    return () => {
      end();
      reader.stop();
    };
  }, [client]);
  const listen = useCallback<Live['listen']>((listener) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);
  const live = useMemo<Live>(() => ({ via, listen }), [via, listen]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

function readsAgain(client: QueryClient) {
  const stale = new Set<readonly string[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = () => {
    timer = undefined;
    readAt = performance.now();
    for (const queryKey of stale) void client.invalidateQueries({ queryKey });
    stale.clear();
  };
  return {
    add(events: readonly Event[]) {
      for (const { type } of events) {
        for (const [start, keys] of staleBy)
          if (type.startsWith(start)) for (const key of keys) stale.add(key);
      }
      if (stale.size > 0) timer ??= setTimeout(read, Math.max(0, readAt + readAgainMs - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
}

export const useLive = (): Live => useContext(LiveContext);

/** Where events come by themselves; labels, read marks and claims make none. */
const quietMs = 60_000;

/** How often a list is read again. @param ms while no events come over a connection */
export const useRefetchMs = (ms: number): number => (useLive().via === 'socket' ? quietMs : ms);
