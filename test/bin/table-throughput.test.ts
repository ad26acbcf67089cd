import { expect, it } from 'vitest';
import { throughputFindings } from '../../bin/doctor/table-throughput.ts';
import { warmThroughput } from '../../lib/constructs/prewarm.ts';

it('the doctor says how many emails a second a table carries at once', () => {
  expect(throughputFindings({ read: 12_000, write: 4000 })).toMatchObject([
    { status: 'ok', found: expect.stringContaining('about 95 emails a second') },
  ]);
  expect(throughputFindings(null)).toMatchObject([{ status: 'ok' }]);
});

it('the doctor finds as many as were prewarmed', () => {
  const warm = warmThroughput('table', 500);
  if (!warm) throw new Error('no throughput');
  const { readUnitsPerSecond: read, writeUnitsPerSecond: write } = warm;
  expect(throughputFindings({ read, write })[0]?.found).toContain('about 500 emails a second');
});
