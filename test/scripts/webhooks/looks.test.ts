/** How often a session looks at the due entries while attempts run and end, on virtual time. */
import { expect, it } from 'vitest';
import { session } from '../../../lib/core/webhooks/dispatch.ts';
import { deliverMessage } from '../../../lib/services/webhooks/announce-delivery.ts';
import { deliverDue } from '../../../lib/services/webhooks/deliver-due.ts';
import { memoryEndpoint } from '../../../scripts/webhooks/memory-endpoint.ts';
import { memoryPorts } from '../../../scripts/webhooks/memory-ports.ts';
import { virtualClock } from '../../../scripts/webhooks/virtual-clock.ts';

const startMs = 1_700_000_000_000;

/** An endpoint whose attempts take `attemptMs`, with a session that begins at once. */
function begin(attemptMs: (n: number) => number) {
  const clock = virtualClock(startMs);
  const model = memoryEndpoint(1, { maxConcurrency: 128 });
  const calls: { readonly name: string; readonly at: number }[] = [];
  const since = () => clock.now() - startMs;
  /** When the attempt of each delivery began. */
  const begun = new Map<number, number>();
  const numbers = new Map<string, number>();
  const ports = memoryPorts({
    now: clock.now,
    pause: clock.pause,
    random: () => 0.5,
    endpoint: () => model,
    async call(name, effect) {
      calls.push({ name, at: since() });
      return effect();
    },
    async post(_, { id }) {
      const n = numbers.get(id) ?? 0;
      begun.set(n, since());
      await clock.pause(attemptMs(n));
      const answer = { statusCode: 200, response: '', error: null, retryAfter: null };
      return { ...answer, durationMs: attemptMs(n), requestedAtMs: startMs };
    },
    send: () => {},
    setTimer: () => {},
    reportOutage: () => {},
  });
  return {
    model,
    begun,
    timesOf: (name: string) => calls.filter((call) => call.name === name).map(({ at }) => at),
    /** A delivery becomes due. */
    add(n: number, at: number) {
      clock.at(startMs + at, () => {
        const delivery = model.delivery(n, clock.now());
        numbers.set(delivery.id, n);
        model.deliveries.set(delivery.id, delivery);
        model.addDue(delivery);
      });
    },
    async run(ms: number) {
      clock.at(startMs + 1, () => void deliverDue(ports, deliverMessage(model.of, 'slow'), 'first'));
      await clock.run(startMs + ms);
    },
  };
}

it('a session looks ten times a second at most while attempts end, and removes what is over with each look', async () => {
  const { model, timesOf, add, run } = begin((n) => 20 + n);
  for (let n = 0; n < 100; n++) add(n, 0);
  await run(5_000);
  expect([...model.deliveries.values()].every(({ state }) => state === 'delivered')).toBe(true);
  const looks = timesOf('listDue');
  // The attempts end within 120 ms: a look to begin, one while they end and one at the end.
  expect(looks.length).toBeLessThanOrEqual(4);
  expect(timesOf('removeDue').length).toBeLessThan(looks.length);
  expect(model.listDue(10)).toEqual({ fresh: [], retries: [] });
});

it('a delivery that becomes due while others end waits for one look at most', async () => {
  // One long attempt keeps the session, short ones end all the time.
  const { begun, add, run } = begin((n) => (n === 0 ? 1_500 : 30));
  add(0, 0);
  for (let n = 1; n < 60; n++) add(n, 17 * n);
  await run(5_000);
  const waits = Array.from({ length: 59 }, (_, at) => (begun.get(at + 1) ?? Number.NaN) - 17 * (at + 1));
  // The first ones come while nothing ends: then it looks each half second.
  const [, ...later] = waits.filter((_, at) => 17 * (at + 1) > session.pollMs);
  expect(Math.max(...later)).toBeLessThanOrEqual(100);
});
