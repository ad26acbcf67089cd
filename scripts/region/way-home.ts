/** The home region of a drill that is back: behind its fence, and at work again; and one that was never fenced. */
import type { Cloud } from '../../lib/local/index.ts';
import type { EventReceiver } from '../event-receiver.ts';
import { newClient } from '../restore/client.ts';
import { withCloud } from '../restore/drill-cloud.ts';
import { type Figures, judge, receivedTwice } from '../restore/judge.ts';
import { type Ledger, work } from '../restore/load.ts';
import { operateToEnd } from '../restore/operator.ts';
import { patiently, queued } from '../run-cloud.ts';
import { openFence } from './fence.ts';
import type { Loss } from './lose-home.ts';
import { replicateAll } from './replication.ts';
import { homeTable, minuteMs, pass, type Sent, type Stage, timed } from './stage.ts';
import { isOfLag, type Stopped } from './take-over.ts';

export const standbyRegion = 'us-west-2';

/** What a home region does that is back while the standby works. */
export interface Return {
  /** Messages in its queues, and timers, when it came back. */
  readonly waiting: number;
  /** Emails that SES took from it. */
  readonly sent: number;
  /** Recipients that got an email a second time. */
  readonly doubled: number;
  /** Requests to the webhook endpoint. */
  readonly posted: number;
  /** Facts that the endpoint has heard of already, under another event id. */
  readonly toldTwice: number;
}

export interface WayHome {
  readonly figures: Figures;
  /** Received messages of the lag that are two emails: received again after the loss, and back with the home region. */
  readonly cameTwice: number;
  /** Recipients of emails of the lag that were sent before the loss, and by the standby when the home region brought them back. */
  readonly sentTwice: number;
  readonly fenced: Return;
  /** Emails that were on their way when the standby stopped: held, and let go. */
  readonly settled: number;
  /** Here: reconciliation, replay. */
  readonly reconcileMs: number;
  readonly replayMs: number;
}

/** Both regions at the end of the standby's work. */
export interface Regions {
  readonly loss: Loss;
  readonly stopped: Stopped;
}

/** The home region comes back behind its fence, and takes over again (docs/regions.md#going-home). */
export async function wayHome(
  folder: string,
  stage: Stage,
  regions: Regions,
  actions: number,
): Promise<WayHome> {
  const { loss, stopped } = regions;
  return await withCloud({ ...stage, folder, standbyRegion }, async (cloud) => {
    const fenced = await returnOf(cloud, stage, regions, 60);
    await replicateAll(cloud.dynamoDb, { table: homeTable, from: stopped.table });
    for (const { bucket, key, body } of stopped.objects) await cloud.s3.put(bucket, key, body);
    const moment = { restoredTo: stopped.stoppedAt - minuteMs, lostAt: stopped.stoppedAt, isDryRun: false };
    const reconciled = await timed(() => operateToEnd({ cloud }, 'reconcile', moment));
    await openFence(cloud);
    const replay = { restoredTo: moment.restoredTo, now: cloud.clock.now(), isDryRun: false };
    const { ms: replayMs } = await timed(() => operateToEnd({ cloud }, 'replay', replay));
    // The reports of SES that waited are worked on.
    await patiently(cloud.settle);
    const { length: settled } = await operateToEnd({ cloud }, 'settle', { as: 'send' });
    const client = newClient(cloud, loss.token);
    await work({ cloud, client, domain: loss.domain, ...stage }, actions, () => undefined);
    await pass(cloud, 120);
    const figures = await judge({
      client,
      ledger: certainly(stage.ledger),
      // Nothing may be lost.
      restoredTo: Number.POSITIVE_INFINITY,
      before: [...loss.sent, ...stopped.sent],
      after: [...cloud.ses.sent()],
      report: reconciled.result,
      held: await operateToEnd({ cloud }, 'settle', { as: 'list' }),
      events: stage.receiver.events,
      deadLetters: queued(cloud).dead,
    });
    const twice = await receivedTwice(client);
    const cameTwice = twice.filter((subject) =>
      isOfLag(stage.ledger.received.get(subject) ?? 0, loss),
    ).length;
    figures.receivedTwice -= cameTwice;
    const sentTwice = sentInBoth(regions);
    figures.doubled -= sentTwice;
    return { figures, cameTwice, sentTwice, fenced, settled, reconcileMs: reconciled.ms, replayMs };
  });
}

function sentInBoth({ loss, stopped }: Regions): number {
  const before = reached(loss.sent);
  const cameBack = new Set(stopped.cameBack);
  const sent = recipientsOf(stopped.sent.filter(({ tags }) => cameBack.has(tags.email_id ?? '')));
  return sent.filter((one) => before.has(one)).length;
}

/** Without what may be deleted, as nobody knows. */
const certainly = ({ emails, received }: Ledger): Ledger => ({
  emails: new Map([...emails].filter(([, one]) => !one.isDeletionAsked || one.deletedAt !== null)),
  received,
});

/** A control: the same home region, as if nobody had fenced it, before it has anything that the standby wrote. */
export async function unfencedReturn(folder: string, stage: Stage, regions: Regions): Promise<Return> {
  return await withCloud({ ...stage, folder, standbyRegion }, async (cloud) => {
    await openFence(cloud);
    return await returnOf(cloud, stage, regions, 120);
  });
}

async function returnOf(
  cloud: Cloud,
  { receiver }: Stage,
  { loss, stopped }: Regions,
  minutes: number,
): Promise<Return> {
  for (const { queue, body } of stopped.notifications) cloud.sqs.send(queue, { body });
  const waiting = queued(cloud).open + cloud.scheduler.list().length;
  const [posted, told] = [postedTo(receiver), toldTwiceBy(receiver)];
  await pass(cloud, minutes);
  const sent = cloud.ses.sent();
  return {
    waiting,
    sent: sent.length,
    doubled: recipientsOf(sent).filter((one) => reached(loss.sent, stopped.sent).has(one)).length,
    posted: postedTo(receiver) - posted,
    toldTwice: toldTwiceBy(receiver) - told,
  };
}

const recipientsOf = (sent: Sent): string[] =>
  sent.flatMap(({ tags, recipients }) => recipients.map((one) => `${tags.email_id} ${one}`));

const reached = (...sent: readonly Sent[]): ReadonlySet<string> => new Set(sent.flatMap(recipientsOf));

const postedTo = ({ requests }: EventReceiver): number =>
  [...requests.values()].reduce((sum, one) => sum + one, 0);

const toldTwiceBy = ({ events }: EventReceiver): number =>
  [...events].filter(([key, ids]) => !key.startsWith('undefined') && ids.size > 1).length;
