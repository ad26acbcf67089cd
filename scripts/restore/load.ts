/** The load of a drill: what a customer's program does, in a seeded order, and what it knows afterwards. */
import type { Cloud } from '../../lib/local/index.ts';
import { pickFrom, type Random } from '../random.ts';
import type { Client, EmailBody } from './client.ts';

export type Kind = 'send' | 'wide' | 'large' | 'paced' | 'scheduled' | 'draft' | 'reply';

/** An email that the API has accepted. Times are Unix milliseconds. */
export interface Accepted {
  readonly kind: Kind;
  /** When the response came. */
  readonly at: number;
  readonly scheduledAt: number | null;
  approvedAt: number | null;
  canceledAt: number | null;
  deletedAt: number | null;
  /** Whether it may be deleted: the answer may have been lost. */
  isDeletionAsked: boolean;
}

export interface Ledger {
  readonly emails: Map<string, Accepted>;
  /** Messages that SES took, by subject, with the time. */
  readonly received: Map<string, number>;
}

export interface World {
  readonly cloud: Pick<Cloud, 'clock'>;
  readonly client: Client;
  readonly domain: string;
  readonly random: Random;
  readonly ledger: Ledger;
}

export const newLedger = (): Ledger => ({ emails: new Map(), received: new Map() });

type Action = (world: World) => Promise<void>;

const person = ({ random }: World) => `${random.token(8)}@people.example.test`;

async function accept(
  world: World,
  kind: Kind,
  body: Readonly<Record<string, unknown>>,
  path = '/emails',
): Promise<void> {
  const sent = await world.client.call<EmailBody & { readonly scheduled_at: string | null }>('POST', path, {
    text: 'It is on its way.',
    ...body,
  });
  if (!sent) return;
  world.ledger.emails.set(sent.id, {
    kind,
    at: world.cloud.clock.now(),
    scheduledAt: sent.scheduled_at === null ? null : Date.parse(sent.scheduled_at),
    approvedAt: null,
    canceledAt: null,
    deletedAt: null,
    isDeletionAsked: false,
  });
}

/** The fields of a send. */
const letter = (world: World, more: Readonly<Record<string, unknown>> = {}) => ({
  from: `hi@${world.domain}`,
  to: person(world),
  subject: `Order ${world.random.token(8)}`,
  ...more,
});

async function receive(world: World): Promise<void> {
  const subject = `Question ${world.random.token(10)}`;
  const at = world.cloud.clock.now();
  if (await world.client.write(`hi@${world.domain}`, subject)) world.ledger.received.set(subject, at);
}

async function reply(world: World): Promise<void> {
  const threads = await world.client.call<{ data: { id: string }[] }>('GET', '/threads?limit=20');
  if (!threads || threads.data.length === 0) return;
  const { id } = pickFrom(world.random, threads.data);
  await accept(world, 'reply', { to: person(world) }, `/threads/${id}/reply`);
}

/** An accepted email of a kind, at random. */
function some(world: World, kind: Kind, isFree: (email: Accepted) => boolean): [string, Accepted] | null {
  const free = [...world.ledger.emails].filter(([, email]) => email.kind === kind && isFree(email));
  return free.length === 0 ? null : pickFrom(world.random, free);
}

/** Asks for a change of an email, and notes when it was made. */
const change =
  (
    [kind, method, path]: readonly [Kind, string, string],
    note: 'approvedAt' | 'canceledAt' | 'deletedAt',
  ): Action =>
  async (world) => {
    const found = some(
      world,
      kind,
      ({ approvedAt, canceledAt, deletedAt }) => (approvedAt ?? canceledAt ?? deletedAt) === null,
    );
    if (!found) return;
    const [id, email] = found;
    if (note === 'deletedAt') email.isDeletionAsked = true;
    const done = await world.client.call(method, `/emails/${id}${path}`, method === 'POST' ? {} : undefined);
    if (done) email[note] = world.cloud.clock.now();
  };

const minuteMs = 60_000;

/** Schedules an email for an earlier time. */
async function hasten(world: World): Promise<void> {
  const found = some(world, 'scheduled', ({ canceledAt }) => canceledAt === null);
  if (!found) return;
  const at = new Date(world.cloud.clock.now() + minuteMs).toISOString();
  await world.client.call('PATCH', `/emails/${found[0]}`, { scheduled_at: at });
}

const actions: readonly (readonly [weight: number, action: Action])[] = [
  [6, (world) => accept(world, 'send', letter(world))],
  [
    1,
    (world) => accept(world, 'wide', letter(world, { to: Array.from({ length: 60 }, () => person(world)) })),
  ],
  [2, (world) => accept(world, 'large', letter(world, { text: largeText(world.random) }))],
  [2, (world) => accept(world, 'paced', letter(world, { from: `paced@${world.domain}` }))],
  [
    3,
    (world) => {
      const at = world.cloud.clock.now() + (1 + world.random.below(60)) * minuteMs;
      return accept(world, 'scheduled', letter(world, { scheduled_at: new Date(at).toISOString() }));
    },
  ],
  [2, (world) => accept(world, 'draft', letter(world, { draft: true }))],
  [4, receive],
  [2, reply],
  [1, change(['draft', 'POST', '/approve'], 'approvedAt')],
  [1, change(['scheduled', 'POST', '/cancel'], 'canceledAt')],
  [1, change(['large', 'DELETE', ''], 'deletedAt')],
  [1, hasten],
];
const drawn = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));

/** More than the table holds of an email's content. */
const largeText = (random: Random): string => Array.from({ length: 2000 }, () => random.token(9)).join(' ');

/** Actions at the same time. */
const atOnce = 4;

/**
 * Does a number of actions.
 *
 * @param before is called before each, with its number from 0; it may start what goes on beside the load
 */
export async function work(world: World, count: number, before: (number: number) => void): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        before(next++);
        await pickFrom(world.random, drawn)(world);
      }
    }),
  );
}
