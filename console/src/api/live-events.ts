/** The events of the workspace as they happen, for one tab: batches of them, and how they come. No React. */
import { type Event, type LiveState, ParleyError } from 'parley-client';
import { parley } from './parley.ts';

export type Via = LiveState['via'];

export interface LiveListener {
  readonly onEvents: (events: readonly Event[]) => void;
  readonly onVia: (via: Via) => void;
  /** The session has ended. */
  readonly onSignedOut: () => void;
}

/** Events that happen together are told together. */
const batchMs = 100;
/** After an end that no break of the network explains. */
const restartMs = 30_000;
/** An event may appear behind later ones for a minute (docs/concepts/webhooks.md#event-log). */
const lagMs = 60_000;

/** Follows the events until it is called. */
export function followEvents(listener: LiveListener): () => void {
  const over = new AbortController();
  let current = new AbortController();
  let via: Via = null;
  let newest: string | null = null;
  let isRunning = false;
  const batch = batches(listener.onEvents);

  const tellVia = (next: Via) => {
    via = next;
    listener.onVia(next);
    pauseWhenHidden();
  };

  async function run(): Promise<void> {
    isRunning = true;
    current = new AbortController();
    const { signal } = current;
    try {
      const after = newest && new Date(timeOf(newest) - lagMs);
      for await (const event of parley.events.live({
        after,
        signal,
        onState: (state) => tellVia(state.via),
      })) {
        if (newest === null || event.id > newest) newest = event.id;
        batch.add(event);
      }
    } catch (error) {
      if (over.signal.aborted) return;
      tellVia(null);
      if (error instanceof ParleyError && error.status === 401) listener.onSignedOut();
      else setTimeout(resume, restartMs);
    } finally {
      isRunning = false;
    }
  }

  /** Reading the log in the background would cost the request budget for nobody. */
  function pauseWhenHidden(): void {
    if (document.visibilityState === 'hidden' && via === 'log') current.abort();
  }

  function resume(): void {
    if (!over.signal.aborted && !isRunning && document.visibilityState !== 'hidden') void run();
  }

  const onVisibility = () => (document.visibilityState === 'hidden' ? pauseWhenHidden() : resume());
  document.addEventListener('visibilitychange', onVisibility);
  void run();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    over.abort();
    current.abort();
    batch.stop();
  };
}

function batches(tell: (events: readonly Event[]) => void) {
  let waiting: Event[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(event: Event) {
      waiting.push(event);
      timer ??= setTimeout(() => {
        const events = waiting;
        waiting = [];
        timer = undefined;
        tell(events);
      }, batchMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Unix milliseconds of an event's id. */
const timeOf = (id: string): number => Number.parseInt(id.slice('evt_'.length, 'evt_'.length + 12), 16);
