/** Reads new events of a deployment for hours: at a pace that leaves the request budget to other work, through breaks. */
import {
  type Event,
  type EventsListQuery,
  type Fetch,
  type Page,
  type PagePromise,
  ParleyError,
} from '../../../typescript/src/index.ts';
import { type Feed, pageEvents } from './feed.ts';

/** What the answers say about the request budget (docs/concepts/request-budget.md#headers). */
export interface Budget {
  readonly limit: number;
  readonly remaining: number;
}

/** A `fetch` that remembers the budget of the last answer; null: answers had none. */
export function budgetReader(fetch: Fetch = (url, init) => globalThis.fetch(url, init)) {
  let budget: Budget | null = null;
  const reader: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    const [limit, remaining] = ['RateLimit-Limit', 'RateLimit-Remaining'].map((name) =>
      Number(response.headers.get(name) ?? Number.NaN),
    ) as [number, number];
    if (limit > 0 && remaining >= 0) budget = { limit, remaining };
    return response;
  };
  return { fetch: reader, budget: () => budget };
}

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

export interface FollowPorts {
  readonly list: (query: EventsListQuery) => PagePromise<Event> | Promise<Page<Event>>;
  readonly budget: () => Budget | null;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Reading fails, and goes on by itself; null: it works again. */
  readonly onTrouble: (error: ParleyError | null) => void;
  readonly signal: AbortSignal;
}

/**
 * New events, page by page, until the signal is aborted. The next page is read when the consumer asks for it.
 *
 * @throws ParleyError that time does not mend: the key was deleted
 */
export async function* follow(feed: Feed, ports: FollowPorts): AsyncGenerator<readonly Event[], void> {
  let failures = 0;
  while (!ports.signal.aborted) {
    const begunAt = ports.now();
    try {
      for await (const events of pages(feed, ports)) {
        if (failures > 0) ports.onTrouble(null);
        failures = 0;
        yield events;
      }
    } catch (error) {
      if (ports.signal.aborted) return;
      if (!(error instanceof ParleyError) || isFinal(error)) throw error;
      if (failures === 0) ports.onTrouble(error);
      failures += 1;
      await ports.wait(breakMs(error, failures));
      continue;
    }
    await ports.wait(Math.max(0, begunAt + intervalMs(ports.budget()) - ports.now()));
  }
}

async function* pages(feed: Feed, ports: FollowPorts): AsyncGenerator<readonly Event[], void> {
  const query = { after: feed.next(ports.now()), order: 'asc', limit: pageEvents } as const;
  let page: Page<Event> | null = await ports.list(query);
  while (page && !ports.signal.aborted) {
    yield feed.take(page.items);
    page = page.next_cursor === null ? null : await ports.list({ ...query, cursor: page.next_cursor });
  }
}

function breakMs({ retryAfter }: ParleyError, failures: number): number {
  if (retryAfter !== null) return Math.min(60, Math.max(1, retryAfter)) * 1000;
  return Math.min(longestBreakMs, 500 * 2 ** failures);
}

/** Whether a repetition would fail in the same way. */
function isFinal({ status, code }: ParleyError): boolean {
  // An answer that was cut, or the page of a proxy: the first call of the command has found the API at this address.
  if (code === 'unexpected_response') return false;
  if (status === null) return code !== 'connection_error' && code !== 'timeout';
  return status < 500 && status !== 429 && status !== 408;
}
