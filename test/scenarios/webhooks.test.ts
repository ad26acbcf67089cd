/** Webhooks: request and signature, subscriptions, routing, concurrency, repeated messages. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { sendToQueue } from '../../lib/adapters/queues.ts';
import type { DeliveryId, DomainId, EmailId, EndpointId, EventId } from '../../lib/core/ids.ts';
import type { PublishEvent } from '../../lib/core/queue-messages.ts';
import { verifySignature } from '../../lib/core/webhooks/signature.ts';
import { attemptMessage } from '../../lib/services/webhooks/deliver-message.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type Receiver, receiver } from '../support/receiver.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const delivered = 'success@simulator.amazonses.com';

interface Endpoint {
  readonly id: EndpointId;
  readonly secret: string;
  readonly path: string;
}

interface Delivery {
  readonly id: DeliveryId;
  readonly event_id: EventId;
  readonly event_type: string;
  readonly state: string;
  readonly next_attempt_at: string | null;
  readonly body: unknown;
  readonly attempts: readonly { readonly status_code: number | null; readonly error: string | null }[];
}

async function endpointAt(client: Api, hook: Receiver, settings: object): Promise<Endpoint> {
  const { status, body } = await client.post<{ id: EndpointId; secret: string }>('/webhook-endpoints', {
    url: hook.url,
    ...settings,
  });
  expect(status).toBe(201);
  return { ...body, path: `/webhook-endpoints/${body.id}` };
}

async function send(ours: TestWorkspace, change: object = {}): Promise<{ id: EmailId; thread_id: string }> {
  const { status, body } = await api(ours).post<{ id: EmailId; thread_id: string }>('/emails', {
    from: `Desk <desk@${ours.providedDomain}>`,
    to: delivered,
    subject: 'Hello',
    text: 'Hello there',
    ...change,
  });
  expect(status).toBe(201);
  return body;
}

/** Receives mail for an address of the workspace. */
async function receive(ours: TestWorkspace, change: object = {}): Promise<void> {
  await cloud().sendMail({
    from: 'ann@example.test',
    to: `desk@${ours.providedDomain}`,
    subject: 'Question',
    text: 'How are you?',
    ...change,
  });
}

const typesAt = (hook: Receiver): string[] => hook.requests.map(({ body }) => JSON.parse(body).type).sort();

const deliveriesOf = async (client: Api, endpoint: Endpoint, query = ''): Promise<readonly Delivery[]> =>
  (await client.get<{ data: Delivery[] }>(`${endpoint.path}/deliveries${query}`)).body.data;

/** The message that `send-mail` enqueues for email.sent. */
const sentEvent = (ours: TestWorkspace, emailId: EmailId): PublishEvent => ({
  kind: 'publish-event',
  v: 1,
  workspaceId: ours.id,
  eventId: newId('evt'),
  type: 'email.sent',
  at: now(),
  subject: { emailId },
});

