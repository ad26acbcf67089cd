/** The standby of a drill: takes over, works, hears of the home region again, and stops in the middle of a load. */
import type { Cloud } from '../../lib/local/index.ts';
import { type Client, newClient } from '../restore/client.ts';
import { withCloud } from '../restore/drill-cloud.ts';
import { type Figures, judge, receivedTwice } from '../restore/judge.ts';
import { type Ledger, work } from '../restore/load.ts';
import { operateToEnd } from '../restore/operator.ts';
import { copyTable, restoreTable, type TableCopy, turnOnStream } from '../restore/table-copy.ts';
import { patiently, queued } from '../run-cloud.ts';
import type { Loss } from './lose-home.ts';
import { replicateLate } from './replication.ts';
import {
  homeTable,
  minuteMs,
  type Notification,
  names,
  objectsOf,
  pass,
  type Sent,
  type Stage,
  type StoredObject,
  timed,
} from './stage.ts';

const copiedTable = 'parley-copy';

/** How the failover went. */
export interface TakeOver {
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
  /** Received messages of the lag that are two emails: the email had come, and the items that know the message had not. */
  readonly tornTwice: readonly string[];
  /** Emails whose thread cannot be read. */
  readonly withoutThread: number;
  /** Here: reconciliation, start of the workers on the copy, replay. */
  readonly reconcileMs: number;
  readonly startMs: number;
  readonly replayMs: number;
}

/** What the standby leaves to the home region. */
export interface Stopped {
  readonly takeOver: TakeOver;
  readonly stoppedAt: number;
  /** Changes of the home region that came while the standby worked. */
  readonly cameLate: number;
  /** Emails that were lost and are not any more; of these, sent by the standby then. */
  readonly cameBack: readonly string[];
  readonly cameBackAndSent: number;
  readonly table: TableCopy;
  readonly objects: readonly StoredObject[];
  readonly notifications: readonly Notification[];
  readonly sent: Sent;
}

export async function takeOver(
  folder: string,
  stage: Stage,
  loss: Loss,
  load: { readonly actions: number; readonly lagActions: number },
): Promise<Stopped> {
  const { report, reconcileMs, copy } = await withCloud({ ...stage, folder }, async (cloud) => {
    for (const { bucket, key, body } of loss.objects) await cloud.s3.put(bucket, key, body);
    await restoreTable(cloud.dynamoDb, { like: homeTable, table: copiedTable, copy: loss.table.copy });
    const { restoredTo, lostAt } = loss;
    const reconciled = await timed(() =>
      operateToEnd({ cloud, table: copiedTable }, 'reconcile', { restoredTo, lostAt, isDryRun: false }),
    );
    await turnOnStream(cloud.dynamoDb, copiedTable);
    return { report: reconciled.result, reconcileMs: reconciled.ms, copy: loss.table.copy };
  });
  const beganAt = performance.now();
  return await withCloud({ ...stage, folder, tableName: copiedTable }, async (cloud) => {
    const startMs = performance.now() - beganAt;
    const notifications: Notification[] = [];
    cloud.onServiceCall(({ published }) => {
      if (!published) return;
      notifications.push({ queue: published.topicArn.split(':').at(-1) ?? '', body: published.message });
    });
    for (const { queue, body } of loss.notifications) cloud.sqs.send(queue, { body });
    const replay = { restoredTo: loss.restoredTo, now: cloud.clock.now(), isDryRun: false };
    const { ms: replayMs } = await timed(() => operateToEnd({ cloud }, 'replay', replay));
    const client = newClient(cloud, loss.token);
    const world = { cloud, client, domain: loss.domain, ...stage };
    await work(world, load.actions, () => undefined);
    await pass(cloud, 120);
    const { missing, replicated } = loss.table;
    const times = { reconcileMs, startMs, replayMs, lagMs: loss.lostAt - loss.restoredTo };
    const judged = await judgeTakeOver({ cloud, client, stage, loss, report });
    const lost = await missingOf(client, stage.ledger);
    const cameLate = await homeIsBack(cloud, stage, loss, copy);
    // Those that are not known since the loss: a second copy is worse than none.
    await operateToEnd({ cloud }, 'settle', { as: 'fail' });
    const stoppedAt = await stopUnderLoad(cloud, world, load.lagActions);
    const stillLost = new Set(await missingOf(client, stage.ledger));
    const cameBack = lost.filter((id) => !stillLost.has(id));
    const sent = [...cloud.ses.sent()];
    return {
      takeOver: { ...judged, missing, replicated, ...times },
      stoppedAt,
      cameLate,
      cameBack,
      cameBackAndSent: cameBack.filter((id) => sent.some(({ tags }) => tags.email_id === id)).length,
      table: await copyTable(cloud.dynamoDb, copiedTable),
      objects: await objectsOf(cloud),
      notifications,
      sent,
    };
  });
}

