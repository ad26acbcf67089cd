/** Units of a webhook delivery, beside its event ("DynamoDB read and write operations"). */
import { expect, it } from 'vitest';
import { delaySecondsMax } from '../../lib/core/queue-messages.ts';
import { retryWaitsMs } from '../../lib/core/webhooks/retry.ts';
import { firesTwice } from '../../lib/local/aws/scheduler-firing.ts';
import { api } from '../support/api.ts';
import { type Call, meterCalls, recordedCalls } from '../support/calls.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

meterCalls();

interface Cost {
  /** Write units. */
  readonly units: number;
  /** Read units of the worker that delivers. */
  readonly readUnits: number;
  /** Timers that the local EventBridge Scheduler fired twice: each calls a worker once more. */
  readonly repeatedTimers: number;
}

/** Waits of the endpoint that are longer than SQS delays: each is a schedule. */
const longWaits = retryWaitsMs.filter((ms) => ms > delaySecondsMax * 1000).length;

/** The first success of a new endpoint is noted. */
const warmUps = 1;

/**
 * Write units of all calls that name an item of the endpoint, from the event until its delivery is complete. The deliveries of other
 * tests that are due meanwhile do not count.
 */
async function costOf(statusOf: (attempt: number) => number, hours: number): Promise<Cost> {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver((_, index) => ({ status: index < warmUps ? 200 : statusOf(index - warmUps) }));
  const { body: endpoint } = await client.post('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['email.sent'],
  });
  const from = `desk@${ours.providedDomain}`;
  const send = async () => {
    await client.post('/emails', {
      from,
      to: 'nobody@people.example.test',
      subject: 'Hello',
      text: 'Hello there',
    });
    await cloud().waitForQuiescence();
  };
  for (let sent = 0; sent < warmUps; sent++) await send();
  const calls = await recordedCalls(async () => {
    await send();
    if (hours > 0) await cloud().advance(hours * 3600);
  });
  const made = calls.filter(({ keys = [] }) => keys.some((key) => key.includes(endpoint.id)));
  const reads = calls.filter(
    ({ principal, keys, consumed = [] }) =>
      principal.includes('deliver-') &&
      !keys &&
      consumed.some(({ partition }) => partition.includes(endpoint.id)),
  );
  // Named after the change that set them: those of other work may be among them.
  const timers = calls.flatMap(({ action, resource = '' }) =>
    action === 'CreateSchedule' ? [resource.split('/').at(-1) ?? ''] : [],
  );
  return {
    units: unitsOf(made),
    readUnits: unitsOf(reads),
    repeatedTimers: Math.min(timers.filter(firesTwice).length, longWaits),
  };
}

const unitsOf = (calls: readonly Call[]): number =>
  calls.reduce((sum, { capacity = 0 }) => sum + capacity, 0);

it('a delivery costs at most 3 write units and 5 read units when its first attempt succeeds', async () => {
  const { units, readUnits } = await costOf(() => 200, 0);
  expect(units).toBeGreaterThan(0);
  expect(units).toBeLessThanOrEqual(3);
  expect(readUnits).toBeGreaterThan(0);
  expect(readUnits).toBeLessThanOrEqual(5);
});

it('a delivery costs at most 75 write units when its seventh attempt succeeds', async () => {
  const { units, repeatedTimers } = await costOf((attempt) => (attempt < 6 ? 500 : 200), 25);
  expect(units).toBeGreaterThan(30);
  // A worker that is called once more finds the attempt recorded.
  expect(units).toBeLessThanOrEqual(75 + repeatedTimers);
});
