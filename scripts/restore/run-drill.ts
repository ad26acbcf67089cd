/**
 * One drill in the local cloud: load, a copy of the table at a moment, more load, loss of the table, restore under another name,
 * reconciliation, adoption, replay (docs/restoring.md). The moment is in the middle of the load.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import { clockSkewKey } from '../../lib/adapters/clock.ts';
import { type Cloud, mailRegions, newSkew } from '../../lib/local/index.ts';
import type { ReconcileOptions, Reconciliation } from '../../lib/services/restoring/reconcile.ts';
import { type EventReceiver, startEventReceiver } from '../event-receiver.ts';
import { type Random, seeded } from '../random.ts';
import { patiently, queued } from '../run-cloud.ts';
import { type Client, demand, newClient } from './client.ts';
import { withCloud } from './drill-cloud.ts';
import { type Figures, judge } from './judge.ts';
import { type Ledger, newLedger, work } from './load.ts';
import { operate, operateToEnd } from './operator.ts';
import { copyTable, restoreTable, type TableCopy, turnOnStream } from './table-copy.ts';

const lostTable = 'parley';
const restoredTable = 'parley-restored';
const minuteMs = 60_000;

export interface DrillOptions {
  readonly seed: number;
  /** Actions before the moment of the copy, and after it. */
  readonly actions: number;
  /** false: a control, whose restored table is adopted as it is. */
  readonly isReconciled: boolean;
}

/** How a drill went. */
export interface Outcome {
  readonly figures: Figures;
  /** Whether the reconciliation was killed, and run again. */
  readonly isKilled: boolean;
}

/** The table at a moment. */
interface Moment {
  readonly restoredTo: number;
  readonly copy: TableCopy;
}

interface Stage {
  readonly folder: string;
  readonly skew: SharedArrayBuffer;
  readonly random: Random;
  readonly receiver: EventReceiver;
  readonly ledger: Ledger;
}

/** What outlives the loss. */
interface Loss extends Moment {
  readonly token: string;
  readonly lostAt: number;
  readonly sent: ReturnType<Cloud['ses']['sent']>;
  readonly report: Reconciliation;
  readonly isKilled: boolean;
}

export async function runDrill({ seed, ...options }: DrillOptions): Promise<Outcome> {
  const skew = newSkew();
  setEnvironmentData(clockSkewKey, skew);
  const stage: Stage = {
    folder: mkdtempSync(join(tmpdir(), 'parley-drill-')),
    skew,
    random: seeded(seed),
    receiver: await startEventReceiver(),
    ledger: newLedger(),
  };
  try {
    const loss = await withCloud(stage, (cloud) => untilLost(cloud, stage, options));
    return await withCloud({ ...stage, tableName: restoredTable }, (cloud) =>
      afterAdoption(cloud, stage, loss),
    );
  } finally {
    stage.receiver.close();
    rmSync(stage.folder, { recursive: true, force: true });
  }
}

/** Load, the copy, more load, the loss, and the reconciliation of the restored table. */
async function untilLost(
  cloud: Cloud,
  stage: Stage,
  { actions, isReconciled }: Omit<DrillOptions, 'seed'>,
): Promise<Loss> {
  const { id, token, providedDomain } = await operateToEnd({ cloud }, 'workspace', { slug: 'drill' });
  const client = newClient(cloud, token);
  await prepare(client, stage, providedDomain);
  const moment = await underLoad(cloud, stage, { client, domain: providedDomain }, actions);
  const lostAt = await lose(cloud);
  await restoreTable(cloud.dynamoDb, { like: lostTable, table: restoredTable, copy: moment.copy });
  const { report, isKilled } = await reconcile(cloud, stage, { ...moment, lostAt, isDryRun: !isReconciled });
  await turnOnStream(cloud.dynamoDb, restoredTable);
  if (!id) throw new Error('there is no workspace');
  return { ...moment, token, lostAt, sent: [...cloud.ses.sent()], report, isKilled };
}

