/**
 * Seeded runs of the submission to SES and of webhook deliveries under random faults on the local cloud; writes `bench/faults.md`.
 *
 *   node scripts/faults.ts --runs 300 --seed 1
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setEnvironmentData } from 'node:worker_threads';
import { clockSkewKey } from '../lib/adapters/clock.ts';
import type { WorkspaceId } from '../lib/core/ids.ts';
import { allAnomalies, type Cloud, type FaultKind, type FaultRule, startCloud } from '../lib/local/index.ts';
import { workspace } from '../test/support/workspace.ts';
import { type EventReceiver, startEventReceiver } from './event-receiver.ts';
import { type Chunks, count, newTally, render, type Tally, total } from './faults-report.ts';
import { type Delivery, judgeDeliveries, repeatMessages, subscriptions } from './faults-webhooks.ts';
import { seeded } from './random.ts';
import { patiently, queued } from './run-cloud.ts';

const report = join(import.meta.dirname, '../bench/faults.md');
/** Concurrent runs. Their faults are active together, and they share the clock. */
const atOnce = 3;

/** Workers of the outbound pipeline, with their weight in the draw and their approximate number of AWS calls by chunks. */
const targets = [
  { worker: 'send-mail', weight: 8, calls: { 1: 12, 6: 75 } },
  { worker: 'release-mail', weight: 2, calls: { 1: 4, 6: 8 } },
  // It publishes events, too.
  { worker: 'relay', weight: 6, calls: { 1: 40, 6: 90 } },
  { worker: 'provider-event', weight: 4, calls: { 1: 12, 6: 60 } },
  { worker: 'publish-event', weight: 1, calls: { 1: 10, 6: 20 } },
  { worker: 'deliver-webhook', weight: 10, calls: { 1: 60, 6: 60 } },
  { worker: 'forward-delayed', weight: 2, calls: { 1: 4, 6: 6 } },
  { worker: 'sweep', weight: 1, calls: { 1: 30, 6: 30 } },
] as const;

const kinds: readonly FaultKind[] = [
  'kill-before',
  'kill-after',
  'kill-before',
  'kill-after',
  'timeout-after',
  'drop-before',
  'throttle',
  'error',
];

/** SES pauses sending, which starts the backoff of the region. */
const paused = {
  kind: 'error',
  code: 'SendingPausedException',
  message: 'Sending is paused for this account.',
} as const;

/** What all runs share. */
interface Bench {
  readonly cloud: Cloud;
  readonly client: Client;
  readonly receivers: Receivers;
  /** The endpoint of the steady receiver. */
  readonly steadyId: string;
  readonly seed: number;
  readonly tally: Tally;
}

interface Receivers {
  /** Answers 200. */
  readonly steady: EventReceiver;
  /** Answers 500 to the first attempt of each event. */
  readonly failing: EventReceiver;
}

/** One email, its recipients and its faults. */
interface Run {
  readonly chunks: Chunks;
  readonly recipients: readonly string[];
  readonly faults: readonly FaultRule[];
}

const usage = `Usage: npm run faults -- [options]

  --runs N   emails with faults, default 300: about 40 minutes
  --seed N   of the faults, default 1
  --help`;

await main();

async function main(): Promise<void> {
  const { runs, seed, help } = readArguments();
  if (help) return console.log(usage);
  const cloud = await startCloud({
    limits: { ses: { managementCallsPerSecond: Number.POSITIVE_INFINITY } },
    anomalies: { seed, indexLagMsMax: allAnomalies.indexLagMsMax },
  });
  const receiver = await startEventReceiver();
  const failing = await startEventReceiver({ failsFirst: true });
  try {
    const tally = await runAll(cloud, { steady: receiver, failing }, runs, seed);
    mkdirSync(join(report, '..'), { recursive: true });
    writeFileSync(report, render(tally, runs, seed));
    console.log(`${tally.failed.length} of ${runs} runs failed; wrote ${report}`);
    process.exitCode = tally.failed.length > 0 ? 1 : 0;
  } finally {
    receiver.close();
    failing.close();
    await cloud.close();
  }
}

function readArguments(): { runs: number; seed: number; help: boolean } {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const [runs, seed] = [Number(values.runs), Number(values.seed)];
  if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
    throw new Error('--runs takes a positive whole number, --seed a whole number');
  }
  return { runs, seed, help: values.help };
}

