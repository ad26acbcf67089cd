/**
 * Measures webhooks: from the commit of an event to its arrival at the receiver, at several rates, with and without dead endpoints,
 * and the write units of a delivery.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { EmailId } from '../../lib/core/ids.ts';
import type { PublishEvent } from '../../lib/core/queue-messages.ts';
import { commit } from '../../lib/storage/table/transactions.ts';
import { listen } from '../listen.ts';
import { dead, healthy } from '../webhooks/scenarios.ts';
import { simulate } from '../webhooks/simulate.ts';
import { quantile } from './figures.ts';
import { type Stage, succeeded, type Tenant } from './stage.ts';

export interface WebhookFigures {
  /** On the local cloud. */
  readonly measured: readonly WebhookRate[];
  /** On virtual time, from the event to its first attempt. */
  readonly simulated: readonly Pick<WebhookRate, 'perSecond' | 'deadEndpoints' | 'p50' | 'p99'>[];
  /** Write units of one delivery, beside its event, by its number of attempts. */
  readonly writeUnits: { readonly first: number; readonly seventh: number };
}

export interface WebhookRate {
  readonly perSecond: number;
  readonly deadEndpoints: number;
  /** Events whose commit was answered in time. */
  readonly events: number;
  readonly received: number;
  /** Events received, from the first commit to the last arrival. */
  readonly receivedPerSecond: number;
  /** From the commit to the arrival; ms. */
  readonly p50: number;
  readonly p99: number;
}

const deadEndpoints = 50;
/** A machine that serves clients, functions and table at once falls behind at a higher rate. */
const rates = [
  { perSecond: 1, seconds: 30 },
  { perSecond: 10, seconds: 10 },
  { perSecond: 50, seconds: 10 },
] as const;
const simulatedRates = [
  { endpoints: 1, eventsPerSecond: 1 },
  { endpoints: 50, eventsPerSecond: 1 },
  { endpoints: 50, eventsPerSecond: 10 },
] as const;
/** Of each dead endpoint: more would keep this machine busy with the events of these alone. */
const deadIntervalMs = 10_000;
const warmUps = 10;
/** How long the last events may take. */
const patienceMs = 180_000;
const hourMs = 3_600_000;

export async function measureWebhooks(
  stage: Stage,
  progress: (text: string) => void,
): Promise<WebhookFigures> {
  const writeUnits = {
    first: await unitsOfDelivery(stage, 1),
    seventh: await unitsOfDelivery(stage, 7),
  };
  const target = await startTarget(stage);
  const measured: WebhookRate[] = [];
  for (const beside of [0, deadEndpoints]) {
    const stop = beside > 0 ? await startDead(stage, beside) : async () => {};
    for (const rate of rates) {
      progress(`${rate.perSecond} events a second beside ${beside} dead endpoints`);
      measured.push({ ...(await measureRate(target, rate)), deadEndpoints: beside });
    }
    await stop();
  }
  progress('virtual time');
  const simulated: WebhookFigures['simulated'][number][] = [];
  for (const beside of [0, deadEndpoints]) {
    for (const rate of simulatedRates) simulated.push(await simulateRate(rate, beside));
  }
  return { measured, simulated, writeUnits };
}

/** Events of an email, each committed as a change of the service commits it. */
async function source(tenant: Tenant): Promise<{ publish: () => Promise<string> }> {
  const fields = { from: tenant.address, to: 'anna@example.test', subject: 'Hello', text: 'Hello there' };
  const { id } = succeeded(await tenant.call('POST', '/emails', fields));
  return {
    async publish() {
      const event: PublishEvent = {
        kind: 'publish-event',
        v: 1,
        workspaceId: tenant.id,
        eventId: newId('evt'),
        type: 'email.sent',
        at: now(),
        subject: { emailId: id as EmailId },
      };
      await commit(tenant.id, [], [{ message: event }]);
      return event.eventId;
    },
  };
}

interface Target {
  readonly publish: () => Promise<string>;
  /** When each event arrived. */
  readonly arrived: ReadonlyMap<string, number>;
}

/** An endpoint that has answered. */
async function startTarget(stage: Stage): Promise<Target> {
  const tenant = await stage.workspace();
  const { publish } = await source(tenant);
  const arrived = new Map<string, number>();
  const url = await stage.receiver(({ id }) => {
    // Delivery is at least once: the first one counts.
    if (!arrived.has(id)) arrived.set(id, performance.now());
  });
  const endpoint = { url, subscriptions: ['email.sent'], max_concurrency: 128 };
  succeeded(await tenant.call('POST', '/webhook-endpoints', endpoint));
  for (let event = 0; event < warmUps; event++) {
    const id = await publish();
    await until(() => arrived.has(id));
  }
  return { publish, arrived };
}