/** A webhook endpoint and a pacing rule. */
async function prepare(client: Client, { receiver }: Stage, domain: string): Promise<void> {
  const subscriptions = ['email.sent', 'email.delivered', 'email.received'];
  await demand(client, '/webhook-endpoints', { url: receiver.url, subscriptions });
  await demand(client, '/pacing-rules', {
    name: 'Six an hour',
    match: [{ field: 'from', pattern: `paced@${domain}` }],
    kind: 'limit',
    limit: { scope: 'from_address', amount: 6, per_seconds: 3600 },
  });
}

/** The copy is taken beside the load, in the middle of what workers do. */
async function underLoad(
  cloud: Cloud,
  { random, ledger }: Stage,
  { client, domain }: { readonly client: Client; readonly domain: string },
  actions: number,
): Promise<Moment> {
  const world = { cloud, client, domain, random, ledger };
  await work(world, actions, () => undefined);
  // Scheduled and held emails of the first half leave before the moment, others after it.
  await patiently(() => cloud.clock.advance(random.below(20) * minuteMs));
  const at = random.below(actions);
  let copying: Promise<Moment> | undefined;
  const gates = mailRegions.map((region) => cloud.ses.events(region));
  await work(world, actions, (number) => {
    if (number !== at) return;
    copying = copyNow(cloud);
    // What SES reports from here on comes when the table is lost.
    if (random.below(2) === 0) for (const gate of gates) gate.hold(true);
  });
  await patiently(() => cloud.clock.advance((5 + random.below(25)) * minuteMs));
  await work(world, actions, () => undefined);
  if (!copying) throw new Error('the table was not copied');
  return await copying;
}

async function copyNow({ clock, dynamoDb }: Cloud): Promise<Moment> {
  const restoredTo = clock.now();
  return { restoredTo, copy: await copyTable(dynamoDb, lostTable) };
}

/** From now on every call to the table fails, as that to a deleted one; an hour passes. */
async function lose(cloud: Cloud): Promise<number> {
  const lostAt = cloud.clock.now();
  cloud.faults.add({
    service: 'dynamodb',
    action: '*',
    // Requests name the table in full; the name of the restored one continues.
    match: `"${lostTable}"`,
    kind: 'error',
    code: 'ResourceNotFoundException',
    message: 'Requested resource not found',
    times: Number.MAX_SAFE_INTEGER,
  });
  for (const region of mailRegions) {
    const gate = cloud.ses.events(region);
    gate.release();
    gate.hold(false);
  }
  for (let step = 0; step < 6; step++) await patiently(() => cloud.clock.advance(10 * minuteMs));
  return lostAt;
}

/** Half of the reconciliations are killed on their way, and run again. */
async function reconcile(
  cloud: Cloud,
  { random }: Stage,
  { restoredTo, lostAt, isDryRun }: ReconcileOptions,
): Promise<Pick<Loss, 'report' | 'isKilled'>> {
  const place = { cloud, table: restoredTable };
  const options = { restoredTo, lostAt, isDryRun };
  const isKilled =
    random.below(2) === 0 &&
    (await operate({ ...place, killedAfterMs: 300 + random.below(1200) }, 'reconcile', options)) === null;
  return { report: await operateToEnd(place, 'reconcile', options), isKilled };
}

/** The replay, and all that is due within the next hour: what was scheduled for later than the loss. */
async function afterAdoption(cloud: Cloud, { receiver, ledger }: Stage, loss: Loss): Promise<Outcome> {
  const { restoredTo, token, sent, report, isKilled } = loss;
  const client = newClient(cloud, token);
  await patiently(cloud.settle);
  await operateToEnd({ cloud }, 'replay', { restoredTo, now: cloud.clock.now(), isDryRun: false });
  for (let step = 0; step < 6; step++) await patiently(() => cloud.clock.advance(10 * minuteMs));
  await patiently(cloud.settle);
  const figures = await judge({
    client,
    ledger,
    restoredTo,
    before: sent,
    after: [...cloud.ses.sent()],
    report,
    held: await operateToEnd({ cloud }, 'settle', { as: 'list' }),
    events: receiver.events,
    deadLetters: queued(cloud).dead,
  });
  return { figures, isKilled };
}
