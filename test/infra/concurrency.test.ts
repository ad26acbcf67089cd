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
    for (let account = 68; account <= 30_000; account += account < 2000 ? 1 : 97) {
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

  it('leaves nothing that an email passes without a load', () => {
    const idle = workers.filter(
      ({ load, trigger }) => !load && trigger.kind !== 'every' && trigger.kind !== 'socket',
    );
    expect(idle).toEqual([]);
  });
});
