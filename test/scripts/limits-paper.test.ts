import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workers } from '../../functions/workers.ts';
import { mailRateOf } from '../../scripts/limits/mail-rate.ts';
import { paperSection, paperStart, settingOfGoal, settingsTable } from '../../scripts/limits/paper.ts';
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

  it('finds the least setting that carries 1,000 emails a second in both directions', () => {
    const setting = settingOfGoal();
    const { sent, received } = mailRateOf(workers, setting);
    expect(Math.min(sent, received)).toBeGreaterThanOrEqual(1000);
    const less = mailRateOf(workers, setting - 100);
    expect(Math.min(less.sent, less.received)).toBeLessThan(1000);
    expect(setting).toBeLessThanOrEqual(3000);
  });
});

describe('withText', () => {
  it('throws when the page has no place for the text', () => {
    expect(() => withText('# A page', paperStart, 'text')).toThrow('the page has no place');
  });
});
