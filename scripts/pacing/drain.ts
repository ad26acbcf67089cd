/** Drains of a large queue on virtual time: what the pacer does for each email that leaves, and for those that wait. */
import { composeId } from '../../lib/core/ids.ts';
import type { Schedule } from '../../lib/core/pacing/hours.ts';
import type { Limit, PacingRule, RuleEffect } from '../../lib/core/pacing/rule.ts';
import { seeded } from '../random.ts';
import { type MemoryWorld, memoryWorld } from './memory-world.ts';

interface DrainOptions {
  readonly name: string;
  readonly effects: readonly RuleEffect[];
  readonly from: (number: number) => string;
  readonly to: (number: number) => string;
}

interface Work {
  readonly calls: number;
  readonly writes: number;
}

export interface Drain {
  readonly name: string;
  readonly sorting: Work;
  readonly steady: Work & { readonly released: number; readonly minutes: number };
  /** In a minute in which nothing may leave. */
  readonly idle: Work;
}

/** The figures of drains as a Markdown table. @param emails held in each */
export function drainTable(results: readonly Drain[], emails: number): string {
  const number = (value: number, digits = 0): string =>
    value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
  const rows = results.map(({ name, sorting, steady, idle }) => [
    name,
    number(sorting.calls / emails, 2),
    number(sorting.writes / emails, 2),
    number(steady.released),
    number(steady.minutes),
    number(steady.calls / steady.released, 1),
    number(steady.writes / steady.released, 1),
    number(idle.calls, 2),
  ]);
  return `| Rules | Sorting: calls | writes | Left | Minutes | Calls each | Writes each | Waiting |
|---|---:|---:|---:|---:|---:|---:|---:|
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}

const limit = (scope: Limit['scope'], amount: number, perSeconds: number): RuleEffect => ({
  kind: 'limit',
  limit: { scope, amount, perSeconds },
});
const schedule: Schedule = {
  timezone: 'Europe/Berlin',
  windows: [{ days: [0, 1, 2, 3, 4, 5, 6], startMinute: 540, endMinute: 1020 }],
};
const desk = (): string => 'desk@acme.dev';
const person = (domains: number, people: number) => (number: number) =>
  `p${number % people}@d${number % domains}.example`;

export const drains: readonly DrainOptions[] = [
  { name: '1,000 an hour', effects: [limit('rule', 1000, 3600)], from: desk, to: person(1, 100_000) },
  {
    name: '1,000 an hour, 10 an hour for each of 5,000 domains',
    effects: [limit('rule', 1000, 3600), limit('to_domain', 10, 3600)],
    from: desk,
    to: person(5000, 100_000),
  },
  {
    name: '1,000 an hour, 10 an hour for each of 50 domains, office hours, 1 a day for each of 20,000 people',
    effects: [
      limit('rule', 1000, 3600),
      limit('to_domain', 10, 3600),
      limit('to_address', 1, 86_400),
      { kind: 'hours', schedule },
    ],
    from: desk,
    to: person(50, 20_000),
  },
  {
    name: '10 an hour for each of 100 senders, 100 an hour for each of 20 domains',
    effects: [limit('from_address', 10, 3600), limit('to_domain', 100, 3600)],
    from: (number) => `s${Math.floor(number / 20) % 100}@acme.dev`,
    to: person(20, 100_000),
  },
];

const start = Date.parse('2026-01-05T09:00:00Z');
const releasedMin = 1000;
const daysMax = 2;

/** Holds `emails` at once, and lets some of them leave. */
export async function drain({ name, effects, from, to }: DrainOptions, emails: number): Promise<Drain> {
  const { below } = seeded(1);
  const world = memoryWorld({ startMs: start, random: () => below(2 ** 20) / 2 ** 20 });
  // Nothing leaves until all are sorted.
  const closed: RuleEffect = { kind: 'hours', schedule: { timezone: 'UTC', windows: [onSundays] } };
  world.setRules({ spread: 0, rules: rulesOf([...effects, closed]) });
  await rest(world);
  const before = { ...world.counts };
  for (let number = 0; number < emails; number++) {
    world.hold({ from: from(number), to: [to(number)] }, { isCalled: number % 100 === 0 });
  }
  await rest(world);
  const sorting = workSince(world, before);
  const waiting = { ...world.counts };
  await world.clock.run(world.clock.now() + 3_600_000);
  const idleWork = workSince(world, waiting);
  const idle = { calls: idleWork.calls / 60, writes: idleWork.writes / 60 };
  await world.clock.run(Math.ceil(world.clock.now() / 86_400_000) * 86_400_000 + 8 * 3_600_000);
  world.setRules({ spread: 0, rules: rulesOf(effects) });
  await sorted(world);
  const left = { ...world.counts, released: world.released.length, at: world.clock.now() };
  while (
    world.released.length < left.released + releasedMin &&
    world.clock.now() < left.at + daysMax * 86_400_000
  ) {
    await world.clock.run(world.clock.now() + 60_000);
  }
  const released = world.released.slice(left.released);
  const steady = {
    ...workSince(world, left),
    released: released.length,
    minutes: (world.clock.now() - left.at) / 60_000,
  };
  return { name, sorting, steady, idle };
}

const onSundays = { days: [0], startMinute: 0, endMinute: 1 };

function rulesOf(effects: readonly RuleEffect[]): PacingRule[] {
  return effects.map((effect, at) => ({
    ...{ id: composeId('pace', at, new Uint8Array(10)), name: `Rule ${at}`, enabled: true, spaceId: null },
    ...{ match: [], createdAt: start, revision: 1 },
    ...effect,
  }));
}

function workSince({ counts }: MemoryWorld, before: Work): Work {
  return { calls: counts.calls - before.calls, writes: counts.writes - before.writes };
}

async function rest(world: MemoryWorld): Promise<void> {
  do await world.clock.run(world.clock.now() + 1000);
  while (world.isBusy());
}

async function sorted(world: MemoryWorld): Promise<void> {
  do await world.clock.run(world.clock.now() + 1000);
  while (world.state().sortedTo !== null || world.state().treeVersion !== world.rules().version);
}
