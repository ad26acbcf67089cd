/** Load on a local cloud with the limits of an account: what was throttled, what waited, and whether all mail left once and in order. */
import { setEnvironmentData } from 'node:worker_threads';
import { clockSkewKey } from '../../lib/adapters/clock.ts';
import { type Anomalies, type Cloud, type LimitChanges, startCloud } from '../../lib/local/index.ts';
import { workspace } from '../../test/support/workspace.ts';
import { quantile } from '../bench/figures.ts';
import { patternOf } from '../bench/partitions.ts';
import { type ReceivedEvents, startEventReceiver } from '../event-receiver.ts';
import { patiently, queued } from '../run-cloud.ts';

export interface Load {
  readonly name: string;
  readonly title: string;
  readonly limits: LimitChanges;
  readonly anomalies: Partial<Anomalies>;
  /** Emails of a busy workspace, sent one after the other as fast as they are accepted. */
  readonly emails: number;
  /** Emails of a second workspace, sent while the busy one is halfway. */
  readonly quietEmails: number;
  /** How many submissions SES throttles once a third of the emails is accepted, beside those above its rate. */
  readonly throttles?: number;
  /** For how many seconds SES pauses sending once two thirds are accepted. */
  readonly pausedSeconds?: number;
  /** Throttling and the pause begin when all accepted emails are sent: none is overtaken on its way to SES. */
  readonly faultsWhenIdle?: boolean;
}

/** The emails of one workspace. */
export interface Waits {
  readonly workspace: string;
  readonly emails: number;
  /** Seconds from acceptance to submission. */
  readonly median: number;
  readonly longest: number;
  /** The longest time by which an email left after a later one; seconds. */
  readonly disorder: number;
}

export interface LoadFigures {
  readonly title: string;
  readonly emails: number;
  /** Seconds of the clock. */
  readonly acceptedIn: number;
  readonly sentIn: number;
  readonly sesCalls: number;
  readonly sesThrottled: number;
  readonly waits: readonly Waits[];
  readonly lost: number;
  readonly doubled: number;
  /** Emails without exactly one `email.sent` event. */
  readonly wrongEvents: number;
  readonly deadLetters: number;
  /** Requests that the API answered with 429 or 503, and that were repeated. */
  readonly apiThrottled: number;
  /** Throttled invocations by function. */
  readonly invocationsThrottled: Readonly<Record<string, number>>;
  /** Throttled and failed AWS calls by action, `SendEmail` left out. */
  readonly callsFailed: Readonly<Record<string, number>>;
  /** Calls that DynamoDB throttled, by partition. */
  readonly tableThrottled: Readonly<Record<string, number>>;
  /** Write units per email, by function. */
  readonly writeUnits: Readonly<Record<string, number>>;
  readonly writeUnitsPerEmail: number;
}

interface Accepted {
  readonly id: string;
  readonly at: number;
}

/** Runs a load on a cloud of its own. One at a time in a process: the functions of the operator use its environment. */
export async function runLoad(load: Load, progress: (text: string) => void): Promise<LoadFigures> {
  const { limits, anomalies } = load;
  const cloud = await startCloud({ limits, anomalies });
  const receiver = await startEventReceiver();
  try {
    Object.assign(process.env, cloud.environment);
    setEnvironmentData(clockSkewKey, cloud.clock.skew);
    cloud.gateway.recorder.metering = true;
    const counts = countCalls(cloud);
    const busy = await connect(cloud, 'busy', receiver.url, counts);
    const quiet = await connect(cloud, 'quiet', receiver.url, counts);
    const startedAt = cloud.clock.now();
    await acceptAll(cloud, busy, quiet, load);
    const acceptedIn = seconds(cloud.clock.now() - startedAt);
    progress(`accepted ${load.emails + load.quietEmails} emails in ${acceptedIn.toFixed(0)} s`);
    await untilDone(cloud, load.emails + load.quietEmails, progress);
    return figuresOf(load, cloud, { clients: [busy, quiet], events: receiver.events, counts, acceptedIn });
  } finally {
    receiver.close();
    await cloud.close();
  }
}

