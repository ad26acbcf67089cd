/**
 * The dispatch of webhook deliveries on virtual time: the code of lib/services/webhooks against models of table, queue and
 * receivers (docs/decisions/0066-webhooks-on-fair-queues.md).
 */
import type { DeliveryId } from '../../lib/core/ids.ts';
import type { DeliverWebhook, OutboxMessage, ResumeEndpoint } from '../../lib/core/queue-messages.ts';
import type { Delivery } from '../../lib/core/webhooks/delivery.ts';
import { isQueued, mustBringBack } from '../../lib/core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../lib/core/webhooks/endpoint.ts';
import { announceDeliveries } from '../../lib/services/webhooks/announce-deliveries.ts';
import { deliverTogether } from '../../lib/services/webhooks/deliver-batch.ts';
import { resumeMessage } from '../../lib/services/webhooks/deliver-message.ts';
import { seeded } from '../random.ts';
import { type MemoryEndpoint, memoryEndpoint, numberOf } from './memory-endpoint.ts';
import { memoryPorts } from './memory-ports.ts';
import { type QueueModel, queueModel } from './queue-model.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

/** A group of endpoints that behave alike. */
export interface EndpointGroup {
  readonly name: string;
  readonly endpoints: number;
  readonly eventsPerSecond: number;
  readonly maxConcurrency: number;
  /** When its events begin, after the start. */
  readonly fromMs: number;
  /** The answer of the receiver to an attempt that begins `atMs` after the start. */
  readonly answer: (atMs: number, random: () => number) => { durationMs: number; status: number | null };
}

export interface Simulation {
  readonly groups: readonly EndpointGroup[];
  /** Events come for this time. */
  readonly durationMs: number;
  /** Then the simulation goes on for this time. */
  readonly restMs: number;
  readonly seed: number;
}

export interface GroupResult {
  readonly name: string;
  readonly events: number;
  readonly delivered: number;
  readonly failed: number;
  /** Deliveries that wait with an entry or have a message. */
  readonly pending: number;
  /** Deliveries that are lost: neither delivered nor failed, without an entry and without a message. */
  readonly lost: number;
  /** Attempts that were not needed: the delivery was delivered already. */
  readonly repeated: number;
  readonly attempts: number;
  /** From the event to the first attempt; ms. */
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
  /** The highest p99 of the events of a minute, without the first one, in which every endpoint is new. */
  readonly p99OfWorstMinute: number;
  /** Attempts to one endpoint at the same time, at most. */
  readonly peakConcurrency: number;
  /** How much later than their deadline deliveries failed without an attempt, at most; ms. */
  readonly expiredLateMs: number;
}

export interface SimulationResult {
  readonly groups: readonly GroupResult[];
  readonly peak: QueueModel<Message>['peak'];
  /** Messages in the queue at the end. */
  readonly depth: number;
}

type Message = DeliverWebhook | ResumeEndpoint;

/** Where the simulation begins; any time will do. */
const startMs = 1_750_000_000_000;
/** Milliseconds of a call of the table or of a queue. */
const callMs = { least: 3, most: 9 };

/** What a publisher does between the event and its message: reads of what it needs, the event, the send. */
const publishMs = 30;
/** From the commit of a message to its sending by the relay, which the stream of the table invokes. */
const streamMs = { least: 150, most: 350 };
/** Events to an endpoint where all only wait are looked at together. */
const waitingLookMs = 1000;

const repeatedShare = 0.005;

