/** Pushes of the mail providers, genuine and forged (docs/mailbox-providers.md#pushes). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import {
  type ConnectedMailbox,
  connectMailbox,
  disconnectAll,
  message,
} from '../../support/emulated-mailbox.ts';
import { receiver } from '../../support/receiver.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

let own: TestWorkspace;
let client: Api;
beforeAll(async () => {
  own = await workspace();
  client = api(own);
});
afterAll(() => disconnectAll(client));

const origin = (): string => new URL(cloud().baseUrl).origin;

/** Whether a message that arrives now is read without a poll. */
async function arrivesAtOnce(mailbox: ConnectedMailbox): Promise<boolean> {
  const subject = `Now ${crypto.randomUUID()}`;
  await mailbox.receive(message('ben@elsewhere.test', mailbox.address, subject));
  await cloud().waitForQuiescence();
  const { body } = await client.get(`/emails?query=${encodeURIComponent(subject)}`);
  return body.data.length === 1;
}

const post = async (url: string, body: string, headers: Record<string, string> = {}): Promise<number> => {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return status;
};

describe('a push of Pub/Sub', () => {
  const topic = 'projects/acme/topics/mail';
  let app: { readonly id: string; readonly push_endpoint: string };

  async function connectThroughApp() {
    const made = await client.post('/oauth-apps', {
      provider: 'google',
      name: 'Acme',
      slug: `push-${own.slug}`,
      client_id: 'local-app',
      client_secret: 'local-app-secret',
      pubsub_topic: topic,
      return_urls: ['https://acme.test/connected'],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    app = made.body as unknown as typeof app;
    const subscription = { topic, push_endpoint: app.push_endpoint };
    await cloud().control('POST', '/mailbox-providers/google/subscriptions', subscription);
    return await connectMailbox(own, 'google', { app_id: app.id });
  }

  it('brings in mail at once, and is refused without a token of Google for its address', async () => {
    const mailbox = await connectThroughApp();
    expect(await arrivesAtOnce(mailbox)).toBe(true);
    const data = Buffer.from(JSON.stringify({ emailAddress: mailbox.address, historyId: '1' })).toString(
      'base64',
    );
    const body = JSON.stringify({ message: { data, messageId: '1' }, subscription: 's' });
    expect(await post(app.push_endpoint, body)).toBe(401);
    const forged = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.x`;
    expect(await post(app.push_endpoint, body, { authorization: `Bearer ${forged}` })).toBe(401);
    // A genuine token for another address.
    const other = await receiver();
    const elsewhere = { topic, push_endpoint: other.url };
    await cloud().control('POST', '/mailbox-providers/google/subscriptions', elsewhere);
    await mailbox.receive(message('ben@elsewhere.test', mailbox.address, 'Another'));
    const { headers } = await other.waitFor();
    expect(headers.authorization).toMatch(/^Bearer /);
    expect(await post(app.push_endpoint, body, { authorization: headers.authorization ?? '' })).toBe(401);
    expect(await post(app.push_endpoint.replace(/app_\w+$/, 'app_x'), body)).toBe(401);
  });
});

describe('a notification of Microsoft Graph', () => {
  it('brings in mail at once, and is refused without the secret of the subscription', async () => {
    const mailbox = await connectMailbox(own, 'microsoft');
    expect(await arrivesAtOnce(mailbox)).toBe(true);
    const url = `${origin()}/push/microsoft/${own.id}/${mailbox.id}`;
    const notification = (fields: object) => JSON.stringify({ value: [{ subscriptionId: 's', ...fields }] });
    expect(await post(url, notification({}))).toBe(401);
    expect(await post(url, notification({ clientState: 'guessed' }))).toBe(401);
    expect(await post(url, notification({ clientState: 'x', lifecycleEvent: 'subscriptionRemoved' }))).toBe(
      401,
    );
    for (const body of ['', '[]', '{"value":1}', 'null', `{"value":[${'{},'.repeat(2000)}{}]}`]) {
      expect(await post(url, body), body.slice(0, 20)).toBe(401);
    }
    // The forged ones have not ended the subscription.
    expect(await arrivesAtOnce(mailbox)).toBe(true);
  });

  it('is told that the address is ours by an echo that nothing interprets', async () => {
    const token = '<script>alert(1)</script> é';
    const url = `${origin()}/push/microsoft/${own.id}/mbx_1?validationToken=${encodeURIComponent(token)}`;
    const response = await fetch(url, { method: 'POST' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe(token);
    const long = await fetch(`${origin()}/push/microsoft/a/b?validationToken=${'x'.repeat(2000)}`, {
      method: 'POST',
    });
    expect(long.status).toBe(400);
  });

  it('makes the subscription anew when Microsoft has removed it', async () => {
    const mailbox = await connectMailbox(own, 'microsoft');
    const account = `/mailbox-providers/microsoft/accounts/${mailbox.address}`;
    await cloud().control('POST', `${account}/lifecycle`, { event: 'subscriptionRemoved' });
    await cloud().waitForQuiescence();
    expect(await arrivesAtOnce(mailbox)).toBe(true);
  });
});