async function acceptAll(cloud: Cloud, busy: Client, quiet: Client, load: Load): Promise<void> {
  for (let at = 0; at < load.emails; at++) {
    if (at === Math.floor(load.emails / 3)) {
      if (load.faultsWhenIdle) await untilSent(cloud, at, { stepMs: 1000 });
      throttle(cloud, load.throttles ?? 0);
    }
    if (at === Math.floor((load.emails * 2) / 3)) {
      if (load.faultsWhenIdle) await untilSent(cloud, at + load.quietEmails, { stepMs: 1000 });
      pauseSending(cloud, load.pausedSeconds ?? 0);
    }
    if (at === Math.floor(load.emails / 2)) {
      for (let extra = 0; extra < load.quietEmails; extra++) await quiet.send(extra);
    }
    await busy.send(at);
  }
}

const sendEmail = { service: 'ses', action: 'SendEmail' } as const;

function throttle(cloud: Cloud, times: number): void {
  if (times > 0) cloud.faults.add({ ...sendEmail, kind: 'throttle', times });
}

function pauseSending(cloud: Cloud, forSeconds: number): void {
  if (forSeconds === 0) return;
  const rule = cloud.faults.add({
    ...sendEmail,
    kind: 'error',
    code: 'SendingPausedException',
    message: 'Sending is paused for this account.',
    status: 400,
    times: Number.POSITIVE_INFINITY,
  });
  cloud.clock.at(cloud.clock.now() + forSeconds * 1000, () => cloud.faults.remove(rule));
}

/** An account that sends a hundredth of the load a day takes this many minutes. */
const stepsMax = 100 * 24 * 60;

async function untilSent(
  cloud: Cloud,
  emails: number,
  { stepMs, onStep = () => {} }: { stepMs: number; onStep?: (sent: number) => void },
): Promise<void> {
  for (let steps = 0; cloud.ses.sent().length < emails; steps++) {
    if (steps === stepsMax) throw new Error(`${cloud.ses.sent().length} of ${emails} emails were sent`);
    await patiently(() => cloud.clock.advance(stepMs));
    onStep(cloud.ses.sent().length);
  }
}

async function untilDone(cloud: Cloud, emails: number, progress: (text: string) => void): Promise<void> {
  let reported = 0;
  await untilSent(cloud, emails, {
    stepMs: 60_000,
    onStep(sent) {
      if (sent - reported < emails / 10) return;
      reported = sent;
      progress(`sent ${sent} of ${emails} emails`);
    },
  });
  // Unconfirmed submissions are repeated after five minutes, and webhook events after seconds.
  await patiently(() => cloud.clock.advance(15 * 60_000));
  await patiently(cloud.settle);
}

interface Counts {
  sesCalls: number;
  sesThrottled: number;
  apiThrottled: number;
  readonly invocationsThrottled: Map<string, number>;
  readonly callsFailed: Map<string, number>;
  readonly tableThrottled: Map<string, number>;
  readonly writeUnits: Map<string, number>;
}

const writes: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

function countCalls(cloud: Cloud): Counts {
  const counts: Counts = {
    sesCalls: 0,
    sesThrottled: 0,
    apiThrottled: 0,
    invocationsThrottled: new Map(),
    callsFailed: new Map(),
    tableThrottled: new Map(),
    writeUnits: new Map(),
  };
  cloud.onThrottled((name) => add(counts.invocationsThrottled, name));
  cloud.gateway.recorder.subscribe(({ service, action, status, principal, capacity = 0, throttled = [] }) => {
    for (const { index, partition } of throttled) {
      add(counts.tableThrottled, `${index ?? 'table'} ${patternOf(partition)}`);
    }
    if (action === 'SendEmail') {
      counts.sesCalls += 1;
      if (status === 429) counts.sesThrottled += 1;
    } else if (status === 429 || status >= 500) {
      add(counts.callsFailed, `${service} ${action} ${status}`);
    }
    if (writes.has(action)) add(counts.writeUnits, functionOf(principal), capacity);
  });
  return counts;
}

function functionOf(principal: string): string {
  return principal.split('~')[0] ?? principal;
}

