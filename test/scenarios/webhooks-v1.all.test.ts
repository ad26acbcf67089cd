/** Webhook endpoints of format v1: bodies built when they are sent, one attempt, the pause after three failures. */
import { createHmac } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it, onTestFinished } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { sendToQueue } from '../../lib/adapters/queues.ts';
import type { EmailId, EndpointId, WorkspaceId } from '../../lib/core/ids.ts';
import { newDelivery } from '../../lib/core/webhooks/delivery.ts';
import type { StoredEvent } from '../../lib/core/webhooks/event.ts';
import { type EventType, eventTypeTable } from '../../lib/core/webhooks/event-types.ts';
import { v1EventTypes } from '../../lib/core/webhooks/v1-format.ts';
import { v1WebhookBodies } from '../../lib/http/presenters/v1/webhook.ts';
import { deliverMessage } from '../../lib/services/webhooks/deliver-message.ts';
import { createV1Endpoint, updateEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { emailKey } from '../../lib/storage/table/keys.ts';
import { remove } from '../../lib/storage/table/table.ts';
import { createDelivery } from '../../lib/storage/webhooks/deliveries.ts';
import { storeEvent } from '../../lib/storage/webhooks/events.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { storedEvent } from '../support/events.ts';
import { type Behaviour, receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

const secret = 'chosen by the customer';

async function begin(behaviour?: Behaviour, given: { secret?: string | null; maxConcurrency?: number } = {}) {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver(behaviour);
  const settings = {
    url: hook.url,
    enabled: true,
    subscriptions: v1EventTypes,
    routing: [],
    maxConcurrency: given.maxConcurrency ?? 1,
  };
  const { id } = await createV1Endpoint(
    ours.id,
    settings,
    given.secret === undefined ? secret : given.secret,
  );
  const send = async (to = 'success@simulator.amazonses.com') => {
    const { status, body } = await client.post<{ id: EmailId }>('/emails', {
      from: `Desk <desk@${ours.providedDomain}>`,
      to,
      subject: 'Hello',
      text: 'Hello there',
      attachments: [{ filename: 'a.txt', content: Buffer.from('abc').toString('base64') }],
    });
    expect(status).toBe(201);
    await cloud().waitForQuiescence();
    return body.id;
  };
  const deliveries = async () => (await client.get(`/webhook-endpoints/${id}/deliveries`)).body.data;
  const enabled = async () => (await client.get(`/webhook-endpoints/${id}`)).body.enabled;
  return { ours, client, hook, id, send, deliveries, enabled };
}

/** Publishes an event about an email. */
async function publish(workspaceId: WorkspaceId, emailId: EmailId, type: EventType = 'email.delivered') {
  await sendToQueue(
    {
      kind: 'publish-event',
      v: 1,
      workspaceId,
      eventId: newId('evt'),
      type,
      at: now(),
      subject: { emailId },
    },
    '',
  );
  await cloud().waitForQuiescence();
}

/** Creates the delivery of a stored event, and makes it. */
async function deliver(workspaceId: WorkspaceId, endpointId: EndpointId, event: StoredEvent): Promise<void> {
  const delivery = newDelivery(event, endpointId, now());
  await createDelivery(workspaceId, delivery);
  await sendToQueue(deliverMessage({ workspaceId, endpointId }, delivery), '');
  await cloud().waitForQuiescence();
}

describe('an endpoint of format v1', () => {
  it('receives every event as the schema of GET /_meta/webhooks describes it', async () => {
    const { ours, client, hook, send } = await begin();
    const emailId = await send();
    for (const type of v1EventTypes) await publish(ours.id, emailId, type);
    const { body: schema } = await client.get<object>('/api/v1/_meta/webhooks');
    const validate = formats.default(new Ajv2020({ strict: false })).compile(schema);
    const bodies = hook.requests.map(({ body }) => JSON.parse(body));
    for (const body of bodies) {
      expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...body, zzz: 1 })).toBe(false);
    }
    expect(new Set(bodies.map(({ event }) => event))).toEqual(
      new Set(v1EventTypes.map((type) => eventTypeTable[type].v1Name)),
    );
  });

  it('receives the events that the format has, with the email as it is then, signed', async () => {
    const { ours, hook, id, send, deliveries, client } = await begin();
    expect((await client.get(`/webhook-endpoints/${id}`)).body).toMatchObject({ format: 'v1' });
    const emailId = await send();
    const [request, ...more] = hook.requests;
    expect(more).toEqual([]);
    const body = JSON.parse(request?.body ?? '');
    expect(v1WebhookBodies['email.delivered'].schema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      event: 'outbound.email.delivered',
      data: {
        email: {
          id: emailId,
          status: 'SENT',
          text: 'Hello there',
          fromName: 'Desk',
          attachments: [{ fileName: 'a.txt', sizeInBytes: 3 }],
        },
        organization: { id: ours.id, slug: ours.slug },
        emailId,
        recipients: ['success@simulator.amazonses.com'],
      },
      attempt: 1,
    });
    const [file] = body.data.email.attachments;
    expect(await (await fetch(file.signedUrl)).text()).toBe('abc');

    const mac = createHmac('sha256', secret).update(`${body.timestamp}.${request?.body}`).digest('hex');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'parley-webhooks/1',
      'x-parley-timestamp': String(body.timestamp),
      'x-parley-signature': `sha256=${mac}`,
    });
    expect(Object.keys(request?.headers ?? {}).filter((name) => /^(webhook|parley)-/.test(name))).toEqual([]);
    expect(await deliveries()).toMatchObject([
      { event_type: 'email.delivered', state: 'delivered', body: null, attempts: [{ status_code: 200 }] },
    ]);
  });

  it('reports an email that SES refused as rejected', async () => {
    const { ours, client, hook } = await begin();
    await inject({
      worker: 'send-mail',
      kind: 'error',
      action: 'SendEmail',
      code: 'MessageRejected',
      status: 400,
    });
    onTestFinished(clearFaults);
    await client.post('/emails', {
      from: `desk@${ours.providedDomain}`,
      to: 'success@simulator.amazonses.com',
      subject: 'Hello',
      text: 'Hello there',
    });
    const request = await hook.waitFor();
    expect(JSON.parse(request.body)).toMatchObject({
      event: 'outbound.email.rejected',
      data: { email: { status: 'REJECTED' }, rejectedAt: expect.any(String), reason: expect.any(String) },
    });
  });

  it('receives received mail', async () => {
    const { ours, hook } = await begin();
    await cloud().sendMail({
      from: 'ann@example.test',
      to: `desk@${ours.providedDomain}`,
      subject: 'Question',
      text: 'How are you?',
    });
    const request = await hook.waitFor();
    const body = JSON.parse(request.body);
    expect(v1WebhookBodies['email.received'].schema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      event: 'inbound.email.received',
      data: {
        email: {
          direction: 'INBOUND',
          status: 'RECEIVED',
          fromAddress: 'ann@example.test',
          subject: 'Question',
        },
      },
    });
  });

  it('has no signature when it has no secret', async () => {
    const { hook, send } = await begin(undefined, { secret: null });
    await send();
    expect(Object.keys(hook.requests[0]?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  it('is paused after three failures in a row, each tried once, and counts them as attempts', async () => {
    let code = 500;
    const { ours, hook, id, send, deliveries, enabled } = await begin(() => ({
      status: code,
      headers: { 'Retry-After': '1' },
    }));
    const emailId = await send();
    await publish(ours.id, emailId);
    expect(await enabled()).toBe(true);
    code = 200;
    await publish(ours.id, emailId);
    code = 500;
    for (let times = 0; times < 4; times++) await publish(ours.id, emailId);
    // The success began a new row; the last event found the endpoint paused.
    const attempts = () => hook.requests.map(({ body }) => JSON.parse(body).attempt);
    expect(attempts()).toEqual([1, 2, 3, 1, 2, 3]);
    expect(await enabled()).toBe(false);
    expect(await deliveries()).toHaveLength(6);
    expect((await deliveries()).map(({ state }) => state)).toEqual([
      'failed',
      'failed',
      'failed',
      'delivered',
      'failed',
      'failed',
    ]);

    await updateEndpoint(ours.id, id, { enabled: true });
    code = 200;
    await publish(ours.id, emailId);
    expect(attempts().at(-1)).toBe(1);
  });

  it.each([
    [
      'success',
      { event: 'outbound.email.delivered', processingTimeMs: expect.any(Number), remoteMtaIp: '127.0.0.1' },
    ],
    [
      'bounce',
      {
        event: 'outbound.email.bounced',
        bounceType: 'Permanent',
        bounceSubType: 'General',
        recipients: [
          {
            emailAddress: 'bounce@simulator.amazonses.com',
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: expect.stringContaining('user unknown'),
          },
        ],
      },
    ],
    [
      'complaint',
      {
        event: 'outbound.email.complained',
        complaintFeedbackType: 'abuse',
        feedbackId: expect.any(String),
        userAgent: 'Amazon SES Mailbox Simulator',
      },
    ],
  ])(
    "receives what SES reports of mail to the simulator's address %s",
    async (local, { event, ...facts }) => {
      const { hook, send } = await begin();
      await send(`${local}@simulator.amazonses.com`);
      const bodies = hook.requests.map(({ body }) => JSON.parse(body));
      expect(bodies.find((body) => body.event === event)?.data).toMatchObject(facts);
    },
  );

  it('is not paused by clicks when it calls them as its client library does', async () => {
    // The published handlers answer an event that they do not know with an error.
    const names: string[] = v1EventTypes.map((type) => eventTypeTable[type].v1Name);
    const known = new Set([...names, 'outbound.email.clicked']);
    known.delete('outbound.email.link_clicked');
    const { ours, client, hook, id, send, enabled } = await begin(({ body }) => ({
      status: known.has(JSON.parse(body).event) ? 200 : 400,
    }));
    const path = `/webhook-endpoints/${id}`;
    expect((await client.get(path)).body.click_event).toBe('link_clicked');
    const emailId = await send();
    const click = async () => await publish(ours.id, emailId, 'email.clicked');
    for (let times = 0; times < 3; times++) await click();
    expect(await enabled()).toBe(false);

    const changed = await client.patch(path, { click_event: 'clicked', enabled: true });
    expect(changed.body).toMatchObject({ format: 'v1', click_event: 'clicked', enabled: true });
    for (let times = 0; times < 4; times++) await click();
    expect(await enabled()).toBe(true);
    const clicks = hook.requests
      .map(({ body }) => JSON.parse(body))
      .filter(({ event }) => /click/.test(event));
    expect(clicks.map(({ event }) => event)).toEqual([
      ...Array.from({ length: 3 }, () => 'outbound.email.link_clicked'),
      ...Array.from({ length: 4 }, () => 'outbound.email.clicked'),
    ]);
    expect(v1WebhookBodies['email.clicked'].schema.parse(clicks.at(-1))).toEqual(clicks.at(-1));
    await client.post(`${path}/test`, { event_type: 'email.clicked' });
    expect(JSON.parse(hook.requests.at(-1)?.body ?? '').event).toBe('outbound.email.clicked');
  });

  it('settles a delivery as failed, without an attempt, when the email is gone', async () => {
    const { ours, client, hook, id, send, deliveries } = await begin(undefined, { maxConcurrency: 1 });
    const emailId = await send();
    const known = hook.requests.length;
    // Published while the email existed; it is gone when the delivery is made.
    const event = storedEvent({ type: 'email.delivered', subject: { emailId } });
    await storeEvent(ours.id, event);
    await remove(emailKey(ours.id, emailId));
    await deliver(ours.id, id, event);
    expect(hook.requests).toHaveLength(known);
    expect(await deliveries()).toMatchObject([{ event_id: event.id, state: 'failed', attempts: [] }, {}]);
    expect((await client.get(`/webhook-endpoints/${id}`)).body.enabled).toBe(true);
  });

  it('refuses subscriptions to types that the format does not have', async () => {
    const { client, id } = await begin();
    const { status, body } = await client.patch(`/webhook-endpoints/${id}`, {
      subscriptions: ['email.sent'],
    });
    expect([status, body.issues]).toMatchObject([422, [{ path: 'subscriptions' }]]);
    expect((await client.patch(`/webhook-endpoints/${id}`, { subscriptions: ['email.opened'] })).status).toBe(
      200,
    );
  });

  it('signs with a rotated secret at once, and only with it', async () => {
    const { client, hook, id, send } = await begin();
    const rotated = await client.post<{ secret: string; previous_secret_expires_at: string | null }>(
      `/webhook-endpoints/${id}/rotate-secret`,
      {},
    );
    expect(rotated.body.previous_secret_expires_at).toBeNull();
    await send();
    const { body = '', headers = {} } = hook.requests[0] ?? {};
    const mac = createHmac('sha256', rotated.body.secret)
      .update(`${headers['x-parley-timestamp']}.${body}`)
      .digest('hex');
    expect(headers['x-parley-signature']).toBe(`sha256=${mac}`);
  });
});
