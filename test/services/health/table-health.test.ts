import { expect, it } from 'vitest';
import { isTableReadable } from '../../../lib/services/health/table-health.ts';
import { cloud } from '../../support/cloud.ts';

it('the table is asked once for requests of some seconds, and a failure is an answer', async () => {
  let reads = 0;
  const failing = async () => {
    reads += 1;
    throw new Error('no table');
  };
  const answers = await Promise.all(Array.from({ length: 5 }, () => isTableReadable(failing)));
  expect(answers).toEqual([false, false, false, false, false]);
  expect(reads).toBe(1);
});

it('GET /health answers ok where the table can be read', async () => {
  const response = await fetch(new URL('/health', cloud().baseUrl));
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});
