/** Attacks of `npm run attack:agents`, which runs all of them: nothing gets through, and the check finds what does (bench/agents.md). */
import { expect, it } from 'vitest';
import { families } from '../../scripts/attack-agents/families/all.ts';
import { type Outcome, runAttacks, someOf, totals } from '../../scripts/attack-agents/run.ts';

const faultsOf = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ family, attack, sent, leaked, twice }) =>
    [...sent, ...leaked, ...twice].map((fault) => `${family}: ${attack.name}: ${fault}`),
  );

it('makes 200 attacks and more, each of its own name', () => {
  const names = families.flatMap(({ title, attacks }) => attacks.map(({ name }) => `${title}: ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(200);
});

it('nothing of three ways of each family is sent without approval, leaked or answered twice', async () => {
  const outcomes = await runAttacks(someOf(families), true);
  expect(outcomes.length).toBe(3 * families.length);
  expect(faultsOf(outcomes)).toEqual([]);
});

it('an agent that may send and heeds nothing does all three', async () => {
  const { sent, leaked, twice } = totals(await runAttacks(someOf(families), false));
  expect(Math.min(sent, leaked, twice)).toBeGreaterThan(0);
});
