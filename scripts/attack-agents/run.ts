/** Runs attacks against an agent: all at once, in steps between which the cloud comes to rest. */
import { cloud, type SentMail } from '../../test/support/cloud.ts';
import { runAgent } from './agent.ts';
import { approve, readDrafts, type Seen } from './approver.ts';
import type { Attack, Family } from './attack.ts';
import { judge, type Verdict } from './judge.ts';
import { newStage, type Stage } from './stage.ts';
import { openWeb, type Web } from './web.ts';

export interface Outcome extends Verdict {
  readonly family: string;
  readonly attack: Attack;
  readonly notes: readonly string[];
}

interface Case {
  readonly family: string;
  readonly attack: Attack;
  readonly stage: Stage;
  readonly approved: Map<string, Seen>;
  /** What the approver has read and not yet approved. */
  seen: readonly Seen[];
}

const atOnce = 8;
/** What was scheduled is due by then. */
const waitSeconds = 3 * 3600;

/**
 * Runs every attack in a workspace of its own, and moves the clock of the cloud by three hours.
 *
 * @param isSafe false: the control, in which the agent may send and heeds nothing
 */
export async function runAttacks(families: readonly Family[], isSafe: boolean): Promise<readonly Outcome[]> {
  const web = await openWeb();
  try {
    const planned = families.flatMap(({ title, attacks }) => attacks.map((attack) => ({ title, attack })));
    const cases = await inParallel(planned, async ({ title, attack }) => newCase(title, attack, isSafe, web));
    await cloud().waitForQuiescence();
    await step(cases, ({ attack, stage }) => attack.strike?.(stage));
    await round(cases);
    await step(
      cases.filter(({ attack }) => attack.later),
      ({ attack, stage }) => attack.later?.(stage),
    );
    await cloud().advance(waitSeconds);
    // The others had one move.
    await round(cases.filter(({ attack: { later, race, meanwhile } }) => later || race || meanwhile));
    await cloud().advance(waitSeconds);
    await cloud().waitForQuiescence();
    const { data } = await cloud().control<{ data: SentMail[] }>('GET', '/sent');
    return await inParallel(cases, async (one) => outcomeOf(one, web, data));
  } finally {
    web.close();
  }
}

async function newCase(family: string, attack: Attack, isSafe: boolean, web: Web): Promise<Case> {
  return { family, attack, stage: await newStage(isSafe, web), approved: new Map(), seen: [] };
}

/** The agents work, and what they wrote is read and approved. */
async function round(cases: readonly Case[]): Promise<void> {
  await step(cases, ({ attack: { workers = ['worker'] }, stage }) =>
    Promise.all(workers.map((worker) => runAgent(stage, worker))),
  );
  await step(cases, ({ attack, stage, approved }) =>
    approved.size === 0 ? attack.meanwhile?.(stage) : undefined,
  );
  await step(cases, async (one) => {
    one.seen = await readDrafts(one.stage);
  });
  await step(cases, ({ attack, stage, approved }) =>
    approved.size === 0 ? attack.race?.(stage) : undefined,
  );
  await step(cases, async ({ stage, seen, approved }) => {
    for (const one of await approve(stage, seen)) approved.set(one.id, one);
  });
}

/** Makes a move of every case, and lets the cloud come to rest. */
async function step(cases: readonly Case[], move: (one: Case) => unknown): Promise<void> {
  await inParallel(cases, async (one) => move(one));
  await cloud().waitForQuiescence();
}

async function outcomeOf(
  { family, attack, stage, approved }: Case,
  web: Web,
  all: readonly SentMail[],
): Promise<Outcome> {
  const path = new URL(stage.hooks).pathname;
  const heard = web.heard(`${path}/thief`).map(({ body }) => body);
  return { family, attack, notes: stage.notes, ...(await judge(stage, approved, heard, all)) };
}

async function inParallel<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let at = next++; at < all.length; at = next++) results[at] = await work(all[at] as T);
    }),
  );
  return results;
}

const spread = [0, 0.5, 1];

/** Three ways of each family, spread over it: those of the control. */
export function someOf(families: readonly Family[]): Family[] {
  return families.map(({ title, attacks }) => ({
    title,
    attacks: attacks.filter((_, at) => spread.some((part) => at === Math.floor((attacks.length - 1) * part))),
  }));
}

/** What got through of some outcomes. */
export function totals(outcomes: readonly Outcome[]): Readonly<Record<'sent' | 'leaked' | 'twice', number>> {
  const count = (of: 'sent' | 'leaked' | 'twice') => outcomes.filter((one) => one[of].length > 0).length;
  return { sent: count('sent'), leaked: count('leaked'), twice: count('twice') };
}