describe('a webhook', () => {
  it('is a signed POST of the event, and its delivery records request and response', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hook = await receiver(() => ({ status: 202, body: 'thanks' }));
    const endpoint = await endpointAt(client, hook, { subscriptions: ['email.sent'] });
    const email = await send(ours);
    await cloud().waitForQuiescence();

    const [request, ...more] = hook.requests;
    if (!request) throw new Error('no webhook came');
    expect(more).toEqual([]);
    const event = JSON.parse(request.body);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'email.sent',
      created_at: timestamp,
      space_id: null,
      data: {
        email_id: email.id,
        thread_id: email.thread_id,
        domain_id: expect.stringMatching(/^dom_/),
        mailbox_id: null,
        suppression_key: null,
        message_id: `<${email.id}@${ours.providedDomain}>`,
        wire_message_ids: [expect.stringMatching(/^<.+@email\.amazonses\.com>$/)],
        from: `desk@${ours.providedDomain}`,
        to: [delivered],
        subject: 'Hello',
        snippet: 'Hello there',
        attachments: [],
      },
    });
    expect(request.method).toBe('POST');
    expect(request.headers).toEqual({
      'content-type': 'application/json',
      'parley-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
      'parley-event-id': event.id,
      'user-agent': 'parley-webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      host: new URL(hook.url).host,
      'content-length': String(Buffer.byteLength(request.body)),
      connection: 'close',
    });
    const signed = { header: request.headers['parley-signature'] ?? '', body: request.body };
    const nowSeconds = Math.floor(now() / 1000);
    expect(verifySignature({ ...signed, secret: endpoint.secret, nowSeconds })).toBe(true);

    expect(await deliveriesOf(client, endpoint)).toEqual([
      {
        id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
        endpoint_id: endpoint.id,
        event_id: event.id,
        event_type: 'email.sent',
        state: 'delivered',
        next_attempt_at: null,
        created_at: timestamp,
        body: event,
        attempts: [
          {
            id: expect.stringMatching(/^atp_[0-9a-f]{32}$/),
            attempted_at: timestamp,
            status_code: 202,
            error: null,
            duration_ms: expect.any(Number),
            response: 'thanks',
          },
        ],
      },
    ]);
  });

  it('has envelope, category and files when mail is received', async () => {
    const ours = await workspace();
    const hook = await receiver();
    await endpointAt(api(ours), hook, { subscriptions: ['email.received'] });
    await receive(ours, {
      messageId: `<${ours.slug}@example.test>`,
      attachments: [{ filename: 'a.txt', content: 'abc' }],
    });
    const { body } = await hook.waitFor();
    expect(JSON.parse(body)).toMatchObject({
      type: 'email.received',
      data: {
        message_id: `<${ours.slug}@example.test>`,
        from: 'ann@example.test',
        to: [`desk@${ours.providedDomain}`],
        subject: 'Question',
        snippet: 'How are you?',
        category: 'human',
        attachments: [{ filename: 'a.txt', content_type: 'text/plain', size: 3 }],
      },
    });
  });

  it('has the recipients and the reason when SES reports a bounce or a complaint', async () => {
    const ours = await workspace();
    const hook = await receiver();
    await endpointAt(api(ours), hook, { subscriptions: ['email.bounced', 'email.complained'] });
    const bounced = await send(ours, { to: 'bounce@simulator.amazonses.com' });
    const complained = await send(ours, { to: 'complaint@simulator.amazonses.com' });
    await cloud().waitForQuiescence();
    const events = hook.requests.map(({ body }) => JSON.parse(body));
    expect(events.find(({ type }) => type === 'email.bounced')).toMatchObject({
      data: {
        email_id: bounced.id,
        recipients: ['bounce@simulator.amazonses.com'],
        permanent: true,
        reason: expect.stringContaining('5'),
      },
    });
    expect(events.find(({ type }) => type === 'email.complained')).toMatchObject({
      data: { email_id: complained.id, recipients: ['complaint@simulator.amazonses.com'] },
    });
  });
});

