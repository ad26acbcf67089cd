/** A change of `max_concurrency` while a session runs, on virtual time. */
import { expect, it } from 'vitest';
import { deliverMessage } from '../../../lib/services/webhooks/announce-delivery.ts';
import { deliverDue } from '../../../lib/services/webhooks/deliver-due.ts';
import { memoryEndpoint } from '../../../scripts/webhooks/memory-endpoint.ts';
import { memoryPorts } from '../../../scripts/webhooks/memory-ports.ts';
import { virtualClock } from '../../../scripts/webhooks/virtual-clock.ts';

const startMs = 1_700_000_000_000;

it('no attempt begins above max_concurrency right after it was lowered, and more begin when it is raised', async () => {
  const clock = virtualClock(startMs);
  const model = memoryEndpoint(1, { maxConcurrency: 8 });
  for (let n = 0; n < 100; n++) {
    const delivery = model.delivery(n, startMs - 1000 + n);
    model.deliveries.set(delivery.id, delivery);
    model.addDue(delivery);
  }
  const setMax = (maxConcurrency: number) => {
    model.found = model.found && { ...model.found, endpoint: { ...model.found.endpoint, maxConcurrency } };
  };
  let running = 0;
  /** Attempts that run when another one begins, itself included, by the time of its beginning. */
  const begun: { at: number; running: number }[] = [];
  const ports = memoryPorts({
    now: clock.now,
    pause: clock.pause,
    random: () => 0.5,
    endpoint: () => model,
    // The table answers at once: an attempt begins in the turn in which its endpoint was read.
    call: async (_, effect) => effect(),
    async post(_, { createdAt }) {
      running += 1;
      begun.push({ at: clock.now() - startMs, running });
      // Attempts end one by one.
      await clock.pause(100 + (createdAt % 10));
      running -= 1;
      return {
        statusCode: 200,
        response: '',
        error: null,
        durationMs: 100,
        retryAfter: null,
        requestedAtMs: startMs,
      };
    },
    send: (message) => clock.at(clock.now() + 10, () => void deliverDue(ports, message, `${clock.now()}`)),
    setTimer: () => {},
    reportOutage: () => {},
  });
  void deliverDue(ports, deliverMessage(model.of, 'slow'), 'first');
  clock.at(startMs + 250, () => setMax(2));
  clock.at(startMs + 1250, () => setMax(16));
  await clock.run(startMs + 10_000);
  const peak = (from: number, to: number) =>
    Math.max(...begun.filter(({ at }) => at > from && at < to).map((one) => one.running));
  expect([peak(-1, 250), peak(250, 1250), peak(1250, 10_000)]).toEqual([8, 2, 16]);
  expect([...model.deliveries.values()].every(({ state }) => state === 'delivered')).toBe(true);
});
