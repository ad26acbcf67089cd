/** Groups of endpoints for simulations. */
import type { EndpointGroup } from './simulate.ts';

type Load = Pick<EndpointGroup, 'endpoints' | 'eventsPerSecond'>;

/** Endpoints that answer within 50 to 150 ms. */
export const healthy = (load: Load): EndpointGroup => ({
  name: 'healthy',
  maxConcurrency: 16,
  fromMs: 0,
  answer: (_, random) => ({ durationMs: 50 + 100 * random(), status: 200 }),
  ...load,
});

/** Endpoints with the highest `max_concurrency`, that answer after at least and at most so long. */
export const busy = (load: Load, leastMs: number, mostMs: number): EndpointGroup => ({
  ...healthy(load),
  name: 'busy',
  maxConcurrency: 128,
  answer: (_, random) => ({ durationMs: leastMs + (mostMs - leastMs) * random(), status: 200 }),
});

/** Endpoints that never answer: each attempt takes ten seconds. They get events after the others are warm. */
export const dead = (load: Load): EndpointGroup => ({
  name: 'dead',
  maxConcurrency: 16,
  fromMs: 60_000,
  answer: () => ({ durationMs: 10_000, status: null }),
  ...load,
});

/** Endpoints that answer quickly until `fromMs`, then not at all until `untilMs`, and then quickly again. */
export const failing = (load: Load, downFromMs: number, downUntilMs: number): EndpointGroup => ({
  ...healthy(load),
  name: 'failing',
  answer: (atMs, random) =>
    atMs >= downFromMs && atMs < downUntilMs
      ? { durationMs: 10_000, status: null }
      : { durationMs: 50 + 100 * random(), status: 200 },
});