async function runAll(cloud: Cloud, receivers: Receivers, runs: number, seed: number): Promise<Tally> {
  const tally = newTally();
  const client = await connect(cloud);
  const steadyId = await client.createEndpoint(receivers.steady.url);
  const bench: Bench = { cloud, client, receivers, steadyId, seed, tally };
  for (let first = 0; first < runs; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, runs - first) }, (_, at) => first + at);
    await runTogether(bench, numbers);
    const done = first + numbers.length;
    if (done % (4 * atOnce) === 0 || done === runs) {
      console.log(`${done} of ${runs} runs, ${total(tally.faults)} faults, ${tally.failed.length} failed`);
    }
  }
  return tally;
}

/** Concurrent runs: adds the faults, sends the emails, and advances the clock until the queues are empty. */
async function runTogether(bench: Bench, numbers: readonly number[]): Promise<void> {
  const { cloud, client, receivers, steadyId, seed, tally } = bench;
  const { steady, failing } = receivers;
  const failingId = await client.createEndpoint(failing.url);
  const events = subscriptions.length * numbers.length;
  const deliveries = async () => ({
    steady: await client.deliveries(steadyId, events),
    failing: await client.deliveries(failingId, events),
  });
  const runs = numbers.map((number) => planRun(seed, number));
  const random = randomOf(seed, `reports ${numbers[0]}`);
  const holdsReports = random() < 0.3;
  const gates = ['us-east-1', 'eu-central-1'].map((region) => cloud.ses.events(region));
  if (holdsReports) for (const gate of gates) gate.hold(true);
  const rules = runs.flatMap((run) =>
    run.faults.map((rule) => ({ kind: rule.code ?? rule.kind, id: cloud.faults.add(rule) })),
  );
  const ids = await Promise.all(runs.map((run) => client.send(run.recipients)));
  await patiently(cloud.settle);
  const sent = await deliveries();
  tally.webhooks.repeated += await repeatMessages(client.workspaceId, steadyId, sent.steady, random);
  tally.webhooks.repeated += await repeatMessages(client.workspaceId, failingId, sent.failing, random);
  if (holdsReports) {
    // Late, twice and in any order, but within the wait of an unconfirmed submission.
    const lateMs = 60_000 + random() * 120_000;
    await patiently(() => cloud.clock.advance(lateMs));
    for (const gate of gates) {
      gate.release({ duplicate: true, shuffle: Math.floor(random() * 1e6) });
      gate.hold(false);
    }
  }
  await untilDone(cloud);
  await untilDelivered(cloud, deliveries);
  const unspent = new Set(cloud.faults.list().map(({ id }) => id));
  for (const { kind, id } of rules) if (!unspent.has(id)) count(tally.faults, kind);
  cloud.faults.clear();
  for (const [at, run] of runs.entries()) {
    const isRight = await judge(bench, run, ids[at] ?? '');
    if (!isRight) tally.failed.push(`run ${numbers[at]}: ${ids[at]}, ${JSON.stringify(run.faults)}`);
  }
  const made = await deliveries();
  for (const [name, receiver] of Object.entries({ steady, failing })) {
    const those = made[name as keyof typeof made];
    if (!judgeDeliveries(those, events, receiver, tally.webhooks)) {
      tally.failed.push(
        `runs ${numbers.join(', ')}: deliveries of the ${name} endpoint, ${JSON.stringify(those)}`,
      );
    }
  }
  await client.deleteEndpoint(failingId);
  const { dead } = queued(cloud);
  if (dead > tally.deadLetters) tally.failed.push(`runs ${numbers[0]} to ${numbers.at(-1)}: dead letters`);
  tally.deadLetters = dead;
}

/** Deterministic in seed and number. */
function planRun(seed: number, number: number): Run {
  const random = randomOf(seed, `run ${number}`);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const chunks: Chunks = number % 3 === 2 ? 6 : 1;
  const wide = targets.flatMap((target) => Array.from({ length: target.weight }, () => target));
  const faults = Array.from({ length: 1 + Math.floor(random() * 4) }, (): FaultRule => {
    const kind = pick(kinds);
    if (random() < 0.3) {
      const call = { service: 'ses', action: 'SendEmail', skip: Math.floor(random() * chunks) };
      return kind === 'error' && random() < 0.7 ? { ...call, ...paused } : { ...call, kind };
    }
    const { worker, calls } = pick(wide);
    const skip = Math.floor(random() * calls[chunks]);
    return { service: '*', action: '*', principal: `parley-worker-${worker}`, kind, skip };
  });
  const size = chunks === 6 ? 300 : 1;
  const recipients = Array.from({ length: size }, (_, at) => `p${at}@run-${seed}-${number}.example.test`);
  return { chunks, recipients, faults };
}

