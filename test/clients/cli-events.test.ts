/** How `listen` and `tail` follow the event log: order, lag, breaks, restarts, the request budget. Without a cloud. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { forward } from '../../clients/cli/src/events/forward.ts';
import { openJournal } from '../../clients/cli/src/events/journal.ts';
import { type Budget, budgetOf } from '../../clients/typescript/src/budget.ts';
import { type Event, type EventsListQuery, Page, ParleyError } from '../../clients/typescript/src/index.ts';
import { feedFrom, idBefore, idTime, lagMs } from '../../clients/typescript/src/live/feed.ts';
import { follow, intervalMs } from '../../clients/typescript/src/live/log.ts';
import { receiver } from '../support/receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-events-'));
afterAll(() => rmSync(folder, { recursive: true }));

const startMs = Date.UTC(2027, 0, 31);
/** The id of an event. @param number tells those of a millisecond apart */
const idAt = (ms: number, number = 1): string =>
  `${idBefore(startMs + ms).slice(0, 16)}${String(number).padStart(20, '0')}`;
const eventAt = (ms: number, number = 1, type = 'email.sent'): Event =>
  ({ id: idAt(ms, number), type, created_at: '', space_id: null, data: {} }) as unknown as Event;

/** An event log in which events appear at times of their own. */
function eventLog() {
  const events: Event[] = [];
  const queries: EventsListQuery[] = [];
  const list = async (query: EventsListQuery): Promise<Page<Event>> => {
    queries.push(query);
    const { after = '', limit = 20, cursor = after } = query;
    const found = events.filter(({ id }) => id > cursor).sort((a, b) => (a.id < b.id ? -1 : 1));
    const data = found.slice(0, limit);
    const next_cursor = found.length > limit ? (data.at(-1)?.id ?? null) : null;
    return new Page({ data, next_cursor }, async () => ({ data: [], next_cursor: null }));
  };
  return { events, queries, list };
}

/** `follow` until nothing is left to do; time passes only by its waits. */
async function followed(
  steps: readonly (() => void)[],
  list: (query: EventsListQuery) => Promise<Page<Event>>,
  { feed = feedFrom(idBefore(0)), budget = null as Budget | null } = {},
) {
  const [ids, waits, troubles]: [string[], number[], (string | null)[]] = [[], [], []];
  const stop = new AbortController();
  const rest = [...steps];
  let nowMs = 0;
  const ports = {
    list,
    budget: () => budget,
    now: () => nowMs,
    wait: async (ms: number) => {
      waits.push(ms);
      nowMs += ms;
      const step = rest.shift();
      if (step) step();
      else stop.abort();
    },
    onTrouble: (error: ParleyError | null) => troubles.push(error?.code ?? null),
    signal: stop.signal,
  };
  for await (const events of follow(feed, ports)) ids.push(...events.map(({ id }) => id));
  return { ids, waits, troubles };
}

describe('feed', () => {
  it('begins a minute before the last known event, by the clock of the ids', () => {
    const feed = feedFrom(idAt(0));
    expect(feed.next(0)).toBe(idAt(0));
    feed.take([eventAt(10), eventAt(lagMs * 3)]);
    expect(idTime(feed.next(0))).toBe(startMs + lagMs * 2);
  });

  it('gives each event once, whatever the order in which they appear within a minute', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ ms: fc.nat(600_000), late: fc.nat(lagMs - 1) }), { maxLength: 60 }),
        (made) => {
          const all = made.map(({ ms, late }, number) => ({
            event: eventAt(ms, number),
            shownAt: ms + late,
          }));
          const feed = feedFrom(idBefore(startMs - 1));
          const given: string[] = [];
          for (let now = 0; now <= 700_000; now += 10_000) {
            const after = feed.next(now);
            const shown = all.filter(({ event, shownAt }) => shownAt <= now && event.id > after);
            const page = shown.map(({ event }) => event).sort((a, b) => (a.id < b.id ? -1 : 1));
            given.push(...feed.take(page).map(({ id }) => id));
          }
          expect(given.toSorted()).toEqual(all.map(({ event }) => event.id).toSorted());
        },
      ),
    );
  });

  it('reads one page where many events are known, and the whole minute every ten seconds', () => {
    const feed = feedFrom(idAt(0));
    feed.take(Array.from({ length: 300 }, (_, index) => eventAt(100 + index)));
    expect(feed.next(0)).toBe(idAt(0));
    expect(feed.next(1000)).toBe(idAt(100 + 300 - 41));
    expect(feed.next(9999)).toBe(idAt(100 + 300 - 41));
    expect(feed.next(10_000)).toBe(idAt(0));
  });

  it('keeps the memory of two minutes', () => {
    const feed = feedFrom(idAt(0));
    for (let minute = 1; minute <= 60; minute += 1) feed.take([eventAt(minute * lagMs)]);
    // An event of the first minute is forgotten: the page never has it, since reading begins later.
    expect(feed.take([eventAt(lagMs)])).toHaveLength(1);
    expect(feed.take([eventAt(59 * lagMs)])).toEqual([]);
  });
});

