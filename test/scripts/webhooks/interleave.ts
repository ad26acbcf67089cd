/** Workers and publishers of one endpoint whose calls take effect in any order, as a test chooses. */
import { expect } from 'vitest';
import type { DeliverWebhook } from '../../../lib/core/queue-messages.ts';
import type { Delivery } from '../../../lib/core/webhooks/delivery.ts';
import { newHealth } from '../../../lib/core/webhooks/health.ts';
import { announceDeliveries, deliverMessage } from '../../../lib/services/webhooks/announce-delivery.ts';
import { deliverDue } from '../../../lib/services/webhooks/deliver-due.ts';
import type { DispatchPorts } from '../../../lib/services/webhooks/dispatch-ports.ts';
import { numberOf } from '../../../scripts/webhooks/memory-deliveries.ts';
import { memoryEndpoint } from '../../../scripts/webhooks/memory-endpoint.ts';
import { memoryPorts } from '../../../scripts/webhooks/memory-ports.ts';

export const at = 1_700_000_000_000;

/** The lease of another worker. */
export const other = { token: 'other', endsWith: null, idleAfter: null };

interface Step {
  readonly actor: number;
  readonly run: () => void;
}

/** Runs actors call by call: `choose` picks the actor whose call takes effect next. */
export async function interleave(
  actors: readonly ((world: World, actor: number) => Promise<unknown>)[],
  choose: (waiting: readonly number[]) => number,
  maxConcurrency = 2,
  begin: (world: World) => void = () => {},
) {
  const world = newWorld(maxConcurrency);
  begin(world);
  const results = actors.map((actor, index) => actor(world, index));
  let open = actors.length;
  for (const result of results) result.finally(() => (open -= 1)).catch(() => {});
  for (let calls = 0; open > 0; calls++) {
    if (calls > 2000) throw new Error('the actors do not end');
    await new Promise(setImmediate);
    if (world.waiting.length === 0) continue;
    const waiting = world.waiting.map(({ actor }) => actor);
    const chosen = choose([...new Set(waiting)]);
    const [step] = world.waiting.splice(waiting.indexOf(chosen), 1);
    step?.run();
  }
  await Promise.all(results);
  await finish(world);
  return world;
}

export type World = ReturnType<typeof newWorld>;

export function newWorld(maxConcurrency: number) {
  const model = memoryEndpoint(1, { maxConcurrency });
  model.state = { ...model.state, health: { ...newHealth, lane: 'fast' } };
  const world = {
    model,
    waiting: [] as Step[],
    messages: [] as DeliverWebhook[],
    sends: 0,
    /** Resolved with the first message. */
    sent: Promise.withResolvers<void>(),
    timers: [] as DeliverWebhook[],
    time: at,
    posted: [] as string[],
    running: 0,
    peak: 0,
    statusOf: (_: Delivery): number => 200,
    answerMs: 1,
    /** A session polls in between any two calls; else nothing happens by time alone. */
    polls: false,
    calls: [] as string[],
    /** The ports of one actor. After a crash its calls never return; the call number `failing` has an error and no effect. */
    ports: (actor: number, crashAfter = Number.POSITIVE_INFINITY, failing = 0) => {
      let calls = 0;
      const call = <T>(name: string, effect: () => T): Promise<T> =>
        new Promise((resolve, reject) => {
          calls += 1;
          world.calls.push(name);
          if (calls > crashAfter) return;
          if (calls === failing) return reject(new Error('the call fails'));
          // Its own look, attempt and record may overtake each other.
          const part = world.polls ? ['pause', 'post', 'record'].indexOf(name) + 1 : 0;
          world.waiting.push({ actor: actor + 100 * part, run: () => resolve(effect()) });
        });
      return memoryPorts({
        now: () => world.time,
        pause: () => (world.polls ? call('pause', () => {}) : new Promise(() => {})),
        random: () => 0.5,
        endpoint: () => model,
        call,
        async post(_, delivery) {
          world.running += 1;
          world.peak = Math.max(world.peak, world.running);
          await call('post', () => world.posted.push(delivery.id));
          world.running -= 1;
          const statusCode = world.statusOf(delivery);
          return {
            statusCode,
            response: '',
            error: null,
            durationMs: world.answerMs,
            retryAfter: null,
            requestedAtMs: world.time,
          };
        },
        send: (message) => {
          world.messages.push(message);
          world.sends += 1;
          world.sent.resolve();
        },
        setTimer: (message) => void world.timers.push(message),
        reportOutage: () => {},
      });
    },
  };
  return world;
}

