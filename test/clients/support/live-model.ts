/** A run of `events.live` against a service that fails by a seed: what has to hold of what it gives. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { EventType } from '../../../clients/typescript/src/index.ts';
import {
  consumption,
  idAt,
  noFaults,
  type ScriptedEvent,
  scriptedClient,
  scriptedEvent,
  scriptedService,
  virtualTime,
} from './scripted-live.ts';

const runMs = 15 * 60_000;
const lateMax = 59_000;

/** The numbers of a seed, from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Every tenth event is late; times of many and times of few. */
function script(count: number, random: () => number): ScriptedEvent[] {
  return Array.from({ length: count }, (_, number) => {
    const ms = Math.floor(random() * runMs * (number % 3 === 0 ? 1 : 0.1));
    const type = random() < 0.5 ? 'email.sent' : 'email.opened';
    return scriptedEvent(ms, number, {
      lateMs: number % 10 === 0 ? Math.floor(random() * lateMax) : 0,
      type,
    });
  });
}

const chance = (max: number) => fc.integer({ min: 0, max: 20 }).map((part) => (part / 20) * max);

/** @param count events of a run */
export async function proveModel(count: number, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        seed: fc.integer(),
        faults: fc.record({
          request: chance(0.4),
          handshake: chance(0.6),
          drop: chance(0.03),
          silence: chance(0.005),
          repeat: chance(0.1),
          garbage: chance(0.01),
        }),
        isSlow: fc.boolean(),
        type: fc.option(fc.constant<EventType>('email.sent')),
      }),
      async ({ seed, faults, isSlow, type }) => {
        const random = randomOf(seed);
        const time = virtualTime(random);
        const events = script(count, random);
        const service = scriptedService(time, events, { random });
        const stop = new AbortController();
        const found = consumption(
          scriptedClient(time, service),
          { after: idAt(-1), ...(type && { types: [type] }), signal: stop.signal },
          async () => {
            if (isSlow) await time.runtime.wait(random() * 500, undefined);
          },
        );
        // An address that never answered as the API does is taken for a wrong one.
        await time.pass(1000);
        service.faults = faults;
        await time.pass(runMs + lateMax);
        service.faults = noFaults;
        const wanted = events.filter(({ event }) => !type || event.type === type);
        await time.pass(20 * 60_000, () => found.isOver || found.ids.length >= wanted.length);
        // Nothing comes after it.
        await time.pass(60_000);
        expect(found.error).toBeUndefined();
        expect(found.ids.toSorted()).toEqual(wanted.map(({ event }) => event.id).sort());
        const onTime = new Set(
          wanted.filter((one) => one.shownAtMs === timeOf(one)).map(({ event }) => event.id),
        );
        const inOrder = found.ids.filter((id) => onTime.has(id));
        expect(inOrder).toEqual(inOrder.toSorted());
        stop.abort();
        expect(await time.pass(1000, () => found.isOver)).toBe(true);
        expect([...service.open.keys()]).toEqual([]);
      },
    ),
    // The same runs each time: a failure is one of a change.
    { numRuns, seed: 1340614234 },
  );
}

const timeOf = ({ event }: ScriptedEvent): number =>
  Number.parseInt(event.id.slice(4, 16), 16) - Number.parseInt(idAt(0).slice(4, 16), 16);
