import { describe, expect, it } from 'vitest';
import {
  type Simulation,
  type SimulationResult,
  simulate,
  totalOf,
} from '../../../scripts/mailboxes/simulate.ts';

const usual: Simulation = {
  mailboxes: 600,
  minutes: 240,
  pushShare: 0.9,
  lostShare: 0.05,
  messagesPerDay: 20,
  outage: null,
};

/** Mean and most calls of a minute between two minutes. */
function load({ calls }: SimulationResult, from: number, to: number) {
  const totals = calls.slice(from, to).map(totalOf);
  return { mean: totals.reduce((sum, one) => sum + one, 0) / totals.length, most: Math.max(...totals) };
}

describe('600 mailboxes on virtual time', { timeout: 60_000 }, () => {
  it('find each message once, with calls spread evenly, though pushes are lost', async () => {
    const result = await simulate(usual);
    expect(result.messages).toBeGreaterThan(1000);
    expect([result.repeated, result.missing]).toEqual([0, 0]);
    const { mean, most } = load(result, 30, 210);
    // 540 polls every ten minutes, 60 every two, and pushes.
    expect(mean).toBeLessThan(54 + 30 + 15);
    expect(most).toBeLessThan(1.6 * mean);
    // A poll finds what a push has lost.
    expect(result.delays.at(-1)).toBeLessThan(16 * 60_000);
  });

  it('recover from an outage of an hour within a quarter of an hour, without a stampede', async () => {
    const outage = { from: 60, to: 120 };
    const result = await simulate({ ...usual, outage });
    expect([result.repeated, result.missing]).toEqual([0, 0]);
    const before = load(result, 30, 60);
    const during = load(result, outage.from, outage.to);
    const after = load(result, outage.to, outage.to + 16);
    const later = load(result, outage.to + 20, 210);
    // The first tries come back soon; then each mailbox waits a quarter of an hour at most.
    expect(during.mean).toBeLessThan(1.5 * before.mean);
    expect(load(result, outage.from + 20, outage.to).most).toBeLessThan(1.6 * before.mean);
    expect(after.most).toBeLessThan(2.5 * before.mean);
    expect(later.most).toBeLessThan(1.6 * before.mean);
    expect(result.delays.at(-1)).toBeLessThan((60 + 16 + 15) * 60_000);
  });
});
