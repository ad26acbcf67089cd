import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workers } from '../../functions/workers.ts';
import { lanesAt } from '../../lib/core/sending/send-limiter.ts';
import { simulateLanes } from '../../scripts/limits/lanes.ts';
import { mailRateOf } from '../../scripts/limits/mail-rate.ts';
import { paperSection, paperStart, settingOfGoal, settingsTable } from '../../scripts/limits/paper.ts';
import { scalingLoads, scalingStart, scalingTables } from '../../scripts/limits/scaling.ts';
import { simulateSetups } from '../../scripts/limits/setups.ts';
import { withText } from '../../scripts/written-text.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');

describe('npm run limits -- --paper', () => {
  it.each([
    ['docs/quotas.md', settingsTable],
    ['bench/limits.md', paperSection],
  ])('has written %s', (name, text) => {
    const page = read(name);
    expect(withText(page, paperStart, text()) === page, 'refresh it with `npm run limits -- --paper`').toBe(
      true,
    );
  });

  it.each(scalingLoads)('has written docs/scaling.md: %s', async (load) => {
    const page = read('docs/scaling.md');
    const written = withText(page, scalingStart(load), await scalingTables[load]());
    expect(written === page, 'refresh it with `npm run limits -- --paper`').toBe(true);
  });

  it('finds the least setting that carries 1,000 emails a second in both directions', () => {
    const setting = settingOfGoal();
    const { sent, received } = mailRateOf(workers, setting);
    expect(Math.min(sent, received)).toBeGreaterThanOrEqual(1000);
    const less = mailRateOf(workers, setting - 100);
    expect(Math.min(less.sent, less.received)).toBeLessThan(1000);
    expect(setting).toBeLessThanOrEqual(3000);
  });
});

describe('the lanes of a workspace', () => {
  const backlog = { emails: 20_000, batchMs: 99 };

  it('carry the sending rate, and keep the order where one does', () => {
    expect(simulateLanes({ ...backlog, ratePerSecond: 80 }, lanesAt(80)).disorderSeconds).toBe(0);
    const { perSecond, disorderSeconds } = simulateLanes({ ...backlog, ratePerSecond: 450 }, lanesAt(450));
    expect(perSecond).toBeGreaterThan(420);
    expect(disorderSeconds).toBeLessThan(60);
    expect(simulateLanes({ ...backlog, ratePerSecond: 450 }, 1).perSecond).toBeLessThan(102);
  });
});

describe('the set-up of many domains at SES', () => {
  const load = { domains: 2000, senders: 100, pauseMs: 1100, sesMs: 180_000 };

  it('lets domains that send wait for minutes, and all others as long as they must', async () => {
    const before = await simulateSetups(load, false);
    const ordered = await simulateSetups(load, true);
    expect(before.medianMinutes).toBeGreaterThan(30);
    expect(ordered.longestMinutes).toBeLessThan(15);
    // Each domain takes four or five calls.
    expect(ordered.lastHours).toBeLessThan((load.domains * 5 * load.pauseMs) / 3_600_000 + 0.5);
  });

  it('comes to an end where all send', async () => {
    const { lastHours } = await simulateSetups({ ...load, senders: load.domains }, true);
    expect(lastHours).toBeLessThan((load.domains * 6 * load.pauseMs) / 3_600_000 + 0.5);
  });
});

describe('withText', () => {
  it('throws when the page has no place for the text', () => {
    expect(() => withText('# A page', paperStart, 'text')).toThrow('the page has no place');
  });
});
