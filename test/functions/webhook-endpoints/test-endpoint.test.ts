/** Test events of webhook endpoints. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import type { EndpointId } from '../../../lib/core/ids.ts';
import { verifySignature } from '../../../lib/core/webhooks/signature.ts';
import { v1EventTypes } from '../../../lib/core/webhooks/v1-format.ts';
import { createV1Endpoint } from '../../../lib/services/webhooks/endpoints.ts';
import { findEndpoint } from '../../../lib/storage/webhooks/endpoints.ts';
import { api } from '../../support/api.ts';
import { type Behaviour, receiver } from '../../support/receiver.ts';
import { workspace } from '../../support/workspace.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function endpoint(behaviour?: Behaviour, settings: object = {}) {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver(behaviour);
  const { body } = await client.post<{ id: EndpointId; secret: string }>('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['domain.lost'],
    ...settings,
  });
  const path = `/webhook-endpoints/${body.id}`;
  return { ours, client, hook, path, id: body.id, secret: body.secret };
}

describe('POST /webhook-endpoints/{id}/test', () => {
  it('posts a signed event with the payload as its data, and records it as a delivery', async () => {
    const { client, hook, path, id, secret } = await endpoint(() => ({ status: 202, body: 'thanks' }), {
      // Neither applies to tests.
      routing: [{ effect: 'block', field: 'either', pattern: '*' }],
      enabled: false,
    });
    const payload = { nested: { list: [1, 'two', null, true] }, text: 'Grüße' };
    const { status, body } = await client.post(`${path}/test`, {
      event_type: 'mailbox.connected',
      resource_id: 'mbx_1',
      payload,
    });
    expect([status, body]).toEqual([
      200,
      {
        delivery_id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
        state: 'delivered',
        status_code: 202,
        duration_ms: expect.any(Number),
        error: null,
        response: 'thanks',
      },
    ]);
    const [request, ...more] = hook.requests;
    expect(more).toEqual([]);
    const event = JSON.parse(request?.body ?? '');
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'mailbox.connected',
      created_at: timestamp,
      space_id: null,
      data: payload,
    });
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, value ?? '']),
    );
    const signed = { header: headers['parley-signature'] ?? '', body: request?.body ?? '', secret };
    expect(verifySignature({ ...signed, nowSeconds: Math.floor(now() / 1000) })).toBe(true);
    expect(new Webhook(secret).verify(signed.body, headers)).toEqual(event);

    const deliveries = (await client.get(`${path}/deliveries`)).body.data;
    expect(deliveries).toEqual([
      {
        id: body.delivery_id,
        endpoint_id: id,
        event_id: event.id,
        event_type: 'mailbox.connected',
        state: 'delivered',
        next_attempt_at: null,
        created_at: event.created_at,
        body: event,
        attempts: [expect.objectContaining({ status_code: 202, error: null, response: 'thanks' })],
      },
    ]);
    expect((await client.get('/events')).body.data).toEqual([]);
    expect((await client.get(path)).body.enabled).toBe(false);
  });

  it('reports a failure and does not retry', async () => {
    const { client, hook, path } = await endpoint(() => ({
      status: 503,
      headers: { 'Retry-After': '1' },
      body: 'busy',
    }));
    const { status, body } = await client.post(`${path}/test`, { event_type: 'email.sent' });
    expect([status, body]).toMatchObject([
      200,
      { state: 'failed', status_code: 503, response: 'busy', error: null },
    ]);
    expect(JSON.parse(hook.requests[0]?.body ?? '').data).toEqual({ test: true });
    expect((await client.get(`${path}/deliveries?state=failed`)).body.data).toMatchObject([
      { id: body.delivery_id, next_attempt_at: null },
    ]);
    expect(hook.requests).toHaveLength(1);
  });

  it('reports why there was no response', async () => {
    const { client, path } = await endpoint(undefined, { url: 'http://nobody.example/' });
    const { body } = await client.post(`${path}/test`, { event_type: 'email.sent' });
    expect(body).toMatchObject({
      state: 'failed',
      status_code: null,
      error: 'host not found',
      response: null,
    });
  });

  it.each([
    [{}, 'event_type'],
    [{ event_type: 'email.opend' }, 'event_type'],
    [{ event_type: 'email.sent', resource_id: '' }, 'resource_id'],
    [{ event_type: 'email.sent', resource_id: 'x'.repeat(201) }, 'resource_id'],
    [{ event_type: 'email.sent', payload: [] }, 'payload'],
    [{ event_type: 'email.sent', payload: { text: 'x'.repeat(66_000) } }, 'payload'],
  ])('refuses a body that is not valid: %j', async (given, path) => {
    const { client, hook, path: endpointPath } = await endpoint();
    const { status, body } = await client.post(`${endpointPath}/test`, given);
    expect([status, body.code, body.issues]).toMatchObject([422, 'invalid_request', [{ path }]]);
    expect(hook.requests).toEqual([]);
  });

  it('posts the event of version 1 to an endpoint of that format, without counting a failure', async () => {
    const { ours, client, hook } = await endpoint(() => ({ status: 500 }));
    const settings = {
      url: hook.url,
      enabled: true,
      subscriptions: v1EventTypes,
      routing: [],
      maxConcurrency: 1,
    };
    const { id } = await createV1Endpoint(ours.id, settings, null);
    const path = `/webhook-endpoints/${id}`;
    const { body } = await client.post(`${path}/test`, { event_type: 'email.failed', payload: { a: 1 } });
    expect(body).toMatchObject({ state: 'failed', status_code: 500 });
    expect(JSON.parse(hook.requests[0]?.body ?? '')).toEqual({
      event: 'outbound.email.rejected',
      data: { a: 1 },
      attempt: 1,
      timestamp: expect.any(Number),
    });
    expect((await findEndpoint(ours.id, id))?.endpoint.consecutiveFailures).toBe(0);
    expect((await client.get(`${path}/deliveries`)).body.data).toMatchObject([
      { id: body.delivery_id, body: null },
    ]);
    const refused = await client.post(`${path}/test`, { event_type: 'thread.created' });
    expect([refused.status, refused.body.issues]).toMatchObject([422, [{ path: 'event_type' }]]);
  });
});
