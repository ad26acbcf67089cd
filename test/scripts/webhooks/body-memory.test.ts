/** The bytes of bodies in flight in one function, on virtual time. */
import { expect, it } from 'vitest';
import { v1BodyBytesMax } from '../../../lib/core/webhooks/v1-format.ts';
import { deliverMessage } from '../../../lib/services/webhooks/announce-delivery.ts';
import { deliverDue } from '../../../lib/services/webhooks/deliver-due.ts';
import type { DispatchPorts } from '../../../lib/services/webhooks/dispatch-ports.ts';
import { type MemoryEndpoint, memoryEndpoint } from '../../../scripts/webhooks/memory-endpoint.ts';
import { memoryPorts } from '../../../scripts/webhooks/memory-ports.ts';
import { virtualClock } from '../../../scripts/webhooks/virtual-clock.ts';

const startMs = 1_700_000_000_000;
const buildMs = 50;

/**
 * Runs one session at each of ten v1 endpoints with twenty deliveries each, in one function with room for three bodies of the largest
 * size.
 */
async function run(bodyBytes: number) {
  const clock = virtualClock(startMs);
  const models = new Map<string, MemoryEndpoint>();
  for (let n = 1; n <= 10; n++) {
    const model = memoryEndpoint(n, { maxConcurrency: 128 });
    model.found = model.found && {
      ...model.found,
      endpoint: { ...model.found.endpoint, format: 'v1' },
    };
    for (let each = 0; each < 20; each++) {
      const delivery = { ...model.delivery(each, startMs - 1000 + each), body: null };
      model.deliveries.set(delivery.id, delivery);
      model.addDue(delivery);
    }
    models.set(model.of.endpointId, model);
  }
  /** Bodies that are being built or sent: the former may take any size. */
  const inFlight = { bytes: 0, peakBytes: 0, attempts: 0, peakAttempts: 0 };
  const note = (bytes: number, attempts: number) => {
    inFlight.bytes += bytes;
    inFlight.peakBytes = Math.max(inFlight.peakBytes, inFlight.bytes);
    inFlight.attempts += attempts;
    inFlight.peakAttempts = Math.max(inFlight.peakAttempts, inFlight.attempts);
  };
  const ports: DispatchPorts = {
    ...memoryPorts({
      now: clock.now,
      pause: clock.pause,
      random: () => 0.5,
      endpoint: ({ endpointId }) => {
        const found = models.get(endpointId);
        if (!found) throw new Error(`no endpoint ${endpointId}`);
        return found;
      },
      async call(_, effect) {
        await clock.pause(5);
        return effect();
      },
      async post() {
        await clock.pause(100);
        note(-bodyBytes, -1);
        return {
          statusCode: 200,
          response: '',
          error: null,
          durationMs: 100,
          retryAfter: null,
          requestedAtMs: clock.now(),
        };
      },
      send: (message) => void clock.at(clock.now() + 10, () => deliver(message)),
      setTimer: () => {},
      reportOutage: () => {},
    }),
    attempts: { running: 0, max: 500, bodyBytes: 0, bodyBytesMax: 3 * v1BodyBytesMax },
    async bodyOf() {
      note(v1BodyBytesMax, 1);
      await clock.pause(buildMs);
      note(bodyBytes - v1BodyBytesMax, 0);
      return 'x'.repeat(bodyBytes);
    },
  };
  let messages = 0;
  const deliver = (message: Parameters<typeof deliverDue>[1]) =>
    void deliverDue(ports, message, `message-${messages++}`);
  for (const { of } of models.values()) deliver(deliverMessage(of, 'slow'));
  await clock.run(startMs + 60_000);
  const states = [...models.values()].flatMap(({ deliveries }) =>
    [...deliveries.values()].map(({ state }) => state),
  );
  return { states, inFlight, attempts: ports.attempts };
}

it.each([
  ['the largest size', v1BodyBytesMax, 3],
  ['1 KB', 1024, 100],
])('bodies of %s stay within the bytes of the function', async (_, bytes, concurrent) => {
  const { states, inFlight, attempts } = await run(bytes);
  expect(states).toEqual(Array.from({ length: 200 }, () => 'delivered'));
  expect(inFlight.peakBytes).toBeLessThanOrEqual(3 * v1BodyBytesMax);
  expect(inFlight.peakAttempts).toBeLessThanOrEqual(concurrent);
  expect(inFlight).toMatchObject({ bytes: 0, attempts: 0 });
  expect(attempts).toMatchObject({ running: 0, bodyBytes: 0 });
});