describe('an endpoint', () => {
  it('receives the event types that it subscribes to, and no other', async () => {
    const ours = await workspace();
    const [some, all] = [await receiver(), await receiver()];
    await endpointAt(api(ours), some, { subscriptions: ['email.delivered'] });
    await endpointAt(api(ours), all, {
      subscriptions: ['email.sent', 'email.delivered', 'thread.created', 'email.bounced'],
    });
    await send(ours);
    await cloud().waitForQuiescence();
    expect(typesAt(some)).toEqual(['email.delivered']);
    expect(typesAt(all)).toEqual(['email.delivered', 'email.sent', 'thread.created']);
  });

  it('receives no event of another workspace', async () => {
    const [ours, theirs] = [await workspace(), await workspace()];
    const hook = await receiver();
    await endpointAt(api(theirs), hook, { subscriptions: ['email.sent'] });
    await send(ours);
    await cloud().waitForQuiescence();
    expect(hook.requests).toEqual([]);
  });

  it('receives nothing of the time when it is disabled', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hook = await receiver();
    const endpoint = await endpointAt(client, hook, { subscriptions: ['email.sent'], enabled: false });
    await send(ours, { subject: 'Before' });
    await cloud().waitForQuiescence();
    await client.patch(endpoint.path, { enabled: true });
    await send(ours, { subject: 'After' });
    await cloud().waitForQuiescence();
    expect(hook.requests.map(({ body }) => JSON.parse(body).data.subject)).toEqual(['After']);
    expect(await deliveriesOf(client, endpoint)).toHaveLength(1);
  });

  it('receives the events that its routing rules allow', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hooks = {
      fromAnn: [{ effect: 'allow', field: 'from', pattern: 'ann@*' }],
      notFromAnn: [{ effect: 'block', field: 'from', pattern: 'ann@*' }],
      replyTo: [{ effect: 'allow', field: 'from', pattern: '*@answers.test' }],
      copied: [{ effect: 'allow', field: 'to', pattern: 'copy@*' }],
      hidden: [{ effect: 'allow', field: 'to', pattern: 'hidden@*' }],
      blockWins: [
        { effect: 'allow', field: 'either', pattern: '*' },
        { effect: 'block', field: 'to', pattern: 'desk@*' },
      ],
    };
    const receivers = await Promise.all(
      Object.entries(hooks).map(async ([name, routing]) => {
        const hook = await receiver();
        await endpointAt(client, hook, { subscriptions: ['email.received', 'thread.created'], routing });
        return [name, hook] as const;
      }),
    );
    await receive(ours, {
      to: [`desk@${ours.providedDomain}`, `hidden@${ours.providedDomain}`],
      raw: [
        'From: Ann <ann@example.test>',
        'Reply-To: ann@answers.test',
        `To: desk@${ours.providedDomain}`,
        'Cc: copy@example.test',
        'Subject: Question',
        '',
        'How are you?',
      ].join('\r\n'),
    });
    await cloud().waitForQuiescence();
    const both = ['email.received', 'thread.created'];
    expect(Object.fromEntries(receivers.map(([name, hook]) => [name, typesAt(hook)]))).toEqual({
      fromAnn: both,
      notFromAnn: [],
      replyTo: both,
      copied: both,
      hidden: both,
      blockWins: [],
    });
  });

  it('receives events of sent mail by its Reply-To, Cc and Bcc addresses', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hooks = {
      replyTo: [{ effect: 'allow', field: 'from', pattern: '*@answers.test' }],
      copied: [{ effect: 'allow', field: 'to', pattern: 'copy@*' }],
      hidden: [{ effect: 'allow', field: 'to', pattern: 'hidden@*' }],
      blockedByCopy: [{ effect: 'block', field: 'either', pattern: 'copy@*' }],
      blockedByHidden: [{ effect: 'block', field: 'either', pattern: 'hidden@*' }],
    };
    const receivers = await Promise.all(
      Object.entries(hooks).map(async ([name, routing]) => {
        const hook = await receiver();
        await endpointAt(client, hook, { subscriptions: ['email.sent'], routing });
        return [name, hook] as const;
      }),
    );
    await send(ours, {
      reply_to: 'desk@answers.test',
      cc: 'copy@people.example.test',
      bcc: 'hidden@people.example.test',
    });
    await cloud().waitForQuiescence();
    expect(Object.fromEntries(receivers.map(([name, hook]) => [name, typesAt(hook)]))).toEqual({
      replyTo: ['email.sent'],
      copied: ['email.sent'],
      hidden: ['email.sent'],
      blockedByCopy: [],
      blockedByHidden: [],
    });
  });

  it('receives domain events whatever its routing rules are', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hook = await receiver();
    const routing = [
      { effect: 'allow', field: 'to', pattern: 'nobody@example.test' },
      { effect: 'block', field: 'either', pattern: '*' },
    ];
    await endpointAt(client, hook, { subscriptions: ['domain.verified', 'email.sent'], routing });
    const { body: domains } = await client.get<{ data: { id: DomainId }[] }>('/domains');
    const [domain] = domains.data;
    if (!domain) throw new Error('no provided domain');
    const event = { type: 'domain.verified' as const, subject: { domainId: domain.id } };
    await sendToQueue({ ...sentEvent(ours, newId('eml')), ...event }, '');
    await send(ours);
    await cloud().waitForQuiescence();
    expect(typesAt(hook)).toEqual(['domain.verified']);
  });

  it('is looked up by the DNS of the cloud at each attempt, and not called at an address that is not public', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hook = await receiver();
    const name = `hooks.${ours.slug}.test`;
    const url = hook.url.replace('127.0.0.1', name);
    const endpoint = await endpointAt(client, { ...hook, url }, { subscriptions: ['email.sent'] });
    await cloud().control('POST', '/dns', { type: 'A', name, value: '127.0.0.1' });
    await send(ours);
    await cloud().waitForQuiescence();
    expect(hook.requests.map(({ headers }) => headers.host)).toEqual([new URL(url).host]);
    await cloud().control('DELETE', '/dns', { name });
    await cloud().control('POST', '/dns', { type: 'A', name, value: '169.254.169.254' });
    await send(ours);
    await cloud().waitForQuiescence();
    expect(hook.requests).toHaveLength(1);
    const error = 'the host does not resolve to public addresses only';
    expect(await deliveriesOf(client, endpoint, '?state=pending')).toMatchObject([
      { attempts: [{ status_code: null, error }] },
    ]);
  });

  it('is not delayed when another endpoint does not answer', async () => {
    const ours = await workspace();
    const [slow, quick] = [await receiver(() => 'hang'), await receiver()];
    await endpointAt(api(ours), slow, { subscriptions: ['email.sent'], max_concurrency: 1 });
    await endpointAt(api(ours), quick, { subscriptions: ['email.sent'] });
    for (const subject of ['1', '2', '3']) await send(ours, { subject });
    await Promise.all(['1', '2', '3'].map((n) => quick.waitFor(({ body }) => body.includes(`"${n}"`))));
    // max_concurrency of the slow one is 1: its other deliveries wait.
    expect(slow.requests).toHaveLength(1);
  });

  it('is retried after a minute when it fails', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hook = await receiver(() => ({ status: 500, body: 'x'.repeat(3000) }));
    const endpoint = await endpointAt(client, hook, { subscriptions: ['email.sent'] });
    await send(ours);
    await cloud().waitForQuiescence();
    const [delivery] = await deliveriesOf(client, endpoint, '?state=pending');
    expect(delivery).toMatchObject({
      state: 'pending',
      attempts: [{ status_code: 500, error: null, response: 'x'.repeat(2048) }],
    });
    const waitMs = Date.parse(delivery?.next_attempt_at ?? '') - now();
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThan(73_000);
    expect(await deliveriesOf(client, endpoint, '?state=delivered')).toEqual([]);
  });
});

