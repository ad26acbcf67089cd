/** Measures whole chains at rest: everything that follows from one email sent or received, and its bill. */
import { workers } from '../../functions/workers.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import { queues } from '../../lib/core/access/access.ts';
import { limits } from '../../lib/core/limits.ts';
import { homeRegion, type LogLine, localAccount, mailRegions } from '../../lib/local/index.ts';
import { changeSettings } from '../../lib/services/workspaces/workspaces.ts';
import { templates } from '../../test/infra/templates.ts';
import { mailOf5Kb } from '../../test/support/conversation.ts';
import { type ChainSums, type Run, type Source, sumsOf } from './chain-sums.ts';
import { assumedMs } from './deployed-duration.ts';
import { monitoringOf } from './monitoring.ts';
import { apartMs, type FixedUse } from './month.ts';
import { localNames, type Stage, succeeded, type Tenant } from './stage.ts';

export interface Chain {
  readonly name: string;
  readonly title: string;
  readonly direction: 'send' | 'receive';
  readonly endpoints: number;
  readonly eventLog: boolean;
}

export interface ChainFigures extends Chain {
  readonly emails: number;
  readonly sums: ChainSums;
}

const kinds = [
  { name: 'send', title: 'send + delivery report, no endpoint', direction: 'send', endpoints: 0 },
  { name: 'send-two', title: 'send + delivery report, two endpoints', direction: 'send', endpoints: 2 },
  { name: 'receive', title: 'receive, one endpoint', direction: 'receive', endpoints: 1 },
] as const;

export const chains: readonly Chain[] = [true, false].flatMap((eventLog) =>
  kinds.map((kind) => ({
    ...kind,
    name: eventLog ? kind.name : `${kind.name}-no-log`,
    title: `${kind.title}, event log ${eventLog ? 'on' : 'off'}`,
    eventLog,
  })),
);

/** Further ones, up to as many endpoints as a workspace may have. */
export const endpointChains: readonly Chain[] = [10, limits.endpoints].map((endpoints) => ({
  name: `send-${endpoints}`,
  title: `send + delivery report, ${endpoints} endpoints, event log off`,
  direction: 'send',
  endpoints,
  eventLog: false,
}));

/**
 * Functions and connections are warm then, endpoints have answered, and what runs often is compiled: where a million emails come
 * in a month, an environment has this many behind it after a minute or two.
 */
const warmUps = 60;
/** Longer than the delays of SQS, so that a message that was delayed counts, too. */
const afterwardsMs = 16 * 60_000;

/** @param emails how many are sent or received, one after the other; batches do not span them */
export async function measureChains(
  stage: Stage,
  measured: readonly Chain[],
  emails: number,
  progress: (text: string) => void,
): Promise<ChainFigures[]> {
  const meter = meterOf(stage, (name) => !timedFunctions.has(name));
  // Reports arrive seconds after a submission, not while its function runs.
  stage.cloud.ses.events(homeRegion).hold(true);
  const figures: ChainFigures[] = [];
  for (const chain of measured) {
    progress(chain.title);
    const act = await prepareChain(stage, chain);
    for (let at = 0; at < warmUps; at++) await act(`warm-${at}`);
    await stage.cloud.clock.advance(afterwardsMs);
    await stage.rest();
    const run = async (metered: boolean) => {
      meter.start(metered);
      for (let at = 0; at < emails; at++) await act(`${metered ? 'metered' : 'timed'}-${at}`);
      await stage.cloud.clock.advance(afterwardsMs);
      await stage.rest();
      return meter.stop();
    };
    const { observed: timed } = await run(false);
    figures.push({
      ...chain,
      emails,
      sums: sumsOf({ emails, timed, sourceOf, outsideMsOf, ...(await run(true)) }),
    });
  }
  stage.cloud.ses.events(homeRegion).hold(false);
  return figures;
}

const idleMinutes = 10;

/** What a deployment uses without any email: the workers of a timer, a minute. */
export async function measureFixedUse(stage: Stage): Promise<FixedUse> {
  const meter = meterOf(stage, (name) => timedFunctions.has(name));
  await stage.rest();
  meter.start(true);
  await stage.cloud.clock.advance(idleMinutes * 60_000);
  await stage.rest();
  const run = meter.stop();
  const { usage } = sumsOf({
    emails: idleMinutes,
    timed: run.observed,
    sourceOf: () => 'timer',
    outsideMsOf,
    ...run,
  });
  return {
    timers: usage,
    queues: Object.keys(queues).length,
    monitoring: monitoringOf(templates()),
  };
}

