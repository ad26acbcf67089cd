/** The load of a drill until the home region is lost, and what is left of it elsewhere. */
import { type Cloud, mailRegions } from '../../lib/local/index.ts';
import { demand, newClient } from '../restore/client.ts';
import { work } from '../restore/load.ts';
import { operateToEnd } from '../restore/operator.ts';
import { copyTable, type TableCopy } from '../restore/table-copy.ts';
import { patiently } from '../run-cloud.ts';
import { fence } from './fence.ts';
import {
  homeTable,
  minuteMs,
  type Notification,
  objectsOf,
  type Sent,
  type Stage,
  type StoredObject,
} from './stage.ts';
import { type TornCopy, tornCopy } from './torn-copy.ts';

/** The queues whose notifications the standby gets, too (lib/stacks/mail.ts). */
const notified = ['parley-inbound', 'parley-provider-events'] as const;

export interface Load {
  /** Actions before the lag begins. */
  readonly actions: number;
  /** Actions within the lag. */
  readonly lagActions: number;
}

/** What the standby has, and what is known outside. */
export interface Loss {
  readonly token: string;
  readonly domain: string;
  readonly restoredTo: number;
  readonly lostAt: number;
  readonly table: TornCopy;
  /** The table of the home region, which comes back with it. */
  readonly home: TableCopy;
  readonly objects: readonly StoredObject[];
  /** Objects that S3 has not copied: they come with the home region. */
  readonly late: readonly StoredObject[];
  readonly notifications: readonly Notification[];
  readonly sent: Sent;
}

/** Loses the region in the middle of the load, and fences it. */
export async function untilLost(cloud: Cloud, stage: Stage, load: Load): Promise<Loss> {
  const { token, providedDomain: domain } = await operateToEnd({ cloud }, 'workspace', { slug: 'drill' });
  const client = newClient(cloud, token);
  const subscriptions = ['email.sent', 'email.delivered', 'email.received'];
  await demand(client, '/webhook-endpoints', { url: stage.receiver.url, subscriptions });
  const world = { cloud, client, domain, ...stage };
  await work(world, load.actions, () => undefined);
  await patiently(() => cloud.clock.advance(stage.random.below(20) * minuteMs));
  const { first, last } = await underLoad(cloud, world, load.lagActions);
  await fence(cloud);
  await patiently(cloud.settle).catch(() => undefined);
  return {
    restoredTo: first.at,
    lostAt: last.at,
    table: tornCopy(first.copy, last.copy, stage.random),
    home: await copyTable(cloud.dynamoDb, homeTable),
    ...(await copiesOf(cloud, stage, first.at)),
    token,
    domain,
    sent: [...cloud.ses.sent()],
  };
}

interface Moment {
  readonly at: number;
  readonly copy: TableCopy;
}

/** The lag begins in the middle of the load, and the region is lost in the middle of it. */
async function underLoad(
  cloud: Cloud,
  world: Parameters<typeof work>[0],
  lagActions: number,
): Promise<{ readonly first: Moment; readonly last: Moment }> {
  const { clock, dynamoDb } = cloud;
  const beginsAt = world.random.below(8);
  const endsAt = beginsAt + lagActions;
  const gates = mailRegions.map((region) => cloud.ses.events(region));
  const holdsReports = world.random.below(2) === 0;
  const moments: Promise<Moment>[] = [];
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
  return { first, last };
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
  cloud: Cloud,
  { random }: Stage,
  restoredTo: number,
): Promise<Pick<Loss, 'objects' | 'late' | 'notifications'>> {
  const [objects, late]: StoredObject[][] = [[], []];
  for (const object of await objectsOf(cloud)) {
    const isOfLag = object.bucket.includes('content') && object.modifiedAt >= restoredTo;
    (isOfLag && random.below(2) === 1 ? late : objects)?.push(object);
  }
  const notifications = notified.flatMap((queue) =>
    [queue, `${queue}-dead-letters`].flatMap((from) =>
      cloud.sqs.messages(from).map(({ body }) => ({ queue, body })),
    ),
  );
  return { objects: objects ?? [], late: late ?? [], notifications };
}