/** Runs a simulation. The same seed gives the same result. */
export async function simulate({ groups, durationMs, restMs, seed }: Simulation): Promise<SimulationResult> {
  const clock = virtualClock(startMs);
  const { fraction: random } = seeded(seed);
  const byId = new Map<string, Tracked>();
  const within = ({ least, most }: typeof callMs) => Math.round(least + (most - least) * random());
  const tracked = (of: EndpointRef): Tracked => {
    const found = byId.get(of.endpointId);
    if (!found) throw new Error(`no endpoint ${of.endpointId}`);
    return found;
  };
  const queue = queueModel<Message>({
    clock,
    random,
    batchSize: 10,
    concurrency: 100,
    receiveMs: 15,
    groupOf: ({ endpointId }) => endpointId,
    async work(batch) {
      const groupsOfBatch = [...Map.groupBy(batch, ({ endpointId }) => endpointId).values()];
      const failed = await Promise.all(groupsOfBatch.map(deliverAll));
      return failed.flat();
    },
  });
  async function deliverAll(messages: readonly Message[]): Promise<readonly Message[]> {
    const [first] = messages;
    if (!first) return [];
    try {
      await deliverTogether(ports, tracked(first).model.of, messages);
      for (const message of messages) tracked(first).forget(message);
      return [];
    } catch {
      return messages;
    }
  }
  /** SQS delivers some messages twice. */
  function send(message: Message): void {
    queue.send(message);
    if (random() >= repeatedShare) return;
    tracked(message).remember(message);
    clock.at(clock.now() + 5000 * random(), () => queue.send(message));
  }
  const relay = ({ message, dueAt }: OutboxMessage) => {
    if (message.kind !== 'deliver-webhook' && message.kind !== 'resume-endpoint') return;
    tracked(message).remember(message);
    // A timer fires within a second of its time, and passes through the delay queue.
    const at = dueAt === undefined ? clock.now() + within(streamMs) : dueAt + 1000 * random();
    clock.at(at, () => send(message));
  };
  const ports = memoryPorts({
    now: clock.now,
    random,
    endpoint: (of) => tracked(of).model,
    async call(_, effect) {
      await clock.pause(within(callMs));
      return effect();
    },
    post: async (model, delivery) => await tracked(model.of).post(delivery),
    send(message) {
      tracked(message).remember(message);
      send(message);
    },
    relay: (messages) => messages.forEach(relay),
  });
  const results = groups.map((group) => {
    const members = Array.from({ length: group.endpoints }, () => {
      const of = track(group, byId.size + 1, { clock, random, durationMs });
      byId.set(of.model.of.endpointId, of);
      return of;
    });
    for (const one of members) {
      one.start({
        announce(draft) {
          const { of, state } = one.model;
          clock.at(clock.now() + publishMs, () => {
            void announceDeliveries(ports, [{ of, draft, state }]);
          });
        },
        resume: () => ports.send([resumeMessage(one.model.of)]),
      });
    }
    return { group, members };
  });
  await clock.run(startMs + durationMs + restMs);
  return {
    groups: results.map(({ group, members }) => summarize(group, members)),
    peak: queue.peak,
    depth: queue.depth(),
  };
}

type Tracked = ReturnType<typeof track>;

interface TrackedWorld {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly durationMs: number;
}

interface Publisher {
  announce(draft: Delivery): void;
  /** Calls a worker to what waits. */
  resume(): Promise<void>;
}

/** An endpoint with its events, its receiver and what is measured. */
function track(group: EndpointGroup, number: number, world: TrackedWorld) {
  const { clock } = world;
  const { createdAt, total, arrivedBy } = timetableOf(group, world);
  /** Events that were announced or wait. */
  let known = 0;
  /** Messages by delivery that are in the queue or have a timer. */
  const messages = new Map<DeliveryId, number>();
  const model = memoryEndpoint(number, group.maxConcurrency, { createdAt, end: () => known });
  const receiver = receiverOf(model, group, world);
  const count = (message: Message, change: number) => {
    if (message.kind !== 'deliver-webhook') return;
    const left = (messages.get(message.deliveryId) ?? 0) + change;
    if (left > 0) messages.set(message.deliveryId, left);
    else messages.delete(message.deliveryId);
  };

  function publish(to: Publisher): void {
    if (known >= total) return;
    if (isQueued(model.state, clock.now())) {
      if (createdAt(known) <= clock.now()) {
        const n = known++;
        model.unseen.take(n);
        to.announce(model.delivery(n, createdAt(n)));
      }
      if (known < total) clock.at(createdAt(known), () => publish(to));
      return;
    }
    // Each is stored, gets its entry and marks the endpoint: these calls are not made one by one.
    const arrived = arrivedBy(clock.now());
    if (arrived > known) {
      known = arrived;
      if (mustBringBack(model.markBacklog(), false, clock.now())) void to.resume();
    }
    clock.at(clock.now() + waitingLookMs, () => publish(to));
  }

  return {
    model,
    messages,
    measured: receiver.measured,
    known: () => known,
    remember: (message: Message) => count(message, 1),
    forget: (message: Message) => count(message, -1),
    start: (to: Publisher) => clock.at(createdAt(0), () => publish(to)),
    post: receiver.post,
  };
}

