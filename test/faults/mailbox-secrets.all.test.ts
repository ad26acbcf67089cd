/** Tokens and client secrets are nowhere but encrypted, and with the provider (docs/concepts/mailboxes.md#tokens). */
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it } from 'vitest';
import type { MailboxId } from '../../lib/core/ids.ts';
import { demoClient } from '../../lib/local/mailbox-providers/mailbox-providers.ts';
import { withAccessToken } from '../../lib/services/mailboxes/access-token.ts';
import { openToken } from '../../lib/services/mailboxes/sealed-tokens.ts';
import { findCredentials } from '../../lib/storage/mailboxes/mailbox-credentials.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { browse, giveConsent } from '../support/connect-mailbox.ts';
import { receiver } from '../support/receiver.ts';
import { itemsOf, naming, objects } from '../support/stored.ts';
import { workspace } from '../support/workspace.ts';
import { clearFaults, inject, waitingQueues } from './kit.ts';

afterEach(clearFaults);

/** The content of all objects of the cloud. */
async function contents(): Promise<string[]> {
  const s3 = new S3Client({ endpoint: cloud().gatewayUrl, region: 'us-east-1', forcePathStyle: true });
  const found = await Promise.all(
    (await objects()).map(async (path) => {
      const [bucket = '', ...key] = path.split('/');
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key.join('/') }));
      return (await Body?.transformToString('latin1')) ?? '';
    }),
  );
  s3.destroy();
  return found;
}

/** Workers that are killed once each: the message that called them stays in its queue. */
const workers = ['sync-mailbox', 'receive-mailbox-mail', 'send-mailbox-mail'] as const;

/** The messages in all queues. */
async function queued(): Promise<{ readonly queue: string; readonly body: string }[]> {
  const queues = Object.keys(await waitingQueues());
  const found = await Promise.all(
    queues.map(async (queue) => {
      const path = `/queues/${queue}/messages`;
      const { data } = await cloud().control<{ data: { body: string }[] }>('GET', path);
      return data.map(({ body }) => ({ queue, body }));
    }),
  );
  return found.flat();
}

describe.each(['google', 'microsoft'] as const)('what a mailbox of %s is connected by', (provider) => {
  it('is in no item, object, log line, queue message, event or answer, whatever fails', async () => {
    const own = await workspace();
    const client = api(own);
    const hooks = await receiver();
    const subscriptions = ['mailbox.connected', 'mailbox.needs_reauth', 'mailbox.disconnected'];
    await client.post('/webhook-endpoints', { url: hooks.url, subscriptions });
    const clientSecret = `secret-${crypto.randomUUID()}`;
    const clientId = `client-${crypto.randomUUID()}`;
    const redirectUri = `${new URL(cloud().baseUrl).origin}/connect/callback/${provider}`;
    await cloud().control('POST', `/mailbox-providers/${provider}/clients`, {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
    });
    const app = await client.post('/oauth-apps', {
      provider,
      name: 'Acme',
      slug: own.slug.slice(0, 64),
      client_id: clientId,
      client_secret: clientSecret,
    });
    const secrets = new Set([clientSecret, demoClient.clientSecret]);
    const answers: unknown[] = [app.body];
    const address = `leak@${own.slug}.example`;
    const begin = async () => {
      const request = { provider, return_to: 'https://acme.test/connected', app_id: app.body.id };
      const { body } = await client.post('/mailboxes/connect', request);
      return await giveConsent(String(body.url), { address });
    };
    /** Notes the tokens that are stored now. */
    const note = async (id: MailboxId) => {
      const stored = await findCredentials(own.id, id);
      if (!stored) throw new Error('the mailbox has no credentials');
      for (const parts of [stored.accessToken, stored.refreshToken])
        secrets.add(await openToken(own.id, parts));
    };

    for (const worker of workers) await inject({ worker, kind: 'kill-before', match: own.id });
    const callback = await begin();
    secrets.add(new URL(callback).searchParams.get('code') ?? '');
    const { location, text } = await browse(callback);
    answers.push(location?.href, text);
    const id = location?.searchParams.get('mailbox_id') as MailboxId;
    await note(id);
    // Mail in and out.
    await cloud().waitForQuiescence();
    const raw = `From: ben@elsewhere.test\r\nTo: ${address}\r\nSubject: Hi\r\n\r\nHi\r\n`;
    await cloud().control('POST', `/mailbox-providers/${provider}/accounts/${address}/messages`, { raw });
    answers.push((await client.post(`/mailboxes/${id}/sync`)).body);
    const email = { from: address, to: 'ben@elsewhere.test', subject: 'Hi', text: 'Hi' };
    answers.push((await client.post('/emails', email)).body);
    await cloud().waitForQuiescence();
    // A refresh, failing ones, and an exchange that fails.
    await cloud().control('POST', `/mailbox-providers/${provider}/accounts/${address}/expire`, {});
    const probe = () =>
      withAccessToken(own.id, id, async ({ accessToken }) => {
        if (secrets.has(accessToken)) {
          const { ProviderError } = await import('../../lib/core/mailboxes/provider.ts');
          throw new ProviderError('expired', '401');
        }
        secrets.add(accessToken);
      });
    await probe();
    await note(id);
    await inject({ kind: 'error', service: provider, action: 'token', status: 500, times: 2 });
    answers.push(String(await probe().catch((error: unknown) => error)));
    answers.push((await browse(await begin())).location?.href);
    await clearFaults();
    await inject({ kind: 'error', action: 'TransactWriteItems', match: own.id, code: 'ValidationException' });
    answers.push((await browse(await begin())).text);
    await clearFaults();
    await cloud().control('POST', `/mailbox-providers/${provider}/accounts/${address}/revoke`, {});
    answers.push(String(await probe().catch((error: unknown) => error)));
    answers.push((await client.get(`/mailboxes/${id}`)).body);
    answers.push((await browse(await begin())).location?.href);
    await note(id);
    await inject({ worker: 'run-task', kind: 'kill-before', match: own.id });
    answers.push((await client.delete(`/mailboxes/${id}`)).body);
    await cloud().waitForQuiescence();
    answers.push((await client.get('/events?limit=100')).body, (await client.get('/oauth-apps')).body);

    const messages = (await queued()).filter(({ body }) => body.includes(own.id));
    for (const queue of ['mailboxes', 'mailbox-mail', 'mailbox-submissions', 'tasks']) {
      expect(messages.map((one) => one.queue)).toContain(`parley-${queue}`);
    }
    expect(secrets.size).toBeGreaterThan(5);
    expect(secrets).not.toContain('');
    const items = await itemsOf(own.id);
    const { data } = await cloud().control<{ data: { text: string }[] }>('GET', '/logs');
    const logged = data.map((line) => line.text);
    expect(logged.filter((line) => line.includes('mailbox.not_connected')).length).toBeGreaterThan(0);
    const stored = await contents();
    const said = [
      ...answers.map((one) => JSON.stringify(one)),
      ...hooks.requests.map(({ body }) => body),
      ...messages.map(({ body }) => body),
    ];
    for (const secret of secrets) {
      expect(naming(items, secret)).toEqual([]);
      for (const texts of [logged, stored, said]) {
        expect(texts.filter((text) => text?.includes(secret))).toEqual([]);
      }
    }
  });
});
