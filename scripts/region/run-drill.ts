/**
 * One drill of the loss of the home region in the local cloud: load, the loss in the middle of it, with a copy that lags item by item; in another
 * cloud, which has nothing but the copies: reconciliation, take-over, replay, and traffic that goes on (docs/regions.md).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import { clockSkewKey } from '../../lib/adapters/clock.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import { type Cloud, homeRegion, localAccount, mailRegions, newSkew } from '../../lib/local/index.ts';
import { type EventReceiver, startEventReceiver } from '../event-receiver.ts';
import { type Random, seeded } from '../random.ts';
import { type Client, newClient } from '../restore/client.ts';
import { withCloud } from '../restore/drill-cloud.ts';
import { type Figures, judge } from '../restore/judge.ts';
import { type Ledger, newLedger, work } from '../restore/load.ts';
import { operateToEnd } from '../restore/operator.ts';
import { copyTable, restoreTable, type TableCopy, turnOnStream } from '../restore/table-copy.ts';
import { patiently, queued } from '../run-cloud.ts';
import { type TornCopy, tornCopy } from './torn-copy.ts';

const homeTable = 'parley';
const copiedTable = 'parley-copy';
const minuteMs = 60_000;
/** The queues whose notifications the standby gets, too (lib/stacks/mail.ts). */
const notified = ['parley-inbound', 'parley-provider-events'] as const;

export interface RegionDrill {
  readonly seed: number;
  /** Actions before the lag begins, and after the take-over. */
  readonly actions: number;
  /** Actions within the lag. */
  readonly lagActions: number;
}

export interface RegionOutcome {
  readonly figures: Figures;
  readonly missing: number;
  readonly replicated: number;
  /** The longest that a change may be behind, and the age of the oldest accepted email that is lost. */
  readonly lagMs: number;
  readonly rpoMs: number;
  /** Emails whose content had not been copied: they cannot be read, nor sent. */
  readonly unreadable: number;
  /** Gone since their item was moved within the lag: its removal had come and the new one had not. */
  readonly movedLost: number;
  /** Emails whose thread cannot be read. */
  readonly withoutThread: number;
  /** Here: reconciliation, start of the workers on the copy, replay. */
  readonly reconcileMs: number;
  readonly startMs: number;
  readonly replayMs: number;
}

interface Stage {
  readonly skew: SharedArrayBuffer;
  readonly random: Random;
  readonly receiver: EventReceiver;
  readonly ledger: Ledger;
}

/** What the standby has, and what is known outside. */
interface Loss {
  readonly token: string;
  readonly domain: string;
  readonly restoredTo: number;
  readonly lostAt: number;
  readonly table: TornCopy;
  readonly objects: readonly { readonly bucket: string; readonly key: string; readonly body: Uint8Array }[];
  readonly notifications: readonly { readonly queue: string; readonly body: string }[];
  readonly sent: ReturnType<Cloud['ses']['sent']>;
}

export async function runRegionDrill({ seed, ...options }: RegionDrill): Promise<RegionOutcome> {
  const skew = newSkew();
  setEnvironmentData(clockSkewKey, skew);
  const receiver = await startEventReceiver();
  const stage: Stage = { skew, random: seeded(seed), receiver, ledger: newLedger() };
  try {
    const loss = await inRegion((folder) =>
      withCloud({ ...stage, folder }, (cloud) => untilLost(cloud, stage, options)),
    );
    return await inRegion((folder) => takeOver(folder, stage, loss, options.actions));
  } finally {
    receiver.close();
  }
}

async function inRegion<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-region-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilLost(
  cloud: Cloud,
  stage: Stage,
  { actions, lagActions }: Omit<RegionDrill, 'seed'>,
): Promise<Loss> {
  const { token, providedDomain: domain } = await operateToEnd({ cloud }, 'workspace', { slug: 'drill' });
  const client = newClient(cloud, token);
  const subscriptions = ['email.sent', 'email.delivered', 'email.received'];
  const endpoint = await client.call('POST', '/webhook-endpoints', {
    url: stage.receiver.url,
    subscriptions,
  });
  if (!endpoint) throw new Error('the API has refused the endpoint');
  const world = { cloud, client, domain, ...stage };
  await work(world, actions, () => undefined);
  await patiently(() => cloud.clock.advance(stage.random.below(20) * minuteMs));
  const moment = await underLoad(cloud, world, lagActions);
  return {
    ...moment,
    ...(await copiesOf(cloud, stage, moment.restoredTo)),
    token,
    domain,
    sent: [...cloud.ses.sent()],
  };
}

/** The lag begins in the middle of the load, and the region is lost in the middle of it. */
async function underLoad(
  cloud: Cloud,
  world: Parameters<typeof work>[0],
  lagActions: number,
): Promise<Pick<Loss, 'restoredTo' | 'lostAt' | 'table'>> {
  const { clock, dynamoDb } = cloud;
  const beginsAt = world.random.below(8);
  const endsAt = beginsAt + lagActions;
  const gates = mailRegions.map((region) => cloud.ses.events(region));
  const holdsReports = world.random.below(2) === 0;
  const moments: Promise<{ readonly at: number; readonly copy: TableCopy }>[] = [];
  const copyNow = async () => ({ at: clock.now(), copy: await copyTable(dynamoDb, homeTable) });
  await work(world, endsAt + 1, (number) => {
    if (number !== beginsAt && number !== endsAt) return;
    moments.push(copyNow());
    // What SES reports from here on comes to the standby.
    if (holdsReports) for (const gate of gates) gate.hold(true);
    if (number === endsAt) lose(cloud);
  });
  for (const gate of gates) {
    gate.release();
    gate.hold(false);
  }
  const [first, last] = await Promise.all(moments);
  if (!first || !last) throw new Error('the table was not copied');
  return { restoredTo: first.at, lostAt: last.at, table: tornCopy(first.copy, last.copy, world.random) };
}

