/**
 * Set-up file: starts the local cloud that all files of one worker and project share, and its clock; see `vitest.config.ts`.
 * When a test fails, it prints what went wrong in the cloud meanwhile, and ends the work of the test before the next one begins.
 */
import { setEnvironmentData } from 'node:worker_threads';
import { afterAll, afterEach, aroundEach, beforeEach, expect } from 'vitest';
import { clockSkewKey, now } from '../../lib/adapters/clock.ts';
import { newSkew } from '../../lib/local/clock.ts';
import { startCloud } from '../../lib/local/cloud.ts';
import { cloud, useCloud } from './cloud.ts';
import { addressOf, type CloudAddress } from './cloud-address.ts';
import { describeCloud } from './describe-cloud.ts';
import { noteMismatch, takeMismatches } from './mismatches.ts';
import { shareRecorder } from './shared-recorder.ts';
import { endRequestsWithTests } from './test-requests.ts';

/** On the global object, because Vitest loads set-up files again for each file. The cloud ends with its worker. */
const holder = globalThis as { [key: symbol]: Promise<CloudAddress> | undefined };
const key = Symbol.for('parley.test.cloud');

async function start(): Promise<CloudAddress> {
  endRequestsWithTests();
  const clockSkew = newSkew();
  setEnvironmentData(clockSkewKey, clockSkew);
  const started = await startCloud({
    limits: { ses: { managementCallsPerSecond: Number.POSITIVE_INFINITY } },
    clockSkew,
    onMismatch: noteMismatch,
  });
  shareRecorder(started.gateway.recorder);
  return addressOf(started);
}

holder[key] ??= start();
useCloud(await holder[key]);

/** No test makes a chain of requests so long that Lambda would stop it. */
afterAll(async () => {
  expect(await cloud().control('GET', '/metrics/RecursiveInvocationsDropped')).toEqual({});
});

/** The OpenAPI documents describe every response. */
afterEach(() => expect(takeMismatches()).toEqual([]));

aroundEach(async (runTest, context) => {
  await runTest();
  // What is pending after half a minute without progress, `describeCloud` has printed.
  if (context.task.result?.state === 'fail')
    await cloud()
      .waitForQuiescence()
      .catch(() => {});
});

beforeEach(({ onTestFailed }) => {
  const startedAt = now();
  onTestFailed(async () => console.error(await describeCloud(startedAt)));
});