/** Pseudo-random numbers from 0 to 1, seeded with an FNV-1a hash. */
function randomOf(seed: number, purpose: string): () => number {
  let state = 0x811c9dc5;
  for (const char of `${seed} ${purpose}`) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return seeded(state).fraction;
}

async function untilDone(cloud: Cloud): Promise<void> {
  for (let steps = 0; steps < 100; steps++) {
    await patiently(cloud.settle);
    if (queued(cloud).open === 0) return;
    await patiently(() => cloud.clock.advance(120_000));
  }
  throw new Error(`messages are still queued: ${JSON.stringify(cloud.sqs.depths())}`);
}

/** Retries wait for up to five minutes, a lost timer for the sweep. */
async function untilDelivered(
  cloud: Cloud,
  deliveries: () => Promise<Record<string, readonly Delivery[]>>,
): Promise<void> {
  for (let steps = 0; steps < 40; steps++) {
    const open = Object.values(await deliveries()).flat();
    if (open.every(({ state }) => state !== 'pending')) return;
    await patiently(() => cloud.clock.advance(120_000));
    await patiently(cloud.settle);
  }
}

/** Whether a run has the same outcome as without faults; counts its figures. */
async function judge({ cloud, client, receivers, tally }: Bench, run: Run, id: string): Promise<boolean> {
  const copies = new Map(run.recipients.map((one) => [one, 0]));
  for (const { tags, recipients } of cloud.ses.sent()) {
    if (tags.email_id !== id) continue;
    for (const one of recipients) copies.set(one, (copies.get(one) ?? 0) + 1);
  }
  const { status, events } = await client.read(id);
  const sentTo = events.filter(({ type }) => type === 'sent').flatMap(({ recipients }) => recipients);
  const isComplete = status === 'delivered' && sentTo.toSorted().join() === run.recipients.toSorted().join();
  const sentEvents = receivers.steady.events.get(`${id} email.sent`)?.size ?? 0;
  tally.runs[run.chunks] += 1;
  tally.recipients += run.recipients.length;
  for (const got of copies.values()) count(tally.copies, got);
  count(tally.sentEvents, sentEvents);
  if (!isComplete) tally.incomplete += 1;
  return isComplete && sentEvents === 1 && [...copies.values()].every((got) => got === 1);
}

/** The fields of an email that the runs use. */
interface EmailBody {
  readonly id: string;
  readonly status: string;
  readonly events: readonly { readonly type: string; readonly recipients: readonly string[] }[];
}

interface Client {
  readonly workspaceId: WorkspaceId;
  /** The id of the endpoint. */
  createEndpoint(url: string): Promise<string>;
  deleteEndpoint(id: string): Promise<void>;
  /** The newest deliveries of an endpoint. */
  deliveries(endpoint: string, newest: number): Promise<readonly Delivery[]>;
  /** The id of the email. */
  send(recipients: readonly string[]): Promise<string>;
  read(id: string): Promise<EmailBody>;
}

/** Creates a workspace. */
async function connect(cloud: Cloud): Promise<Client> {
  Object.assign(process.env, cloud.environment);
  setEnvironmentData(clockSkewKey, cloud.clock.skew);
  const { id, providedDomain, key: token } = await workspace({ slug: 'faults' });
  const call = async <T = EmailBody>(method: string, path: string, body?: object): Promise<T> => {
    const key = randomUUID();
    for (let tries = 1; ; tries++) {
      const response = await fetch(`${cloud.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (response.ok) return (response.status === 204 ? null : await response.json()) as T;
      const refusal = `${method} ${path} answered ${response.status}: ${await response.text()}`;
      console.log(refusal);
      // On a busy machine, calls of a function time out; a client repeats the request with its key.
      if (response.status < 500 || tries === 5) throw new Error(refusal);
    }
  };
  return {
    workspaceId: id,
    createEndpoint: async (url) => (await call('POST', '/webhook-endpoints', { url, subscriptions })).id,
    deleteEndpoint: (endpoint) => call('DELETE', `/webhook-endpoints/${endpoint}`),
    deliveries: async (endpoint, newest) => {
      const path = `/webhook-endpoints/${endpoint}/deliveries?limit=${newest}`;
      return (await call<{ data: readonly Delivery[] }>('GET', path)).data;
    },
    async send(recipients) {
      const fields = {
        to: recipients.slice(0, 100),
        cc: recipients.slice(100, 200),
        bcc: recipients.slice(200),
      };
      const from = `hi@${providedDomain}`;
      return (await call('POST', '/emails', { from, ...fields, subject: 'Faults', text: 'Hi' })).id;
    },
    read: (email) => call('GET', `/emails/${email}`),
  };
}