/** From now on no call of a function reaches the table. */
function lose({ faults }: Cloud): void {
  faults.add({
    service: 'dynamodb',
    action: '*',
    kind: 'error',
    code: 'InternalServerError',
    message: 'The region is lost.',
    times: Number.MAX_SAFE_INTEGER,
  });
}

/** Raw mail of the mail regions, files that were copied in time, and the notifications that nobody has worked on. */
async function copiesOf(
  { s3, sqs, clock, ...cloud }: Cloud,
  { random }: Stage,
  restoredTo: number,
): Promise<Pick<Loss, 'objects' | 'notifications'>> {
  await patiently(cloud.settle).catch(() => undefined);
  const { contentBucket: content, rawMailBucket } = namesOf({
    prefix: homeTable,
    account: localAccount,
    homeRegion,
  });
  const objects: { bucket: string; key: string; body: Uint8Array }[] = [];
  for (const bucket of [content, ...mailRegions.map(rawMailBucket)]) {
    for (const { key } of s3.list(bucket)) {
      const object = await s3.get(bucket, key);
      if (!object) continue;
      const isLate = bucket === content && object.modifiedAt >= restoredTo;
      if (!isLate || random.below(2) === 0) objects.push({ bucket, key, body: object.body });
    }
  }
  const notifications = notified.flatMap((queue) =>
    [queue, `${queue}-dead-letters`].flatMap((from) =>
      sqs.messages(from).map(({ body }) => ({ queue, body })),
    ),
  );
  return { objects, notifications };
}

async function takeOver(folder: string, stage: Stage, loss: Loss, actions: number): Promise<RegionOutcome> {
  const { restoredTo, lostAt } = loss;
  const { report, reconcileMs } = await withCloud({ ...stage, folder }, async (cloud) => {
    for (const { bucket, key, body } of loss.objects) await cloud.s3.put(bucket, key, body);
    await restoreTable(cloud.dynamoDb, { like: homeTable, table: copiedTable, copy: loss.table.copy });
    const place = { cloud, table: copiedTable };
    const reconciled = await timed(() =>
      operateToEnd(place, 'reconcile', { restoredTo, lostAt, isDryRun: false }),
    );
    await turnOnStream(cloud.dynamoDb, copiedTable);
    return { report: reconciled.result, reconcileMs: reconciled.ms };
  });
  const beganAt = performance.now();
  return await withCloud({ ...stage, folder, tableName: copiedTable }, async (cloud) => {
    const startMs = performance.now() - beganAt;
    for (const { queue, body } of loss.notifications) cloud.sqs.send(queue, { body });
    const replay = { restoredTo, now: cloud.clock.now(), isDryRun: false };
    const { ms: replayMs } = await timed(() => operateToEnd({ cloud }, 'replay', replay));
    const client = newClient(cloud, loss.token);
    await work({ cloud, client, domain: loss.domain, ...stage }, actions, () => undefined);
    for (let step = 0; step < 12; step++) await patiently(() => cloud.clock.advance(10 * minuteMs));
    await patiently(cloud.settle);
    const torn = await tornOf(client, stage.ledger, restoredTo);
    const figures = await judge({
      client,
      ledger: stage.ledger,
      restoredTo,
      before: loss.sent,
      after: [...cloud.ses.sent()],
      report,
      held: await operateToEnd({ cloud }, 'held', null),
      events: stage.receiver.events,
      deadLetters: queued(cloud).dead,
    });
    const { missing, replicated } = loss.table;
    return {
      ...{
        figures,
        missing,
        replicated,
        ...torn,
        reconcileMs,
        startMs,
        replayMs,
        lagMs: lostAt - restoredTo,
      },
      ...(await afterwards(client, stage.ledger, lostAt)),
    };
  });
}

/** Takes out of what is judged, and counts, what only a torn copy makes. */
async function tornOf(
  client: Client,
  { emails }: Ledger,
  restoredTo: number,
): Promise<Pick<RegionOutcome, 'unreadable' | 'movedLost'>> {
  const counts = { unreadable: 0, movedLost: 0 };
  for (const [id, { kind, at, deletedAt }] of [...emails]) {
    const found = await client.find(id).catch(() => 'unreadable' as const);
    // Those that the load approves or deletes; the answer may have been lost.
    const isMoved = (kind === 'draft' || kind === 'large') && at < restoredTo;
    const isLost = found === null && deletedAt === null && isMoved;
    if (found !== 'unreadable' && !isLost) continue;
    counts[isLost ? 'movedLost' : 'unreadable'] += 1;
    emails.delete(id);
  }
  return counts;
}

async function afterwards(
  client: Client,
  { emails }: Ledger,
  lostAt: number,
): Promise<Pick<RegionOutcome, 'rpoMs' | 'withoutThread'>> {
  let [rpoMs, withoutThread] = [0, 0];
  for (const [id, { at, deletedAt }] of emails) {
    const found = await client.find(id);
    if (found === null && deletedAt === null) rpoMs = Math.max(rpoMs, lostAt - at);
    if (found !== null && (await client.call('GET', `/threads/${found.thread_id}`)) === null)
      withoutThread += 1;
  }
  return { rpoMs, withoutThread };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const beganAt = performance.now();
  return { result: await work(), ms: performance.now() - beganAt };
}
