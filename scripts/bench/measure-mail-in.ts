/** Measures the way in: from a mail accepted at the SMTP port to its webhook posted, at rest and under load. */
import { setTimeout as wait } from 'node:timers/promises';
import { changeSettings } from '../../lib/services/workspaces/workspaces.ts';
import { replyTo } from '../../test/support/conversation.ts';
import { quantile } from './figures.ts';
import { timedFunctions } from './measure-chain.ts';
import { type Stage, succeeded, type Tenant } from './stage.ts';

export interface Latency {
  readonly mails: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Load {
  readonly perSecond: number;
  readonly seconds: number;
  readonly accepted: number;
  /** Mails of which a webhook was posted. */
  readonly posted: number;
  /** Most messages that any one queue held, of those that were watched once a second. */
  readonly deepest: { readonly queue: string; readonly messages: number };
  /** From the last mail accepted to the last webhook posted. */
  readonly drainSeconds: number;
  /** Webhooks posted from the first mail on to the last webhook. */
  readonly handledPerSecond: number;
  /** What the functions do for one mail, on average. */
  readonly functions: readonly FunctionLoad[];
  /** Processor time of everything but the table engine, for one mail. */
  readonly processCpuMs: number;
  readonly p50: number;
}

export interface FunctionLoad {
  readonly name: string;
  readonly invocations: number;
  /** Calls of AWS. */
  readonly calls: number;
  readonly cpuMs: number;
}

/** When the webhook of each mail was posted, by its subject. */
interface Ear {
  readonly tenant: Tenant;
  readonly posted: ReadonlyMap<string, number>;
}

async function listen(stage: Stage): Promise<Ear> {
  const posted = new Map<string, number>();
  const tenant = await stage.workspace();
  const url = await stage.receiver(({ data: { subject = '' } }) => {
    // Delivery is at least once: the first one counts.
    if (!posted.has(subject)) posted.set(subject, performance.now());
  });
  const endpoint = { url, subscriptions: ['email.received'], max_concurrency: 128 };
  succeeded(await tenant.call('POST', '/webhook-endpoints', endpoint));
  return { tenant, posted };
}

function mailTo({ address }: Tenant, subject: string) {
  const { attachments: _files, ...mail } = replyTo(address);
  return { ...mail, subject, messageId: `<${subject}@example.test>` };
}

const warmUps = 5;

export async function measureLatency(stage: Stage, mails: number): Promise<Latency> {
  const { tenant, posted } = await listen(stage);
  const times: number[] = [];
  for (let at = 0; at < warmUps + mails; at++) {
    const subject = `at-rest-${at}`;
    await stage.mailIn(mailTo(tenant, subject));
    const acceptedAt = performance.now();
    await stage.rest();
    const postedAt = posted.get(subject);
    if (postedAt === undefined) throw new Error(`no webhook for the mail ${subject}`);
    if (at >= warmUps) times.push(postedAt - acceptedAt);
  }
  return { mails, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** How long the last webhooks may take after the last mail. */
const patienceSeconds = 180;

/** Enough for the compilers of V8 and of the JVM, which take as much as the work itself at first. */
const loadWarmUps = 500;

/** Hands mails in at a steady rate, whether or not the cloud keeps up. */
export async function measureLoad(
  stage: Stage,
  { perSecond, seconds }: Pick<Load, 'perSecond' | 'seconds'>,
  progress: (text: string) => void,
): Promise<Load> {
  const { tenant, posted } = await listen(stage);
  await changeSettings(tenant.id, { eventLog: false });
  const warmingUp = Array.from({ length: loadWarmUps }, (_, at) =>
    stage.mailIn(mailTo(tenant, `warm-up-${at}`)),
  );
  await Promise.all(warmingUp);
  await stage.rest();
  stage.observer.takeAll();
  const acceptedAt = new Map<string, number>();
  let deepest: Load['deepest'] = { queue: '', messages: 0 };
  const cpuBefore = process.cpuUsage();
  const begin = performance.now();
  const sending: Promise<void>[] = [];
  for (let at = 0; at < perSecond * seconds; at++) {
    await wait(Math.max(begin + (at * 1000) / perSecond - performance.now(), 0));
    const subject = `load-${at}`;
    const mail = stage.mailIn(mailTo(tenant, subject));
    sending.push(mail.then(() => void acceptedAt.set(subject, performance.now())));
    if (at % perSecond > 0) continue;
    const now = deepestQueue(stage);
    if (now.messages > deepest.messages) deepest = now;
    if (at % (10 * perSecond) === 0) progress(`${at} mails, ${posted.size} posted, queue ${now.messages}`);
  }
  await Promise.all(sending);
  const lastAccepted = performance.now();
  while (![...acceptedAt.keys()].every((subject) => posted.has(subject))) {
    if (performance.now() - lastAccepted > patienceSeconds * 1000) break;
    await wait(50);
  }
  // What is late is not lost.
  await stage.rest();
  const times = [...acceptedAt].flatMap(([subject, at]) => {
    const postedAt = posted.get(subject);
    return postedAt === undefined ? [] : [postedAt - at];
  });
  const lastPosted = Math.max(...posted.values());
  return {
    perSecond,
    seconds,
    accepted: acceptedAt.size,
    posted: times.length,
    deepest,
    drainSeconds: Math.max(0, lastPosted - lastAccepted) / 1000,
    handledPerSecond: (1000 * times.length) / (lastPosted - begin),
    functions: functionLoads(stage, acceptedAt.size),
    processCpuMs: processCpuSince(cpuBefore) / acceptedAt.size,
    p50: quantile(times, 0.5),
  };
}

/** Of the functions that mail sets off. */
function functionLoads({ observer }: Stage, mails: number): readonly FunctionLoad[] {
  const sumOf = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0);
  return [...observer.takeAll()]
    .filter(([name]) => !timedFunctions.has(name))
    .map(([name, invocations]) => ({
      name,
      invocations: invocations.length / mails,
      calls: sumOf(invocations.map(({ calls }) => calls.length)) / mails,
      cpuMs: sumOf(invocations.map(({ cpuMs }) => cpuMs ?? 0)) / mails,
    }));
}

function processCpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function deepestQueue({ cloud }: Stage): Load['deepest'] {
  const depths = Object.entries(cloud.sqs.depths()).map(([arn, { visible, inFlight }]) => ({
    queue: arn.split(':').at(-1) ?? '',
    messages: visible + inFlight,
  }));
  return depths.reduce((most, one) => (one.messages > most.messages ? one : most), {
    queue: '',
    messages: 0,
  });
}