describe('a repeated queue message', () => {
  it('publishes its event once', async () => {
    const ours = await workspace();
    const client = api(ours);
    const email = await send(ours);
    const hook = await receiver();
    const endpoint = await endpointAt(client, hook, { subscriptions: ['email.sent'] });
    await cloud().waitForQuiescence();
    const before = hook.requests.length;
    const message = sentEvent(ours, email.id);
    for (const n of [1, 2, 3]) {
      await sendToQueue(message, `${message.eventId}-${n}`);
      await cloud().waitForQuiescence();
    }
    expect(hook.requests.length - before).toBe(1);
    expect(await deliveriesOf(client, endpoint)).toHaveLength(before + 1);
  });

  it('records its delivery once when it is published at the same time', async () => {
    const ours = await workspace();
    const client = api(ours);
    const email = await send(ours);
    const hook = await receiver();
    const endpoint = await endpointAt(client, hook, { subscriptions: ['email.sent'] });
    const message = sentEvent(ours, email.id);
    await Promise.all([1, 2, 3].map((n) => sendToQueue(message, `${message.eventId}-${n}`)));
    await cloud().waitForQuiescence();
    const ofEvent = (await deliveriesOf(client, endpoint)).filter(
      ({ event_id }) => event_id === message.eventId,
    );
    expect(ofEvent).toMatchObject([{ state: 'delivered', attempts: [{}] }]);
  });

  it('makes its attempt once when the delivery is pending or complete', async () => {
    const ours = await workspace();
    const client = api(ours);
    for (const status of [200, 500]) {
      const hook = await receiver(() => ({ status }));
      const endpoint = await endpointAt(client, hook, { subscriptions: ['email.sent'] });
      await send(ours);
      await cloud().waitForQuiescence();
      const before = await deliveriesOf(client, endpoint);
      const [delivery] = before;
      if (!delivery) throw new Error('no delivery');
      const { id: deliveryId, event_id: eventId } = delivery;
      for (const attempt of [1, 3]) {
        const of = { workspaceId: ours.id, endpointId: endpoint.id };
        await sendToQueue(attemptMessage(of, { deliveryId, eventId, createdAt: 0, replay: 0, attempt }), '');
      }
      await cloud().waitForQuiescence();
      expect(hook.requests).toHaveLength(1);
      expect(await deliveriesOf(client, endpoint)).toEqual(before);
    }
  });

  it('publishes nothing when its email does not exist', async () => {
    const ours = await workspace();
    const hook = await receiver();
    await endpointAt(api(ours), hook, { subscriptions: ['email.sent'] });
    const message = sentEvent(ours, newId('eml'));
    await sendToQueue(message, message.eventId);
    await cloud().waitForQuiescence();
    expect(hook.requests).toEqual([]);
  });
});