/** A workspace of its own; the result sends or receives one email and waits until nothing moves. */
export async function prepareChain(stage: Stage, chain: Chain): Promise<(label: string) => Promise<void>> {
  const tenant = await stage.workspace();
  await changeSettings(tenant.id, { eventLog: chain.eventLog });
  const url = await stage.receiver();
  const subscriptions = chain.direction === 'send' ? ['email.sent', 'email.delivered'] : ['email.received'];
  for (let at = 0; at < chain.endpoints; at++) {
    succeeded(await tenant.call('POST', '/webhook-endpoints', { url, subscriptions }));
  }
  return async (label) => {
    await (chain.direction === 'send' ? send(tenant) : receive(stage, tenant, label));
    await stage.rest();
    while (stage.cloud.ses.events(homeRegion).release({ most: 1 }) > 0) await stage.rest();
    await stage.cloud.clock.advance(apartMs);
    await stage.rest();
  };
}

async function send({ address, call }: Tenant): Promise<void> {
  succeeded(await call('POST', '/emails', mailOf5Kb(address)));
}

async function receive(stage: Stage, { address, slug }: Tenant, label: string): Promise<void> {
  const { text } = mailOf5Kb(address);
  const messageId = `<${slug}-${label}@example.test>`;
  await stage.mailIn({
    from: 'anna@example.test',
    to: address,
    subject: `Question ${label}`,
    text,
    messageId,
  });
}

interface Meter {
  start(metered: boolean): void;
  /** What happened since the start. */
  stop(): Pick<Run, 'observed' | 'services' | 'logBytes' | 'objectBytes'>;
}

function meterOf({ cloud, observer }: Stage, counts: (functionName: string) => boolean): Meter {
  let services = { snsPublish: 0, s3Put: 0 };
  cloud.onServiceCall(({ service }) => {
    services[service === 'sns' ? 'snsPublish' : 's3Put'] += 1;
  });
  let startedAt = 0;
  let objectsBefore = 0;
  const bytesOfObjects = () =>
    buckets.reduce(
      (sum, bucket) => sum + cloud.s3.list(bucket).reduce((bytes, object) => bytes + object.bytes, 0),
      0,
    );
  return {
    start(metered) {
      services = { snsPublish: 0, s3Put: 0 };
      startedAt = cloud.clock.now();
      objectsBefore = bytesOfObjects();
      cloud.gateway.recorder.metering = metered;
      observer.takeAll();
    },
    stop() {
      cloud.gateway.recorder.metering = false;
      return {
        observed: new Map([...observer.takeAll()].filter(([name]) => counts(name))),
        services,
        objectBytes: bytesOfObjects() - objectsBefore,
        logBytes: logBytes(cloud.logs.lines().filter(({ at }) => at >= startedAt)),
      };
    },
  };
}

const names = namesOf({ prefix: 'parley', account: localAccount, homeRegion });
const buckets = [names.contentBucket, ...mailRegions.map((region) => names.rawMailBucket(region))];

function logBytes(lines: readonly LogLine[]): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  for (const { source, text } of lines) bytes.set(source, (bytes.get(source) ?? 0) + Buffer.byteLength(text));
  return bytes;
}

const sources: ReadonlyMap<string, Source> = new Map(
  workers.flatMap(({ id, trigger }) => {
    if (trigger.kind === 'every' || trigger.kind === 'socket') return [];
    const source = trigger.kind !== 'queue' ? 'stream' : queues[trigger.queue].fifo ? 'fifo' : 'queue';
    return [[localNames.workerFunction(id), source]] as const;
  }),
);

function sourceOf(functionName: string): Source {
  return sources.get(functionName) ?? 'http';
}

const posting: ReadonlySet<string> = new Set(
  workers.filter(({ id }) => id === 'deliver-webhook').map(({ id }) => localNames.workerFunction(id)),
);

/** What a function waits for outside of AWS: each invocation of these chains posts one webhook. */
function outsideMsOf(functionName: string): number {
  return posting.has(functionName) ? assumedMs.receiver : 0;
}

/** Workers of a timer run whether or not there are emails. */
export const timedFunctions: ReadonlySet<string> = new Set(
  workers.filter(({ trigger }) => trigger.kind === 'every').map(({ id }) => localNames.workerFunction(id)),
);
