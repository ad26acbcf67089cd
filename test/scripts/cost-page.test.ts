/** The figures of `docs/cost.md` (`npm run bench -- --chain`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noUsage } from '../../scripts/bench/chain-sums.ts';
import { withFigures } from '../../scripts/bench/cost-page.ts';
import type { ChainFigures } from '../../scripts/bench/measure-chain.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/cost.md'), 'utf8');

function chain(name: string, writeUnit: number): ChainFigures {
  return {
    name,
    title: name,
    direction: 'send',
    endpoints: 0,
    eventLog: true,
    emails: 20,
    sums: {
      usage: { ...noUsage, writeUnit },
      stored: { table: 0, withoutIndexes: 0, expiring: 0, objects: 0 },
      steps: [],
      work: [],
      hottest: { writes: [], reads: [] },
    },
  };
}

const names = ['send', 'send-two', 'receive', 'send-no-log', 'send-two-no-log'];
const measured = {
  chains: names.map((name, at) => chain(name, 16 * (at + 1))),
  fixedUse: {
    timers: noUsage,
    queues: 0,
    monitoring: { alarmMetrics: 50, metrics: 5, dashboardMetrics: [60], kmsKeys: 0, rotatedKeys: 0 },
  },
};

it('the page has a place for the figures, which replace the previous ones', () => {
  const written = withFigures(page, measured, '2026-11-22');
  expect(written).toContain('| 1,000,000 | 20.00 | 30.00 | 0.00 | 9.50 | 100 |');
  expect(written).toContain('cost $10, and $40 with the event log off; with two endpoints $20 and $50.');
  expect(written).toContain('| alarms | 50 metrics that alarms watch | 5.00 |');
  expect(written).toContain('| send | 16 | 0 | 0 | 0.000 | 0 | 10.0 |');
  expect(written).toContain('| a call of DynamoDB | 5 |');
  expect(withFigures(written, measured, '2026-11-22')).toBe(written);
});

it('a chain that was not measured is an error', () => {
  expect(() => withFigures(page, { ...measured, chains: [] }, '2026-11-22')).toThrow('was not measured');
});
