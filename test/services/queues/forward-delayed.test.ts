import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { sendDelayed } from '../../../lib/adapters/queues.ts';
import type { QueueMessage } from '../../../lib/core/queue-messages.ts';
import type { QueuedMessage } from '../../../lib/local/aws/sqs-types.ts';
import { cloud } from '../../support/cloud.ts';

const workspaceId = newId('wks');

/** The messages of a queue that name the workspace, after a delayed message was forwarded. */
async function forwarded(message: QueueMessage, dueAt: number, queue: string) {
  await sendDelayed({ message, dueAt }, 0);
  await cloud().waitForQuiescence();
  const { data } = await cloud().control<{ data: QueuedMessage[] }>('GET', `/queues/${queue}/messages`);
  return data
    .filter(({ body }) => body.includes(workspaceId))
    .map(({ state, body }) => ({ state, message: JSON.parse(body) }));
}

const domainId = newId('dom');

describe('forward-delayed', () => {
  it('leaves the rest of the delay to the queue when a schedule has fired early', async () => {
    const message = { kind: 'check-domain', v: 1, workspaceId, domainId } as const;
    expect(await forwarded(message, now() + 60_000, 'parley-tasks')).toEqual([{ state: 'delayed', message }]);
    expect(await forwarded(message, 0, 'parley-delays')).toEqual([]);
  });

  it('delays no longer than SQS can', async () => {
    const message = { kind: 'pace-mail', v: 1, workspaceId, wakeAt: null } as const;
    const hours = 3 * 3_600_000;
    expect(await forwarded(message, now() + hours, 'parley-pacing')).toEqual([{ state: 'delayed', message }]);
  });

  it('sends at once to a FIFO queue, which delays no single message', async () => {
    const identity = { region: 'us-east-1', name: 'forwarded.test', polls: 1 };
    const message = { kind: 'sync-identity', v: 1, workspaceId, domainId, ...identity } as const;
    expect(await forwarded(message, now() + 60_000, 'parley-identities.fifo')).toEqual([]);
    expect(await forwarded(message, 0, 'parley-delays')).toEqual([]);
  });
});
