/**
 * One worker at a job, in any order of callers, workers, timers and the sweep. In each run every request is worked off once, a
 * timer is in the index exactly while the state names it, and none is left at the end.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomCases } from '../../support/random-cases.ts';
import { type Fault, type JobWorldOptions, runJobWorld } from './job-world.ts';

/** Runs every order of steps. */
async function inEveryOrder(options: Omit<JobWorldOptions, 'choose'>): Promise<void> {
  /** The choices of the run, and the number of possibilities of each. */
  let choices: { taken: number; of: number }[] = [];
  for (;;) {
    let at = 0;
    const choose = (of: number): number => {
      const choice = choices[at] ?? { taken: 0, of };
      choices[at++] = choice;
      return choice.taken;
    };
    const done = await runJobWorld({ ...options, choose });
    expect(done.toSorted()).toEqual(options.requests.map((_, number) => number));
    choices = choices.slice(0, at);
    while (choices.length > 0 && (choices.at(-1)?.taken ?? 0) + 1 === choices.at(-1)?.of) choices.pop();
    const last = choices.at(-1);
    if (!last) return;
    choices[choices.length - 1] = { taken: last.taken + 1, of: last.of };
  }
}

const faults: readonly Fault[] = ['death', 'failure', 'refusal', 'hang', 'lost timer'];
const soon = 0;
const later = 30_000;
/** A worker hands over after each turn, or goes on. */
const sessions = [0, 45_000];

describe('a job', () => {
  it.each(faults)('is worked off in every order of a request and one %s', async (fault) => {
    for (const request of [soon, later]) {
      for (const sessionMs of sessions)
        await inEveryOrder({ requests: [request], faults: [fault], sessionMs });
    }
  });

  it('is worked off in any order of many requests and faults', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(soon, soon, later, 4 * later), { minLength: 2, maxLength: 6 }),
        fc.array(fc.constantFrom(...faults), { maxLength: 6 }),
        fc.constantFrom(...sessions),
        fc.nat(3),
        fc.infiniteStream(fc.nat(1000)),
        async (requests, some, sessionMs, persistence, numbers) => {
          const next = (): number => numbers.next().value ?? 0;
          // Workers go on for some steps: what comes late meets them at each of their calls.
          const choose = (of: number) => (next() % 4 < persistence ? 0 : next() % of);
          const done = await runJobWorld({ requests, faults: some, sessionMs, choose });
          expect(done.toSorted()).toEqual(requests.map((_, number) => number));
        },
      ),
      randomCases(3000),
    );
  });
});
