/**
 * The dispatch of webhook deliveries on virtual time: the code of lib/services/webhooks against models of table, queues and
 * receivers (docs/decisions/0043-webhook-dispatch.md).
 */
import type { DeliverWebhook } from '../../lib/core/queue-messages.ts';
import type { Delivery } from '../../lib/core/webhooks/delivery.ts';
import { announcementFor } from '../../lib/core/webhooks/dispatch.ts';
import { announceDeliveries } from '../../lib/services/webhooks/announce-delivery.ts';
import { deliverDue } from '../../lib/services/webhooks/deliver-due.ts';
import type { AnnouncePorts, EndpointRef } from '../../lib/services/webhooks/dispatch-ports.ts';
import { numberOf } from './memory-deliveries.ts';
import { type MemoryEndpoint, memoryEndpoint } from './memory-endpoint.ts';
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
  /** Deliveries that wait, each with one entry that is right. */
  readonly pending: number;
  /** Deliveries that are lost: neither delivered nor failed, and without an entry; or with a wrong one. */
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
  readonly peaks: {
    readonly fast: QueueModel<DeliverWebhook>['peak'];
    readonly slow: QueueModel<DeliverWebhook>['peak'];
  };
  /** Messages in the queues at the end. */
  readonly depth: number;
}

/** Where the simulation begins; any time will do. */
const startMs = 1_750_000_000_000;
/** Milliseconds of a call of the table or of a queue. */
const callMs = { least: 3, most: 9 };

/** Runs a simulation. The same seed gives the same result. */
export async function simulate({ groups, durationMs, restMs, seed }: Simulation): Promise<SimulationResult> {
  const clock = virtualClock(startMs);
  const random = generator(seed);
  const byId = new Map<string, Tracked>();
  const call = async <T>(_: string, effect: () => T): Promise<T> => {
    await clock.pause(Math.round(callMs.least + (callMs.most - callMs.least) * random()));
    return effect();
  };
  const tracked = (of: EndpointRef): Tracked => {
    const found = byId.get(of.endpointId);
    if (!found) throw new Error(`no endpoint ${of.endpointId}`);
    return found;
  };
  const queueOf = (lane: 'fast' | 'slow') =>
    queueModel<DeliverWebhook>({
      clock,
      random,
      batchSize: 10,
      concurrency: 50,
      receiveMs: 15,
      repeated: 0.005,
      work: (message, id) => deliverDue(ports, message, `${lane}-${id}`),
    });
  const queues = { fast: queueOf('fast'), slow: queueOf('slow') };
  const ports = memoryPorts({
    now: clock.now,
    pause: clock.pause,
    random,
    endpoint: (of) => tracked(of).model,
    call,
    post: async (model, delivery) => await tracked(model.of).post(delivery),
    send: (message) => queues[message.lane].send(message),
    // A timer fires within a second of its time, and passes through the delay queue.
    setTimer: (message, at) => clock.at(at + 1000 * random(), () => queues[message.lane].send(message)),
    reportOutage: () => {},
  });
  const results = groups.map((group) => {
    const members = Array.from({ length: group.endpoints }, () => {
      const of = track(group, byId.size + 1, { clock, random, durationMs, ports });
      byId.set(of.model.of.endpointId, of);
      return of;
    });
    for (const one of members) {
      one.start((draft) =>
        announceDeliveries(ports, [{ of: one.model.of, draft, state: one.model.currentState() }]),
      );
    }
    return { group, members };
  });
  await clock.run(startMs + durationMs + restMs);
  return {
    groups: results.map(({ group, members }) => summarize(group, members)),
    peaks: { fast: queues.fast.peak, slow: queues.slow.peak },
    depth: queues.fast.depth() + queues.slow.depth(),
  };
}

type Tracked = ReturnType<typeof track>;

interface TrackedWorld {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly durationMs: number;
  readonly ports: AnnouncePorts;
}

/** An endpoint with its events, its receiver and what is measured. */
function track(group: EndpointGroup, number: number, world: TrackedWorld) {
  const { clock, ports } = world;
  const { createdAt, total, arrivedBy } = timetableOf(group, world);
  /** Events that were announced or wait. */
  let known = 0;
  /** Whether every event only waits, so that none needs to be announced by itself. */
  let isWaiting = false;
  let announce: (delivery: Delivery) => Promise<void> = async () => {};
  const model: MemoryEndpoint = memoryEndpoint(
    number,
    { maxConcurrency: group.maxConcurrency, isLarge: true },
    {
      createdAt,
      end: () => {
        if (isWaiting) known = Math.max(known, arrivedBy(clock.now()));
        return known;
      },
    },
  );
  const receiver = receiverOf(model, group, world);

  /** Decides whether the next event is announced by itself, as the publisher does for every one. */
  function look(): void {
    if (isWaiting) known = Math.max(known, arrivedBy(clock.now()));
    const state = model.currentState();
    const { lease, calledUntil, wakeAt } = state;
    const handOver = ports.handOvers.get(model.of.endpointId) ?? null;
    const wasWaiting = isWaiting;
    isWaiting = announcementFor(state, handOver, clock.now()) === 'wait';
    // The decision changes with the state, which calls this, or with time.
    const changes = [lease?.until, calledUntil, handOver?.until, wakeAt].filter(
      (at) => (at ?? 0) >= clock.now(),
    );
    if (isWaiting) clock.at(Math.min(...changes.map((at) => at ?? 0)) + 1, look);
    else if (wasWaiting) clock.at(createdAt(known), next);
  }

  function next(): void {
    if (isWaiting || known >= total || createdAt(known) > clock.now()) return;
    const n = known++;
    model.take(n);
    void announce(model.delivery(n, createdAt(n))).then(look);
    if (known < total) clock.at(createdAt(known), next);
  }

  model.changed = look;
  return {
    model,
    total,
    measured: receiver.measured,
    createdAt,
    known: () => arrivedBy(clock.now()),
    start(announceOne: typeof announce): void {
      announce = announceOne;
      clock.at(createdAt(0), next);
    },
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
  model.record = (before, isStored, after) => {
    const isExpired = after.state === 'failed' && !measured.seen.has(numberOf(before.id));
    const lateMs = clock.now() - (before.replayStartedAt + 24 * 3_600_000);
    if (isExpired) measured.expiredLateMs = Math.max(measured.expiredLateMs, lateMs);
    return record(before, isStored, after);
  };
  return {
    measured,
    async post(delivery: Delivery) {
      const at = clock.now();
      const n = numberOf(delivery.id);
      if (model.delivered?.has(n)) measured.repeated += 1;
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
        requestedAtMs: at,
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

/** The deliveries of an endpoint by state. One that has no record waits by its number. */
function states({ model, known }: Tracked) {
  const end = known();
  const records = [...model.deliveries.values()];
  const entries = new Set(model.entries.keys());
  const pending = records.filter(
    (record) => record.state === 'pending' && entries.delete(model.keyOf(record)),
  );
  const failed = records.filter(({ state }) => state === 'failed').length;
  const delivered = model.delivered?.size ?? 0;
  const waiting = Math.max(0, end - model.head) - model.taken.size;
  return {
    delivered,
    failed,
    pending: pending.length + waiting,
    // Each entry that is left belongs to no delivery that waits.
    lost: end - delivered - failed - pending.length - waiting + entries.size,
  };
}

/** Pseudo-random numbers in [0, 1) (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
