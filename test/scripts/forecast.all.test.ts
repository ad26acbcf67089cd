/** The bill of a month for more emails and webhooks (`npm run cost`). */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

describe('npm run cost', () => {
  const script = join(import.meta.dirname, '../../scripts/cost.ts');

  it('adds up, and costs more with more of everything', () => {
    const sumOf = (...options: string[]): number => {
      const bill = JSON.parse(
        execFileSync(process.execPath, [script, '--json', ...options], { encoding: 'utf8' }),
      );
      const sum = bill.services.reduce((all: number, { dollars }: { dollars: number }) => all + dollars, 0);
      expect(sum).toBeCloseTo(bill.dollars, 6);
      return sum;
    };
    const sums = [
      sumOf('--emails', '0'),
      sumOf(),
      sumOf('--webhooks', '2'),
      sumOf('--webhooks', '2', '--receive', '200000'),
    ];
    expect(sums).toEqual(sums.toSorted((a, b) => a - b));
  });

  it.each([
    ['--emails', 'many'],
    ['--emails', '-1'],
    ['--webhooks', '1.5'],
    ['--mails', '1'],
    ['--lambda-concurrency', '1e3'],
  ])('refuses %s %s in a sentence', (...options) => {
    const { status, stderr } = spawnSync(process.execPath, [script, ...options], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr.split('\n')[0]).toMatch(/must be a whole number|Unknown option|argument/);
  });
});
