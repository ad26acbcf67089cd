/** Reads new events of the log for hours: at a pace that leaves the request budget to other work, through breaks. */
import type { Budget } from '../budget.ts';
import { ParleyError } from '../errors.ts';
import type { Page } from '../pages.ts';
import type { Event, EventsListQuery } from '../types.ts';
import { type Feed, idBefore, idTime, lagMs, pageEvents } from './feed.ts';

/**
 * Milliseconds from one read to the next. A read costs 5 units: one a second uses a tenth of the default budget of 50 a second. The
 * less is left, the more is left to others.
 */
export function intervalMs(budget: Budget | null): number {
  if (!budget || budget.limit >= noLimit) return 300;
  const left = budget.remaining / budget.limit;
  if (left >= 0.5) return 1000;
  if (left >= 0.25) return 2000;
  return left >= 0.1 ? 5000 : 10_000;
}

/** A local run has a budget that nothing exhausts. */
const noLimit = 1_000_000;
const longestBreakMs = 10_000;
const strangeAnswersMax = 3;
/** How often a reader of some events learns how far the log goes. */
const markEveryMs = 60_000;

export type ListEvents = (query: EventsListQuery) => PromiseLike<Page<Event>>;

/** The id of the newest event; that of the year 1970 for an empty log. */
export async function newestId(list: ListEvents): Promise<string> {
  const { items } = await list({ limit: 1, order: 'desc' });
  return items[0]?.id ?? idBefore(0);
}

export interface PatiencePorts {
  readonly wait: (ms: number) => Promise<void>;
  /** Reading fails, and goes on by itself; null: it works again. */
  readonly onTrouble: (error: ParleyError | null) => void;
  readonly signal: AbortSignal;
}

/** What becomes of reads that fail: waits, or the end. */
export interface Patience {
  succeeded(): void;
  /** Waits as long as the next read should. @throws what time does not mend: the key was deleted */
  failed(error: unknown): Promise<void>;
}

/** @param hasWorked false: several answers that are not of the API, before any that is, are of a wrong address, and thrown */
export function patienceOf({ wait, onTrouble, signal }: PatiencePorts, hasWorked: boolean): Patience {
  let failures = 0;
  let strangeAnswers = hasWorked ? Number.NEGATIVE_INFINITY : 0;
  return {
    succeeded() {
      if (failures > 0) onTrouble(null);
      failures = 0;
      strangeAnswers = Number.NEGATIVE_INFINITY;
    },
    async failed(error) {
      if (signal.aborted) return;
      if (!(error instanceof ParleyError)) throw error;
      if (error.code === 'unexpected_response') strangeAnswers += 1;
      if (strangeAnswers >= strangeAnswersMax || isFinal(error)) throw error;
      if (failures === 0) onTrouble(error);
      failures += 1;
      await wait(breakMs(error, failures));
    },
  };
}

function breakMs({ retryAfter }: ParleyError, failures: number): number {
  if (retryAfter !== null) return Math.min(60, Math.max(1, retryAfter)) * 1000;
  return Math.min(longestBreakMs, 500 * 2 ** failures);
}

/** Whether a repetition would fail in the same way. */
function isFinal({ status, code }: ParleyError): boolean {
  // An answer that was cut, or the page of a proxy.
  if (code === 'unexpected_response') return false;
  if (status === null) return code !== 'connection_error' && code !== 'timeout';
  return status < 500 && status !== 429 && status !== 408;
}

export interface FollowPorts extends PatiencePorts {
  readonly list: ListEvents;
  readonly budget: () => Budget | null;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
  readonly patience?: Patience;
  /** The log was read to its end. */
  readonly onEnd?: () => void;
  /** Reading begins at the end of the log, which was asked for a moment ago. */
  readonly isAtEnd?: boolean;
  /** The newest event of the log: how far a long read goes, and one that leaves events out. */
  readonly newest?: () => Promise<string>;
  /** `list` leaves events out. */
  readonly isFiltered?: boolean;
}

/**
 * New events, page by page, until the signal is aborted. The next page is read when the consumer asks for it.
 *
 * @throws ParleyError that time does not mend: the key was deleted
 */
export async function* follow(feed: Feed, ports: FollowPorts): AsyncGenerator<readonly Event[], void> {
  const patience = ports.patience ?? patienceOf(ports, true);
  let markedAt = Number.NEGATIVE_INFINITY;
  let isAtEnd: boolean = true;
  if (ports.isAtEnd) {
    ports.onEnd?.();
    await ports.wait(intervalMs(ports.budget()));
  }
  while (!ports.signal.aborted) {
    const begunAt = ports.now();
    const isDue = ports.isFiltered === true && begunAt - markedAt >= markEveryMs;
    try {
      const mark = await markOf(ports, isDue || !isAtEnd);
      isAtEnd = false;
      let pages = 0;
      for await (const { fresh, isLast } of readOnce(feed, mark, ports)) {
        patience.succeeded();
        pages += 1;
        // A long read counts as far as its mark: without one, where the next begins is long ago.
        isAtEnd = isLast && (pages === 1 || mark !== null || !ports.newest);
        yield fresh;
      }
      if (ports.signal.aborted) return;
      if (mark) markedAt = begunAt;
      if (!isAtEnd) continue;
      ports.onEnd?.();
    } catch (error) {
      if (ports.signal.aborted) return;
      await patience.failed(error);
      continue;
    }
    await ports.wait(Math.max(0, begunAt + intervalMs(ports.budget()) - ports.now()));
  }
}

const markOf = async ({ newest }: FollowPorts, isWanted: boolean): Promise<string | null> =>
  isWanted && newest ? await newest() : null;

interface Read {
  readonly fresh: readonly Event[];
  /** The log ends with it. */
  readonly isLast: boolean;
}

/**
 * The pages of a read. What appears behind a page that was read is missed: so a read counts up to the newest event at its beginning, and
 * does not go much further.
 *
 * @param mark the newest event, where it was asked for
 */
async function* readOnce(feed: Feed, mark: string | null, ports: FollowPorts): AsyncGenerator<Read, void> {
  const after = mark === null ? feed.next(ports.now()) : feed.resume();
  const isWhole = after === feed.resume();
  const query = { after, order: 'asc', limit: pageEvents } as const;
  let newest = mark ?? feed.latest();
  for (let cursor: string | null | undefined; cursor !== null && !ports.signal.aborted; ) {
    const { items, next_cursor }: Page<Event> = await ports.list(cursor ? { ...query, cursor } : query);
    const last = items.at(-1)?.id ?? '';
    // A page shows all that is in the log at the time of its last event.
    if (cursor === undefined && last > newest) newest = last;
    const isLast = next_cursor === null;
    const upTo = isLast || last > newest ? newest : last;
    yield { fresh: feed.take(items, isWhole ? upTo : ''), isLast };
    cursor = next_cursor;
    if (last !== '' && idTime(last) - idTime(newest) > lagMs) return;
  }
}
