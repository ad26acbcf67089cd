/** The events that a page of the console keeps. */
import type { Event } from 'parley-client';
import { describe, expect, it } from 'vitest';
import { merge, shownMax, withPage } from '../../console/src/pages/events/event-log.ts';

const events = (from: number, count: number) =>
  Array.from(
    { length: count },
    (_, at) => ({ id: `evt_${String(from - at).padStart(6, '0')}` }) as unknown as Event,
  );

describe('the log', () => {
  it('has each event once, newest first', () => {
    const ids = merge(events(5, 3), events(7, 4)).map(({ id }) => id);
    expect(ids).toEqual(['evt_000007', 'evt_000006', 'evt_000005', 'evt_000004', 'evt_000003']);
  });

  it('offers a further page as long as the page has room for one', () => {
    const full = events(9_000, shownMax - 50);
    expect(withPage(full, events(7_050, 49), 'next').hasMore).toBe(true);
    expect(withPage(full, events(7_050, 50), 'next').hasMore).toBe(false);
    expect(withPage(full, events(7_050, 100), 'next').events).toHaveLength(shownMax);
    expect(withPage([], events(50, 50), null).hasMore).toBe(false);
  });
});