/** Its table and files are copied again, while the standby works. */
async function homeIsBack(cloud: Cloud, { random }: Stage, loss: Loss, copy: TableCopy): Promise<number> {
  for (const { bucket, key, body } of loss.late) await cloud.s3.put(bucket, key, body);
  const late = { table: copiedTable, copy, home: loss.home };
  const came = await replicateLate(cloud.dynamoDb, late, random, () => patiently(cloud.settle));
  await pass(cloud, 30);
  return came;
}

/** Step 3 of the set-up, without `takeOver`: no queue, no stream, no timer. The API goes on, until clients are led elsewhere. */
async function stopUnderLoad(
  cloud: Cloud,
  world: Parameters<typeof work>[0],
  actions: number,
): Promise<number> {
  const stopsAt = world.random.below(actions);
  let stoppedAt = 0;
  await work(world, actions, (number) => {
    if (number !== stopsAt) return;
    stoppedAt = cloud.clock.now();
    for (const arn of Object.keys(cloud.sqs.depths())) cloud.denials.deny('sqs:ReceiveMessage', arn);
    cloud.denials.deny('dynamodb:GetRecords', names.arn('dynamodb', `table/${copiedTable}/stream/local`));
    for (const worker of ['sweep', 'check-mail']) {
      const target = names.arn('lambda', `function:${names.workerFunction(worker)}`);
      cloud.denials.deny('lambda:InvokeFunction', target);
    }
  });
  // What was invoked before ends, and SES reports.
  await patiently(cloud.settle);
  return stoppedAt;
}

interface Judged {
  readonly cloud: Cloud;
  readonly client: Client;
  readonly stage: Stage;
  readonly loss: Loss;
  readonly report: Parameters<typeof judge>[0]['report'];
}

async function judgeTakeOver({ cloud, client, stage, loss, report }: Judged) {
  const ledger = { ...stage.ledger, emails: new Map(stage.ledger.emails) };
  const torn = await tornOf(client, ledger, loss.restoredTo);
  const figures = await judge({
    client,
    ledger,
    restoredTo: loss.restoredTo,
    before: loss.sent,
    after: [...cloud.ses.sent()],
    report,
    held: await operateToEnd({ cloud }, 'settle', { as: 'list' }),
    events: stage.receiver.events,
    deadLetters: queued(cloud).dead,
  });
  const ofLag = (subject: string) => isOfLag(ledger.received.get(subject) ?? 0, loss);
  const tornTwice = (await receivedTwice(client)).filter(ofLag);
  figures.receivedTwice -= tornTwice.length;
  return { figures, ...torn, tornTwice, ...(await afterwards(client, ledger, loss.lostAt)) };
}

/** A message is worked on seconds after it came. */
export const isOfLag = (at: number, { restoredTo, lostAt }: Loss) =>
  at > restoredTo - minuteMs && at <= lostAt;

/** Takes out of what is judged, and counts, what only a torn copy makes. */
async function tornOf(
  client: Client,
  { emails }: Ledger,
  restoredTo: number,
): Promise<Pick<TakeOver, 'unreadable' | 'movedLost'>> {
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
): Promise<Pick<TakeOver, 'rpoMs' | 'withoutThread'>> {
  let [rpoMs, withoutThread] = [0, 0];
  for (const [id, { at, deletedAt }] of emails) {
    const found = await client.find(id);
    if (found === null && deletedAt === null) rpoMs = Math.max(rpoMs, lostAt - at);
    if (found !== null && (await client.call('GET', `/threads/${found.thread_id}`)) === null)
      withoutThread += 1;
  }
  return { rpoMs, withoutThread };
}

/** Accepted emails that nobody deleted and that are not there, or not with their content. */
async function missingOf(client: Client, { emails }: Ledger): Promise<string[]> {
  const missing: string[] = [];
  for (const [id, { deletedAt }] of emails) {
    const found = deletedAt === null ? await client.find(id).catch(() => null) : {};
    if (found === null) missing.push(id);
  }
  return missing;
}
