/** Workers and publishers of one endpoint whose calls take effect in any order, as a test chooses. */
import type { DeliverWebhook, OutboxMessage, ResumeEndpoint } from '../../../lib/core/queue-messages.ts';
import type { Delivery } from '../../../lib/core/webhooks/delivery.ts';
import { newHealth } from '../../../lib/core/webhooks/health.ts';
import { announceDeliveries } from '../../../lib/services/webhooks/announce-deliveries.ts';
import { deliverTogether } from '../../../lib/services/webhooks/deliver-batch.ts';
import { memoryEndpoint, numberOf } from '../../../scripts/webhooks/memory-endpoint.ts';
import { memoryPorts } from '../../../scripts/webhooks/memory-ports.ts';

export const startMs = 1_700_000_000_000;

type Message = DeliverWebhook | ResumeEndpoint;
export type Actor = (world: World, actor: number) => Promise<unknown>;
export type Choose = (waiting: readonly number[]) => number;
export type World = ReturnType<typeof newWorld>;

export function newWorld(maxConcurrency: number) {
  const model = memoryEndpoint(1, maxConcurrency);
  model.state = { ...model.state, health: { ...newHealth, succeededAt: startMs } };
  const world = {
    model,
    /** Calls that have not taken effect. */
    waiting: [] as { readonly actor: number; readonly run: () => void }[],
    /** In the queue. */
    messages: [] as Message[],
    timers: [] as OutboxMessage[],
    /** Of dead workers, until the visibility timeout. */
    hidden: [] as Message[],
    time: startMs,
    /** Numbers of deliveries. */
    posted: [] as number[],
    running: 0,
    peak: 0,
    statusOf: (_: Delivery): number => 200,
    /** The ports of one actor. After a crash its calls never return. */
    ports: (actor: number, crashAfter = Number.POSITIVE_INFINITY) => {
      let calls = 0;
      let isDead = false;
      const call = <T>(_: string, effect: () => T): Promise<T> =>
        new Promise((resolve) => {
          calls += 1;
          isDead ||= calls > crashAfter;
          if (!isDead) world.waiting.push({ actor, run: () => resolve(effect()) });
        });
      return memoryPorts({
        now: () => world.time,
        random: () => 0.5,
        endpoint: () => model,
        call,
        async post(_, delivery) {
          const posted = call('post', () => {
            world.posted.push(numberOf(delivery.id));
            world.running -= 1;
          });
          if (!isDead) world.running += 1;
          world.peak = Math.max(world.peak, world.running);
          await posted;
          const statusCode = world.statusOf(delivery);
          const answer = { statusCode, response: '', error: null, durationMs: 1, retryAfter: null };
          return { ...answer, attemptedAt: world.time };
        },
        send: (message) => void world.messages.push(message),
        relay(messages) {
          for (const one of messages) {
            if (one.dueAt !== undefined && one.dueAt > world.time) world.timers.push(one);
            else if (isOfDispatch(one.message)) world.messages.push(one.message);
          }
        },
      });
    },
  };
  return world;
}

const isOfDispatch = (message: OutboxMessage['message']): message is Message =>
  message.kind === 'deliver-webhook' || message.kind === 'resume-endpoint';

/** Runs actors call by call: `choose` picks the actor whose call takes effect next. Those that crash are left behind. */
export async function interleave(
  world: World,
  actors: readonly Actor[],
  choose: Choose = (waiting) => waiting[0] ?? 0,
): Promise<void> {
  // What a crash leaves never ends.
  for (const [index, actor] of actors.entries()) void actor(world, index);
  for (let idle = 0; idle < 3; ) {
    await new Promise(setImmediate);
    const waiting = [...new Set(world.waiting.map(({ actor }) => actor))];
    if (waiting.length === 0) {
      idle += 1;
      continue;
    }
    idle = 0;
    const chosen = choose(waiting);
    const [step] = world.waiting.splice(
      world.waiting.findIndex(({ actor }) => actor === chosen),
      1,
    );
    step?.run();
  }
}

/** Announces deliveries one after the other, as a publisher does; it dies after so many calls, and is repeated then. */
export const publisher =
  (numbers: readonly number[], crashAfter?: number): Actor =>
  async (world, actor) => {
    const ports = world.ports(actor, crashAfter);
    for (const n of numbers) {
      const { of } = world.model;
      const draft = world.model.delivery(n, startMs + n);
      await announceDeliveries(ports, [{ of, draft, state: await ports.findState(of) }]);
    }
  };

/** Announces a delivery to an endpoint that was seen with a backlog. */
export const waitingPublisher =
  (n: number): Actor =>
  async (world, actor) => {
    const { of, state, delivery } = world.model;
    const seen = { ...state, backlog: state.backlog ?? 'seen' };
    await announceDeliveries(world.ports(actor), [{ of, draft: delivery(n, startMs + n), state: seen }]);
  };

/** Processes up to `size` messages of the queue at once; it dies after so many calls, and SQS repeats the messages then. */
export const worker =
  (size: number, crashAfter?: number): Actor =>
  async (world, actor) => {
    const batch = world.messages.splice(0, size);
    if (batch.length === 0) return;
    if (crashAfter !== undefined) world.hidden.push(...batch);
    const failures = await deliverTogether(world.ports(actor, crashAfter), world.model.of, batch);
    if (failures.size > 0) world.messages.push(...batch);
  };

/** SQS delivers what is in the queue, in batches, and timers fire, until nothing is left. */
export async function finish(world: World, size = 2): Promise<void> {
  for (let rounds = 0; world.messages.length + world.timers.length > 0; rounds++) {
    if (rounds > 400) throw new Error('messages beget messages');
    if (world.messages.length === 0) {
      world.timers.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0));
      const next = world.timers.shift();
      world.time = Math.max(world.time, next?.dueAt ?? 0);
      if (next && isOfDispatch(next.message)) world.messages.push(next.message);
    }
    await interleave(world, [worker(size)]);
  }
}

/** SQS delivers the messages of a dead worker after the visibility timeout, when its units have expired. */
export const afterDeath = (world: World): void => {
  world.time += 270_000;
  world.messages.push(...world.hidden.splice(0));
};

/** Every order in which the calls of the actors can take effect. */
export async function everyOrder(run: (choose: Choose) => Promise<void>): Promise<number> {
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

export const pick =
  (random: () => number): Choose =>
  (waiting) =>
    waiting[Math.floor(random() * waiting.length)] ?? 0;

/** States of the deliveries in the order of their numbers. */
export const statesOf = ({ model }: World): string[] =>
  [...model.deliveries.values()].sort((a, b) => numberOf(a.id) - numberOf(b.id)).map(({ state }) => state);
