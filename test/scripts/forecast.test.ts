/** The bill of a month by service (`npm run cost`). */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KeptFigures } from '../../scripts/bench/chain-figures.ts';
import { noUsage } from '../../scripts/bench/chain-sums.ts';
import { forecast, type PlannedMonth } from '../../scripts/bench/forecast.ts';
import { settingsCosts } from '../../scripts/bench/settings-cost.ts';

const stored = { table: 0, withoutIndexes: 0, expiring: 0, objects: 0 };
const use = (writeUnit: number) => ({ usage: { ...noUsage, writeUnit }, stored });

/** A sent email takes 10 units and a delivery 4, a received email 20 with its delivery. */
const figures: KeptFigures = {
  measuredOn: '2026-11-26',
  chains: {
    send: use(10),
    'send-two': use(10 + 4 * 4),
    receive: use(20),
    'send-no-log': use(8),
    'send-two-no-log': use(8 + 4 * 4),
    'receive-no-log': use(19),
  },
  fixedUse: {
    timers: noUsage,
    queues: 0,
    monitoring: { alarmMetrics: 10, metrics: 0, dashboardMetrics: [], kmsKeys: 1, rotatedKeys: 0 },
  },
};
const million = 1_000_000;
const usual: PlannedMonth = { emails: 0, endpoints: 1, received: 0, eventLog: true };

const unitsOf = (month: Partial<PlannedMonth>) => {
  const bill = forecast({ ...usual, ...month }, figures);
  return Math.round((bill.find(({ service }) => service === 'DynamoDB')?.dollars ?? 0) / 0.625);
};

describe('the bill of a month', () => {
  it.each([
    [{ emails: million, endpoints: 0 }, 10],
    [{ emails: million, endpoints: 1 }, 10 + 2 * 4],
    [{ emails: million, endpoints: 2 }, 10 + 4 * 4],
    [{ emails: million, endpoints: 100 }, 10 + 200 * 4],
    [{ received: million, endpoints: 0 }, 20 - 4],
    [{ received: million, endpoints: 1 }, 20],
    [{ received: million, endpoints: 3 }, 20 + 2 * 4],
    [{ emails: million, received: million, endpoints: 2, eventLog: false }, 8 + 4 * 4 + 19 + 4],
    [{}, 0],
  ] as const)('%j writes %i million units', (month, units) => {
    expect(unitsOf(month)).toBe(units);
  });

  it('has SES for both directions, and what is paid without any email', () => {
    const bill = forecast({ ...usual, emails: million, received: million }, figures);
    expect(Object.fromEntries(bill.map(({ service, dollars }) => [service, dollars]))).toMatchObject({
      SES: 200,
      KMS: 1,
      CloudWatch: 1,
    });
  });

  it('names a chain that was not measured', () => {
    expect(() => forecast(usual, { ...figures, chains: {} })).toThrow('the chain send was not measured');
  });
});

describe('what settings add', () => {
  const none = { lambdaConcurrency: 1000, prewarmSendFunctions: 0, prewarmEmailsPerSecond: 0 };

  it('is nothing by default', () => {
    expect(settingsCosts(none)).toEqual({
      pollers: { sources: 0, least: 0, most: 0 },
      readyFunctions: 0,
      warm: { table: { write: 0, read: 0 }, eachIndex: { write: 0, read: 0 }, dollars: null },
    });
  });

  it('has the least pollers of each source, ready functions, and the units that are paid once', () => {
    const { pollers, readyFunctions, warm } = settingsCosts({
      lambdaConcurrency: 70_000,
      prewarmSendFunctions: 20,
      prewarmEmailsPerSecond: 500,
    });
    // Two pollers for 720 hours.
    expect(pollers.least).toBeCloseTo(pollers.sources * 2 * 720 * 0.00925, 6);
    expect(pollers.sources).toBeGreaterThan(0);
    expect(pollers.most).toBeGreaterThan(100 * pollers.least);
    expect(readyFunctions).toBeCloseTo(20 * 30 * 86_400 * 0.0000033334, 6);
    expect(warm.table).toEqual({ write: 21_000 - 4000, read: 30_000 - 12_000 });
  });
});

describe('npm run cost', () => {
  const script = join(import.meta.dirname, '../../scripts/cost.ts');

  it('prints what a setting adds, and which price is not known', () => {
    const options = ['--prewarm-send-functions', '10', '--prewarm-emails-per-second', '500'];
    const printed = execFileSync(process.execPath, [script, ...options], { encoding: 'utf8' });
    expect(printed).toMatch(/Lambda, ready functions +86\.40\n/);
    expect(printed).toContain('17,000 write and 18,000 read units a second of the table');
    expect(printed).toContain('Its price is not known here');
  });
});