async function measureRate(
  { publish, arrived }: Target,
  { perSecond, seconds }: (typeof rates)[number],
): Promise<Omit<WebhookRate, 'deadEndpoints'>> {
  const committed = new Map<string, number>();
  const begin = performance.now();
  const commits: Promise<void>[] = [];
  for (let at = 0; at < perSecond * seconds; at++) {
    await wait(Math.max(begin + (at * 1000) / perSecond - performance.now(), 0));
    const commit = publish().then((id) => void committed.set(id, performance.now()));
    // A commit that times out, as this process is busy, is left out.
    commits.push(commit.catch(() => {}));
  }
  await Promise.all(commits);
  await until(() => [...committed.keys()].every((id) => arrived.has(id)));
  // A function may be faster than the response of the commit.
  const times = [...committed].flatMap(([id, at]) => {
    const arrivedAt = arrived.get(id);
    return arrivedAt === undefined ? [] : [Math.max(0, arrivedAt - at)];
  });
  const lastArrival = Math.max(...arrived.values());
  return {
    perSecond,
    events: committed.size,
    received: times.length,
    receivedPerSecond: (1000 * times.length) / (lastArrival - begin),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

async function until(isDone: () => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isDone() && performance.now() < end) await wait(20);
}

/** Failures in a row after which an endpoint gets probes only. */
const deadAfter = 5;

/** Endpoints of another workspace that never answer, with an event each ten seconds, once they are known to be dead. */
async function startDead(stage: Stage, count: number): Promise<() => Promise<void>> {
  const { origin, close } = await listen(() => {});
  const tenant = await stage.workspace();
  const { publish } = await source(tenant);
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const endpoint = succeeded(
      await tenant.call('POST', '/webhook-endpoints', { url: `${origin}/`, subscriptions: ['email.sent'] }),
    );
    ids.push(endpoint.id);
  }
  for (let failure = 0; failure < deadAfter; failure++) await publish();
  // Failures of ten seconds each, which run at the same time.
  await wait(25_000);
  // A commit that times out on a busy machine is one event less for endpoints that take none.
  const timer = setInterval(() => void publish().catch(() => {}), deadIntervalMs);
  return async () => {
    clearInterval(timer);
    close();
    for (const id of ids) succeeded(await tenant.call('DELETE', `/webhook-endpoints/${id}`));
    await stage.rest();
  };
}

/** Write units of the calls that name an item of the endpoint, from the event until its delivery is complete. */
async function unitsOfDelivery(stage: Stage, attempts: number): Promise<number> {
  const { cloud } = stage;
  const tenant = await stage.workspace();
  const { publish } = await source(tenant);
  await stage.rest();
  let requests = 0;
  const url = await stage.receiver(
    () => {},
    () => (requests++ < warmUps || requests === warmUps + attempts ? 200 : 500),
  );
  const endpoint = { url, subscriptions: ['email.sent'] };
  const { id } = succeeded(await tenant.call('POST', '/webhook-endpoints', endpoint));
  for (let event = 0; event < warmUps; event++) {
    await publish();
    await stage.rest();
  }
  let units = 0;
  const stop = cloud.gateway.recorder.subscribe(({ keys = [], capacity = 0 }) => {
    if (keys.some((key) => key.includes(id))) units += capacity;
  });
  cloud.gateway.recorder.metering = true;
  await publish();
  await stage.rest();
  if (attempts > 1) await cloud.clock.advance(25 * hourMs);
  await stage.rest();
  cloud.gateway.recorder.metering = false;
  stop();
  if (requests !== warmUps + attempts)
    throw new Error(`${requests - warmUps} attempts instead of ${attempts}`);
  return units;
}

async function simulateRate(
  rate: (typeof simulatedRates)[number],
  beside: number,
): Promise<WebhookFigures['simulated'][number]> {
  const silent = beside > 0 ? [dead({ endpoints: beside, eventsPerSecond: 1 })] : [];
  const groups = [healthy(rate), ...silent];
  const { groups: results } = await simulate({ groups, durationMs: 180_000, restMs: 30_000, seed: 1 });
  return {
    perSecond: rate.endpoints * rate.eventsPerSecond,
    deadEndpoints: beside,
    p50: results[0]?.p50 ?? Number.NaN,
    p99: results[0]?.p99 ?? Number.NaN,
  };
}
