/**
 * Work that continues itself for longer than Lambda lets a chain of requests be (docs/decisions/0065-chains-end-at-the-outbox.md): the local cloud
 * drops the 17th invocation of a function in a chain, so that each of these flows would stand still. `long-chains.long.test.ts` has a day of them.
 */
import { getEnvironmentData } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { clockSkewKey, now } from '../../lib/adapters/clock.ts';
import { sendToQueue } from '../../lib/adapters/queues.ts';
import type { EmailId, EndpointId } from '../../lib/core/ids.ts';
import { newDelivery } from '../../lib/core/webhooks/delivery.ts';
import { dispatch } from '../../lib/core/webhooks/dispatch.ts';
import { resumeWorkspace, suspendWorkspace } from '../../lib/services/sending/sending-guard.ts';
import { letWait } from '../../lib/services/webhooks/announce-deliveries.ts';
import { resumeMessage } from '../../lib/services/webhooks/deliver-message.ts';
import { waitPorts } from '../../lib/services/webhooks/wait-ports.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { storedEvent } from '../support/events.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

const hour = 3600;

const dropped = () => cloud().control('GET', '/metrics/RecursiveInvocationsDropped');

async function newSender() {
  const own = await workspace();
  const client = api(own);
  const send = async (to: string) => {
    const from = `desk@${own.providedDomain}`;
    const sent = await client.post<{ id: EmailId }>('/emails', { from, to: [to], subject: 'Hi', text: 'Hi' });
    expect(sent.status).toBe(201);
    return sent.body.id;
  };
  return { own, client, send };
}

const person = () => `p-${crypto.randomUUID()}@people.example.test`;

afterEach(clearFaults);

describe('work that continues itself for more than 16 times', () => {
  it('sends an email of a workspace that is resumed after a night', async () => {
    const { own, send } = await newSender();
    await inject({ kind: 'throttle', service: 'ses', action: 'SendEmail', times: 1 });
    const to = person();
    await send(to);
    await suspendWorkspace(own.id, 'operator');
    await cloud().waitForQuiescence();
    await cloud().advance(8 * hour);
    expect(await cloud().sentTo(to)).toEqual([]);
    await resumeWorkspace(own.id);
    await cloud().advance(0.25 * hour);
    expect(await cloud().sentTo(to)).toHaveLength(1);
    expect(await dropped()).toEqual({});
  });

  it('makes every delivery of a backlog that takes 40 workers', async () => {
    const { own, client } = await newSender();
    // The time in which a worker starts attempts is over with its first one.
    const skewMs = new Float64Array(getEnvironmentData(clockSkewKey) as SharedArrayBuffer);
    const hook = await receiver(() => {
      skewMs[0] = (skewMs[0] ?? 0) + dispatch.startsMs;
      return {};
    });
    const endpoint = { url: hook.url, subscriptions: ['email.sent'], max_concurrency: 1 };
    const { body } = await client.post<{ id: EndpointId }>('/webhook-endpoints', endpoint);
    const ref = { workspaceId: own.id, endpointId: body.id };
    const deliveries = Array.from({ length: 41 }, () => {
      const delivery = newDelivery(storedEvent(), body.id, now());
      return { ...delivery, body: '{}' };
    });
    await letWait(waitPorts, ref, deliveries, []);
    await sendToQueue(resumeMessage(ref), '');
    await cloud().waitForQuiescence();
    expect(hook.requests).toHaveLength(41);
    expect(await dropped()).toEqual({});
  });
});