function add(to: Map<string, number>, key: string, amount = 1): void {
  to.set(key, (to.get(key) ?? 0) + amount);
}

interface Client {
  readonly workspace: string;
  readonly accepted: Accepted[];
  send(number: number): Promise<void>;
}

/** Creates a workspace with a webhook endpoint, and a client for it. */
async function connect(cloud: Cloud, slug: string, hookUrl: string, counts: Counts): Promise<Client> {
  const { providedDomain, key: token } = await workspace({ slug });
  const post = async (path: string, body: object, key: string): Promise<{ id: string }> => {
    for (;;) {
      const response = await fetch(`${cloud.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      });
      if (response.ok) return (await response.json()) as { id: string };
      if (response.status !== 503 && response.status !== 429)
        throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
      counts.apiThrottled += 1;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const endpoint = { url: hookUrl, subscriptions: ['email.sent', 'email.failed'] };
  await post('/webhook-endpoints', endpoint, 'hook');
  const accepted: Accepted[] = [];
  return {
    workspace: slug,
    accepted,
    async send(number) {
      const to = `${slug}-${number}@people.example.test`;
      const from = `hi@${providedDomain}`;
      const body = { from, to, subject: `Load ${number}`, text: 'Hi' };
      accepted.push({ id: (await post('/emails', body, `${slug}-${number}`)).id, at: cloud.clock.now() });
    },
  };
}

/** What a load left behind, besides what the cloud shows. */
interface Ran {
  readonly clients: readonly Client[];
  readonly events: ReceivedEvents;
  readonly counts: Counts;
  readonly acceptedIn: number;
}

function figuresOf({ title }: Load, cloud: Cloud, { clients, events, counts, acceptedIn }: Ran): LoadFigures {
  const sentAt = new Map<string, number[]>();
  for (const { tags, at } of cloud.ses.sent()) {
    const id = tags.email_id ?? '';
    sentAt.set(id, [...(sentAt.get(id) ?? []), at]);
  }
  const all = clients.flatMap(({ accepted }) => accepted);
  const times = [...sentAt.values()].flat();
  const copies = all.map(({ id }) => sentAt.get(id)?.length ?? 0);
  const units = [...counts.writeUnits].map(([name, amount]) => [name, amount / all.length] as const);
  return {
    title,
    emails: all.length,
    acceptedIn,
    sentIn: seconds(Math.max(...times) - Math.min(...times)),
    sesCalls: counts.sesCalls,
    sesThrottled: counts.sesThrottled,
    waits: clients.map((client) => waitsOf(client, sentAt)).filter(({ emails }) => emails > 0),
    lost: copies.filter((number) => number === 0).length,
    doubled: copies.filter((number) => number > 1).length,
    wrongEvents: all.filter(({ id }) => events.get(`${id} email.sent`)?.size !== 1).length,
    deadLetters: queued(cloud).dead,
    apiThrottled: counts.apiThrottled,
    invocationsThrottled: Object.fromEntries(counts.invocationsThrottled),
    callsFailed: Object.fromEntries(counts.callsFailed),
    tableThrottled: Object.fromEntries(counts.tableThrottled),
    writeUnits: Object.fromEntries(units),
    writeUnitsPerEmail: units.reduce((sum, [, amount]) => sum + amount, 0),
  };
}

function waitsOf({ workspace, accepted }: Client, sentAt: ReadonlyMap<string, readonly number[]>): Waits {
  const left = accepted.flatMap(({ id, at }) => {
    const [first] = sentAt.get(id) ?? [];
    return first === undefined ? [] : [{ at: first, waited: seconds(first - at) }];
  });
  const waited = left.map((one) => one.waited);
  // From the last one back: the earliest time at which a later email left.
  let earliest = Number.POSITIVE_INFINITY;
  const behind = left.toReversed().map(({ at }) => {
    const late = at - earliest;
    earliest = Math.min(earliest, at);
    return seconds(Math.max(0, late));
  });
  return {
    workspace,
    emails: left.length,
    median: quantile(waited, 0.5),
    longest: Math.max(0, ...waited),
    disorder: Math.max(0, ...behind),
  };
}

function seconds(ms: number): number {
  return ms / 1000;
}