/** Processes a message. A function is frozen when it ends: no attempt outlives it. */
export async function deliver(
  world: World,
  actor: number,
  message: DeliverWebhook,
  token: string,
): Promise<void> {
  const ports = world.ports(actor);
  await deliverDue(ports, message, token);
  expect(ports.attempts.running).toBe(0);
}

/** SQS delivers what was sent, one message after the other, until there is none. */
export async function finish(world: World): Promise<void> {
  for (let deliveries = 0; world.messages.length > 0; deliveries++) {
    if (deliveries > 50) throw new Error('messages beget messages');
    const message = world.messages.shift();
    if (!message) return;
    let isDone = false;
    const session = deliver(world, 99, message, `late-${deliveries}`).finally(() => (isDone = true));
    while (!isDone) {
      await new Promise(setImmediate);
      world.waiting.shift()?.run();
    }
    await session;
  }
}

/** Announces deliveries one after the other, as one instance of publish-event does. */
export const publisher =
  (...numbers: number[]) =>
  async (world: World, actor: number): Promise<void> => {
    const ports = world.ports(actor);
    for (const n of numbers) await announce(world, ports, n);
  };

export async function announce({ model }: World, ports: DispatchPorts, n: number): Promise<void> {
  const state = await ports.findState(model.of);
  await announceDeliveries(ports, [{ of: model.of, draft: model.delivery(n, at + n), state }]);
}

/** Lets the calls take effect that were made, and those that follow, until there is none: in their order, or a random one. */
export async function runCalls(world: World, random = () => 0): Promise<void> {
  do {
    await new Promise(setImmediate);
    const [step] = world.waiting.splice(Math.floor(random() * world.waiting.length), 1);
    step?.run();
    await new Promise(setImmediate);
  } while (world.waiting.length > 0);
}

/** Processes the first message that is sent, as soon as it is. */
export const receiver = (token: string) => async (world: World, actor: number) => {
  await world.sent.promise;
  const message = world.messages.shift();
  if (message) await deliver(world, actor, message, token);
};

/** Processes a message that names no delivery, as a timer sends it. */
export const worker =
  (token: string, message?: (world: World) => DeliverWebhook) =>
  async (world: World, actor: number): Promise<void> => {
    await deliver(world, actor, message?.(world) ?? deliverMessage(world.model.of, 'fast'), token);
  };

/** Processes the message that hands delivery number `n` over. */
export const namedWorker = (token: string, n: number) => async (world: World, actor: number) => {
  const delivery = world.model.delivery(n, at + n);
  await deliver(world, actor, deliverMessage(world.model.of, 'fast', [delivery]), token);
};

/** A worker at work when the others begin: it has the lease, and one delivery. */
export const busyWorker = (token: string) => namedWorker(token, 0);

export function expectAllDelivered(world: World, count: number, maxConcurrency = 2): void {
  const { model, posted, timers, peak } = world;
  expect(statesOf(world)).toEqual(Array.from({ length: count }, () => 'delivered'));
  expect(posted).toHaveLength(count);
  expect(model.entries.size).toBe(0);
  expect(model.currentState().lease).toBeNull();
  expect(timers).toEqual([]);
  expect(peak).toBeLessThanOrEqual(maxConcurrency);
}

/** Every order in which the calls of the actors can take effect. */
export async function everyOrder(
  run: (choose: (waiting: readonly number[]) => number) => Promise<void>,
): Promise<number> {
  let path: number[] = [];
  for (let orders = 1; ; orders++) {
    const widths: number[] = [];
    await run((waiting) => {
      const index = path[widths.length] ?? 0;
      widths.push(waiting.length);
      return waiting[index] ?? waiting[0] ?? 0;
    });
    const taken = widths.map((_, depth) => path[depth] ?? 0);
    let depth = widths.length - 1;
    while (depth >= 0 && (taken[depth] ?? 0) + 1 >= (widths[depth] ?? 1)) depth -= 1;
    if (depth < 0) return orders;
    path = [...taken.slice(0, depth), (taken[depth] ?? 0) + 1];
  }
}

/** A generator of pseudo-random numbers (xorshift). */
export function seeded(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export const pick = (random: () => number) => (waiting: readonly number[]) =>
  waiting[Math.floor(random() * waiting.length)] ?? 0;

/** In the order of their numbers. */
export const statesOf = ({ model }: World): string[] =>
  [...model.deliveries.values()].sort((a, b) => numberOf(a.id) - numberOf(b.id)).map(({ state }) => state);
