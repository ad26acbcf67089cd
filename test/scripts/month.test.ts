/** The bill of a month (`npm run bench -- --chain`). */
import { describe, expect, it } from 'vitest';
import { noUsage } from '../../scripts/bench/chain-sums.ts';
import { fixedBillOf, monthOf, storageBillOf } from '../../scripts/bench/month.ts';

const gigabyte = 1024 ** 3;

describe('the bill of a month', () => {
  it('is that of its emails, with SES beside it', () => {
    const stored = { table: 0, withoutIndexes: 0, expiring: 0, objects: 0 };
    expect(monthOf({ usage: { ...noUsage, writeUnit: 16 }, stored }, 100_000_000)).toEqual({
      emails: 100_000_000,
      work: 1000,
      storage: 0,
      ses: 10_000,
    });
  });

  it('has the storage of a year, and what expires once', () => {
    const stored = { table: gigabyte, withoutIndexes: 0, expiring: 0, objects: 0 };
    expect(storageBillOf(stored, 1)).toBeCloseTo(12 * 0.25, 10);
    expect(storageBillOf({ ...stored, table: 0, expiring: gigabyte }, 1)).toBeCloseTo(0.25, 10);
    expect(storageBillOf({ ...stored, table: 0, withoutIndexes: gigabyte }, 1)).toBeCloseTo(12 * 0.2, 10);
    expect(storageBillOf({ ...stored, table: 0, objects: gigabyte }, 1)).toBeCloseTo(12 * 0.023, 10);
  });
});

describe('the bill without emails', () => {
  it('is that of timers, queues, alarms, metrics, dashboards, and keys with two rotations', () => {
    const bill = fixedBillOf({
      timers: { ...noUsage, readUnit: 1 },
      queues: 1,
      monitoring: { alarmMetrics: 10, metrics: 10, dashboardMetrics: [54], kmsKeys: 3, rotatedKeys: 2 },
    });
    expect(bill.timers).toBeCloseTo(43_200 * 0.000_000_125, 10);
    // 648,000 receives.
    expect(bill.emptyReceives).toBeCloseTo(0.2592, 10);
    expect([bill.alarms, bill.metrics, bill.dashboards, bill.kmsKeys, bill.kmsRotations]).toEqual([
      1, 3, 3, 3, 4,
    ]);
  });

  it('has three dashboards of up to 50 metrics for free', () => {
    const dashboardsOf = (...dashboardMetrics: number[]) =>
      fixedBillOf({
        timers: noUsage,
        queues: 0,
        monitoring: { alarmMetrics: 0, metrics: 0, dashboardMetrics, kmsKeys: 0, rotatedKeys: 0 },
      }).dashboards;
    expect([dashboardsOf(50, 1, 1), dashboardsOf(51, 50), dashboardsOf(1, 1, 1, 1)]).toEqual([0, 3, 3]);
  });
});