describe('follow', () => {
  it('goes through all pages, and on with what comes later or late', async () => {
    const log = eventLog();
    for (let number = 0; number < 250; number += 1) log.events.push(eventAt(number));
    const later = () => log.events.push(eventAt(90_000));
    const late = () => log.events.push(eventAt(60_000));
    const { ids } = await followed([later, late, () => {}], log.list);
    expect(ids).toHaveLength(252);
    expect(ids.slice(-2)).toEqual([idAt(90_000), idAt(60_000)]);
    expect(log.queries[0]).toEqual({ after: idBefore(0), order: 'asc', limit: 100 });
  });

  it('breaks off for a while when the network or the service fails, and loses nothing', async () => {
    const log = eventLog();
    const errors = [
      new ParleyError('connection_error', { detail: 'No answer.' }),
      new ParleyError('too_many_requests', { detail: 'Slow down.', status: 429, retryAfter: 7 }),
      new ParleyError('gateway_error', { detail: 'x', status: 503 }),
      new ParleyError('unexpected_response', { detail: 'It was cut.', status: 200 }),
    ];
    const list = async (query: EventsListQuery) => {
      const error = errors.shift();
      if (error) throw error;
      return await log.list(query);
    };
    const { ids, waits, troubles } = await followed(
      [() => log.events.push(eventAt(0)), ...Array(4).fill(() => {})],
      list,
    );
    expect(ids).toEqual([idAt(0)]);
    expect(waits.slice(0, 4)).toEqual([1000, 7000, 4000, 8000]);
    expect(troubles).toEqual(['connection_error', null]);
  });

  it.each([
    ['unauthorized', 401],
    ['forbidden', 403],
    ['invalid_request', 422],
  ])('ends with %s: time does not mend it', async (code, status) => {
    const list = async () => {
      throw new ParleyError(code, { detail: 'x', status });
    };
    await expect(followed([() => {}], list)).rejects.toMatchObject({ code });
  });

  it.each([
    [null, 300],
    [{ limit: 1_000_000_000, remaining: 1_000_000_000 }, 300],
    [{ limit: 500, remaining: 500 }, 1000],
    [{ limit: 500, remaining: 250 }, 1000],
    [{ limit: 500, remaining: 249 }, 2000],
    [{ limit: 500, remaining: 124 }, 5000],
    [{ limit: 500, remaining: 49 }, 10_000],
  ])('reads at a pace that leaves the budget %j to others: every %i ms', async (budget, expected) => {
    expect(intervalMs(budget)).toBe(expected);
    expect((await followed([() => {}], eventLog().list, { budget })).waits).toEqual([expected, expected]);
  });

  it('knows the budget from the answers', () => {
    expect(budgetOf(new Headers({ 'RateLimit-Limit': '500', 'RateLimit-Remaining': '120' }))).toEqual({
      limit: 500,
      remaining: 120,
    });
    expect(budgetOf(new Headers())).toBeNull();
    expect(budgetOf(new Headers({ 'RateLimit-Limit': 'many', 'RateLimit-Remaining': '1' }))).toBeNull();
  });
});

