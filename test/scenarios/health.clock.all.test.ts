import { expect, it, onTestFinished } from 'vitest';
import { clearFaults, inject } from '../faults/kit.ts';
import { cloud } from '../support/cloud.ts';

it('GET /health answers 503 without details while the table cannot be read', async () => {
  const ask = async () => {
    const response = await fetch(new URL('/health', cloud().baseUrl));
    return [response.status, await response.json()];
  };
  onTestFinished(clearFaults);
  const read = { service: 'dynamodb', action: 'GetItem', principal: 'parley-api-health' } as const;
  await inject({ kind: 'error', ...read, times: 1000, code: 'ValidationException' });
  // What an instance knows is kept for five seconds.
  await cloud().advance(6);
  expect(await ask()).toEqual([503, { status: 'unavailable' }]);
  await clearFaults();
  await cloud().advance(6);
  expect(await ask()).toEqual([200, { status: 'ok' }]);
});
