/** Write units of a webhook delivery, beside its event ("DynamoDB read and write operations"). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

interface Call {
  readonly principal: string;
  readonly action: string;
  readonly capacity?: number;
}

const workers = /^parley-worker-(publish-event|deliver-webhook|deliver-slow-webhook)(~|$)/;
const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

beforeAll(() => cloud().control('POST', '/calls', { metering: true }));
afterAll(() => cloud().control('POST', '/calls', { metering: false }));

/** Write units of the workers that publish and deliver one event. */
async function unitsOf(statusOf: (attempt: number) => number, hours: number): Promise<number> {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver((_, index) => ({ status: statusOf(index) }));
  await client.post('/webhook-endpoints', { url: hook.url, subscriptions: ['email.sent'] });
  await client.post('/emails', {
    from: `desk@${ours.providedDomain}`,
    to: 'nobody@people.example.test',
    subject: 'Hello',
    text: 'Hello there',
  });
  await cloud().control('DELETE', '/calls');
  await cloud().waitForQuiescence();
  if (hours > 0) await cloud().advance(hours * 3600);
  const { data } = await cloud().control<{ data: Call[] }>('GET', '/calls');
  const made = data.filter(({ principal, action }) => workers.test(principal) && writes.has(action));
  return made.reduce((sum, { capacity = 0 }) => sum + capacity, 0);
}

it('a delivery costs at most 5 write units when its first attempt succeeds', async () => {
  // The events of the email: thread.created, email.sent, email.delivered, each stored in units of 1 KB.
  const units = await unitsOf(() => 200, 0);
  console.log(`write units, first attempt: ${units}, of which events 3 to 4`);
  expect(units).toBeLessThanOrEqual(5 + 4);
});

it('a delivery costs at most 100 write units when its seventh attempt succeeds', async () => {
  const units = await unitsOf((attempt) => (attempt < 6 ? 500 : 200), 25);
  console.log(`write units, seven attempts: ${units}, of which events 3 to 4`);
  // 54 on a quiet machine; more sessions serve the endpoint on a busy one.
  expect(units).toBeLessThanOrEqual(100);
});