describe('journal', () => {
  let number = 0;
  const subject = () => {
    number += 1;
    return ['https://a.example', 'key', `http://localhost/${number}`];
  };
  const fileOf = () =>
    readdirSync(join(folder, 'listen'))
      .filter((name) => !name.endsWith('.lock'))
      .map((name) => join(folder, 'listen', name));

  it('goes on a minute before the last event, without those that are done', () => {
    const about = subject();
    const first = openJournal(folder, about);
    expect(first.found).toBeNull();
    first.begin({ start: idAt(0), done: [] });
    for (const ms of [10, lagMs, lagMs * 2]) {
      first.started(idAt(ms));
      first.ended(idAt(ms));
    }
    first.close();
    const second = openJournal(folder, about);
    expect(second.found).toEqual({ start: idBefore(startMs + lagMs), done: [idAt(lagMs), idAt(lagMs * 2)] });
    second.close();
  });

  it('posts again what had begun when the process died, however long ago', () => {
    const about = subject();
    const first = openJournal(folder, about);
    first.begin({ start: idAt(0), done: [] });
    first.started(idAt(10));
    for (const ms of [20, lagMs * 5]) {
      first.started(idAt(ms));
      first.ended(idAt(ms));
    }
    first.close();
    const second = openJournal(folder, about);
    const { start, done } = second.found ?? { start: '', done: [] };
    expect(start < idAt(10) && start > idAt(0)).toBe(true);
    expect(done).toEqual([idAt(20), idAt(lagMs * 5)]);
    second.close();
  });

  it('survives a line that was cut, and knows how far events passed that were not posted', () => {
    const about = subject();
    const before = new Set(fileOf());
    const first = openJournal(folder, about);
    first.begin({ start: idAt(0), done: [] });
    first.passed(idAt(lagMs * 9));
    first.close();
    const [file = ''] = fileOf().filter((one) => !before.has(one));
    appendFileSync(file, `+${idAt(lagMs * 99).slice(0, 20)}`);
    const second = openJournal(folder, about);
    expect(second.found?.start).toBe(idBefore(startMs + lagMs * 8));
    second.close();
    writeFileSync(file, 'garbage\u0000\n');
    const third = openJournal(folder, about);
    expect(third.found).toBeNull();
    third.close();
  });

  it('stays small, and the same', () => {
    const about = subject();
    const before = new Set(fileOf());
    const journal = openJournal(folder, about);
    journal.begin({ start: idAt(0), done: [] });
    for (let index = 1; index <= 10_005; index += 1) {
      journal.started(idAt(index * 1000));
      journal.ended(idAt(index * 1000));
    }
    journal.close();
    const [file = ''] = fileOf().filter((one) => !before.has(one));
    expect(readFileSync(file, 'utf8').length).toBeLessThan(10_000);
    const { found, close } = openJournal(folder, about);
    expect(found?.start).toBe(idBefore(startMs + 10_005_000 - lagMs));
    expect(found?.done).toHaveLength(61);
    close();
  });

  it('is of one process at a time, and of the next one when that died', () => {
    const about = subject();
    const first = openJournal(folder, about);
    expect(() => openJournal(folder, about)).toThrow('Another parley listen forwards to this address.');
    const lock = readdirSync(join(folder, 'listen')).find((name) => name.endsWith('.lock')) ?? '';
    // No process has this id.
    writeFileSync(join(folder, 'listen', lock), '2147483646\n');
    openJournal(folder, about).close();
    first.close();
  });
});

describe('forward', () => {
  it('posts each event until it succeeds, goes on after four failures, and writes each step down', async () => {
    const hook = await receiver((_, index) => ({ status: index === 0 ? 200 : 404 }));
    const steps: string[] = [];
    const journal = {
      found: null,
      begin: () => {},
      started: (id: string) => steps.push(`+${id}`),
      ended: (id: string) => steps.push(`-${id}`),
      passed: (id: string) => steps.push(`@${id}`),
      close: () => {},
    };
    const attempts: unknown[] = [];
    const events = (async function* () {
      yield* [eventAt(0), eventAt(1), eventAt(2, 1, 'email.opened')];
    })();
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
    const isDone = await forward(events, {
      target: { url: hook.url, secret, brand: 'Acme' },
      journal,
      done: new Set([idAt(0)]),
      types: new Set(['email.sent']),
      isOnce: false,
      onAttempt: (event, { status }, retryInMs) => attempts.push([event.id, status, retryInMs]),
      onWait: () => {},
      signal: new AbortController().signal,
    });
    expect(isDone).toBe(true);
    expect(attempts).toEqual([[idAt(1), 200, null]]);
    expect(steps).toEqual([`+${idAt(1)}`, `-${idAt(1)}`]);
    expect(hook.requests[0]).toMatchObject({
      method: 'POST',
      body: JSON.stringify(eventAt(1)),
      headers: {
        'content-type': 'application/json',
        'acme-event-id': idAt(1),
        'acme-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
        'user-agent': 'acme-webhooks/1',
        'webhook-id': idAt(1),
        'webhook-signature': expect.stringMatching(/^v1,/),
      },
    });
  });
});
