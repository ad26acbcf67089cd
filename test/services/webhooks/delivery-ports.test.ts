/** Bodies that are built when they are posted. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { newDelivery } from '../../../lib/core/webhooks/delivery.ts';
import { dispatch } from '../../../lib/core/webhooks/dispatch.ts';
import { v1EventTypes } from '../../../lib/core/webhooks/v1-format.ts';
import { deliveryPorts } from '../../../lib/services/webhooks/delivery-ports.ts';
import { createV1Endpoint } from '../../../lib/services/webhooks/endpoints.ts';
import { findEndpoint } from '../../../lib/storage/webhooks/endpoints.ts';
import { workspace } from '../../support/workspace.ts';

it('repeats a message of format v1 whose body cannot be built in the time in which attempts start', async () => {
  const { id: workspaceId } = await workspace();
  const settings = { url: 'https://hooks.example/in', enabled: true, routing: [], maxConcurrency: 1 };
  const { id: endpointId } = await createV1Endpoint(
    workspaceId,
    { ...settings, subscriptions: v1EventTypes },
    null,
  );
  const found = await findEndpoint(workspaceId, endpointId);
  if (!found) throw new Error('no endpoint');
  const { bodyOf } = deliveryPorts({ v1: async () => () => ({}), included: async () => () => ({}) });
  const event = { id: newId('evt'), type: 'email.delivered', expiresAt: 0 } as const;
  const build = async (atMs: number) => {
    const posted = { delivery: newDelivery(event, endpointId, atMs), body: '', atMs };
    return await bodyOf({ of: { workspaceId, endpointId }, found }, posted);
  };
  const results = await Promise.allSettled([
    build(now()),
    build(now() - dispatch.startsMs - 1),
    build(now()),
  ]);
  // There is no event: nothing is left to post.
  expect(results).toMatchObject([
    { status: 'fulfilled', value: null },
    { status: 'rejected', reason: { message: 'too late for this attempt to begin' } },
    { status: 'fulfilled', value: null },
  ]);
});