/** When the events of an endpoint are created. */
function timetableOf(group: EndpointGroup, { random, durationMs }: TrackedWorld) {
  const intervalMs = 1000 / group.eventsPerSecond;
  const firstAt = startMs + group.fromMs + random() * intervalMs;
  const total = Math.floor((durationMs - (firstAt - startMs)) / intervalMs);
  return {
    createdAt: (n: number) => Math.ceil(firstAt + n * intervalMs),
    total,
    /** How many there are at a time. */
    arrivedBy: (at: number) =>
      Math.max(0, Math.min(total, Math.floor((at - firstAt) / intervalMs + 1e-9) + 1)),
  };
}

/** The receiver of an endpoint, and what is measured of its deliveries. */
function receiverOf(model: MemoryEndpoint, group: EndpointGroup, { clock, random }: TrackedWorld) {
  const measured = {
    /** By the minute of the event. */
    latencies: [] as number[][],
    attempts: 0,
    repeated: 0,
    running: 0,
    peak: 0,
    expiredLateMs: 0,
    seen: new Set<number>(),
  };
  const record = model.record;
  model.record = (due, after) => {
    const { id, replayStartedAt } = due.delivery;
    const isExpired = after.state === 'failed' && !measured.seen.has(numberOf(id));
    const lateMs = clock.now() - (replayStartedAt + 24 * 3_600_000);
    if (isExpired) measured.expiredLateMs = Math.max(measured.expiredLateMs, lateMs);
    return record(due, after);
  };
  return {
    measured,
    async post(delivery: Delivery) {
      const at = clock.now();
      const n = numberOf(delivery.id);
      if (model.delivered.has(n)) measured.repeated += 1;
      const minute = Math.floor((delivery.createdAt - startMs) / 60_000);
      measured.latencies[minute] ??= [];
      if (!measured.seen.has(n)) measured.latencies[minute].push(at - delivery.createdAt);
      measured.seen.add(n);
      measured.attempts += 1;
      measured.running += 1;
      measured.peak = Math.max(measured.peak, measured.running);
      const { durationMs: lasts, status } = group.answer(at - startMs, random);
      await clock.pause(Math.round(lasts));
      measured.running -= 1;
      return {
        statusCode: status,
        response: null,
        error: status === null ? 'timed out' : null,
        durationMs: lasts,
        retryAfter: null,
        attemptedAt: at,
      };
    },
  };
}

function summarize(group: EndpointGroup, members: readonly Tracked[]): GroupResult {
  const counts = members.map(states);
  const sum = (of: (one: (typeof counts)[number]) => number) =>
    counts.reduce((total, one) => total + of(one), 0);
  const minutes = Math.max(...members.map(({ measured }) => measured.latencies.length));
  const byMinute = Array.from({ length: minutes }, (_, minute) =>
    sorted(members.flatMap(({ measured }) => measured.latencies[minute] ?? [])),
  );
  const latencies = sorted(members.flatMap(({ measured }) => measured.latencies.flat()));
  return {
    name: group.name,
    events: members.reduce((total, one) => total + one.known(), 0),
    delivered: sum(({ delivered }) => delivered),
    failed: sum(({ failed }) => failed),
    pending: sum(({ pending }) => pending),
    lost: sum(({ lost }) => lost),
    repeated: members.reduce((total, { measured }) => total + measured.repeated, 0),
    attempts: members.reduce((total, { measured }) => total + measured.attempts, 0),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    worst: quantile(latencies, 1),
    p99OfWorstMinute: byMinute
      .slice(1)
      .filter(({ length }) => length > 0)
      .reduce((worst, minute) => Math.max(worst, quantile(minute, 0.99)), 0),
    peakConcurrency: Math.max(...members.map(({ measured }) => measured.peak)),
    expiredLateMs: Math.max(...members.map(({ measured }) => measured.expiredLateMs)),
  };
}

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN;
}

/** The deliveries of an endpoint by state. */
function states({ model, messages, known }: Tracked) {
  const waiting = new Set([...model.entries.values()].map(({ deliveryId }) => deliveryId));
  const pending = [...waiting, ...messages.keys()].filter((id, at) => {
    const isOver = model.delivered.has(numberOf(id)) || model.deliveries.get(id)?.state === 'failed';
    return !isOver && (at < waiting.size || !waiting.has(id));
  }).length;
  const failed = [...model.deliveries.values()].filter(({ state }) => state === 'failed').length;
  const delivered = model.delivered.size;
  const unseen = model.unseen.count();
  return {
    delivered,
    failed,
    pending: pending + unseen,
    lost: known() - delivered - failed - pending - unseen,
  };
}
