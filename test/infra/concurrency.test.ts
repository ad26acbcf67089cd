import { describe, expect, it } from 'vitest';
import { workers } from '../../functions/workers.ts';
import { workerConcurrency } from '../../lib/constructs/concurrency.ts';
import { mailRateOf } from '../../scripts/limits/mail-rate.ts';

/** Executions that all event sources may run at the same time. */
function totalAt(account: number): number {
  const { maximumOf, relayFactor, streamShards } = workerConcurrency(workers, account);
  const queued = workers.filter(({ trigger }) => trigger.kind === 'queue');
  return queued.reduce((sum, worker) => sum + maximumOf(worker), relayFactor * streamShards);
}

describe('workerConcurrency', () => {
  it('takes at most half of the concurrency of the account when it has 68 executions or more', () => {
    for (
      let account = 68;
      account <= 1_000_000;
      account += account < 2000 ? 1 : account < 30_000 ? 97 : 4999
    ) {
      expect(totalAt(account), String(account)).toBeLessThanOrEqual(account / 2);
    }
    expect(totalAt(67)).toBeGreaterThan(67 / 2);
  });

  it('gives workers more the more executions the account has', () => {
    const rates = [80, 200, 500, 1000, 2000, 4000, 8000].map((account) => mailRateOf(workers, account));
    for (const direction of ['sent', 'received'] as const) {
      const figures = rates.map((rate) => rate[direction]);
      expect(figures).toEqual(figures.toSorted((a, b) => a - b));
    }
  });

  it('has pollers only where the deployment carries more with them, and then carries more and more', () => {
    const leastAt = (account: number) => {
      const { sent, received } = mailRateOf(workers, account);
      return Math.min(sent, received);
    };
    const hasPollers = (account: number) =>
      workers.some((worker) => workerConcurrency(workers, account).pollersOf(worker));
    const accounts = Array.from({ length: 140 }, (_, at) => 1000 + at * 1000);
    const first = accounts.find(hasPollers) ?? 0;
    expect(first).toBeGreaterThan(20_000);
    expect(accounts.filter((account) => account >= first).every(hasPollers)).toBe(true);
    // Whole pollers, hence some emails less here and there.
    for (const account of accounts) {
      expect(leastAt(account + 1000), String(account)).toBeGreaterThan(leastAt(account) * 0.99);
    }
    expect(leastAt(first - 1000)).toBeLessThan(3300);
    expect(leastAt(75_000)).toBeGreaterThan(10_000);
  });

  it('leaves nothing that an email passes without a load', () => {
    const idle = workers.filter(
      ({ load, trigger }) => !load && trigger.kind !== 'every' && trigger.kind !== 'socket',
    );
    expect(idle).toEqual([]);
  });
});
