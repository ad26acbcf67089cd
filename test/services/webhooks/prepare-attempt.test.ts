/** The request of an attempt. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { EndpointId, WorkspaceId } from '../../../lib/core/ids.ts';
import { v1EventTypes } from '../../../lib/core/webhooks/v1-format.ts';
import { env } from '../../../lib/env.ts';
import { createEndpoint, createV1Endpoint, rotateSecret } from '../../../lib/services/webhooks/endpoints.ts';
import { prepareAttempt } from '../../../lib/services/webhooks/prepare-attempt.ts';
import { findEndpoint } from '../../../lib/storage/webhooks/endpoints.ts';
import { workspace } from '../../support/workspace.ts';

const settings = {
  url: 'https://hooks.example/in',
  enabled: true,
  subscriptions: v1EventTypes,
  routing: [],
  maxConcurrency: 1,
};

async function prepare(workspaceId: WorkspaceId, id: EndpointId, atMs = now()) {
  const found = await findEndpoint(workspaceId, id);
  if (!found) throw new Error('no endpoint');
  return await prepareAttempt(workspaceId, found, { id: newId('evt'), body: '{}' }, atMs);
}

describe('prepareAttempt', () => {
  it('allows ten seconds in all, and thirty for format v1', async () => {
    const { id: workspaceId } = await workspace();
    const v2 = await createEndpoint(workspaceId, settings);
    const v1 = await createV1Endpoint(workspaceId, settings, null);
    expect(await prepare(workspaceId, v2.endpoint.id)).toMatchObject({
      url: settings.url,
      body: '{}',
      timeoutMs: 10_000,
      dnsServers: env().DNS_SERVERS,
    });
    expect(await prepare(workspaceId, v1.id)).toMatchObject({ url: settings.url, timeoutMs: 30_000 });
  });

  it('signs with the previous secret until the grace period ends', async () => {
    const { id: workspaceId } = await workspace();
    const { id } = (await createEndpoint(workspaceId, settings)).endpoint;
    const { endpoint } = await rotateSecret(workspaceId, id, 60);
    const end = endpoint.previousSecretExpiresAt ?? 0;
    expect(end - now()).toBeGreaterThan(50_000);
    const signatures = async (atMs: number) => {
      const { headers } = await prepare(workspaceId, id, atMs);
      return [headers['Parley-Signature']?.match(/v1=/g), headers['webhook-signature']?.match(/v1,/g)];
    };
    expect((await signatures(end - 1)).map((found) => found?.length)).toEqual([2, 2]);
    expect((await signatures(end)).map((found) => found?.length)).toEqual([1, 1]);
  });
});
