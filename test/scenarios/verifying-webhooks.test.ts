/** The code for receivers in docs/verifying-webhooks.md, run against a webhook that was delivered. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { webhookHeaders } from '../../lib/core/webhooks/signature.ts';
import { api } from '../support/api.ts';
import { type ReceivedRequest, receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

interface Samples {
  isGenuine(rawBody: string, header: string, secret: string, nowSeconds?: number): boolean;
  verifiedEvent(rawBody: string, headers: object, secret: string): { readonly id: string };
  readonly receiver: Server;
}

const page = readFile(new URL('../../docs/verifying-webhooks.md', import.meta.url), 'utf8');

/** The TypeScript of the page, as one module. */
async function loadSamples(): Promise<Samples> {
  const blocks = [...(await page).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(blocks).toHaveLength(3);
  const library = pathToFileURL(createRequire(import.meta.url).resolve('standardwebhooks')).href;
  const code = stripTypeScriptTypes(blocks.join('\n')).replace(`'standardwebhooks'`, `'${library}'`);
  return await import(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** A webhook that Parley posted, and the secret of its endpoint. */
async function delivered(): Promise<ReceivedRequest & { readonly secret: string }> {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver();
  const { body } = await client.post<{ secret: string }>('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['email.sent'],
  });
  await client.post('/emails', {
    from: `desk@${ours.providedDomain}`,
    to: 'success@simulator.amazonses.com',
    subject: 'Grüße',
    text: 'Hello',
  });
  return { ...(await hook.waitFor()), secret: body.secret };
}

describe('the TypeScript for receivers', () => {
  it('accepts a webhook that was delivered and refuses a changed one', async () => {
    const { isGenuine, verifiedEvent } = await loadSamples();
    const { body, headers, secret } = await delivered();
    const header = headers['parley-signature'] ?? '';
    const nowSeconds = now() / 1000;
    expect(isGenuine(body, header, secret, nowSeconds)).toBe(true);
    expect(isGenuine(`${body} `, header, secret, nowSeconds)).toBe(false);
    expect(isGenuine(body, header, `${secret}x`, nowSeconds)).toBe(false);
    expect(isGenuine(body, header, secret, nowSeconds + 400)).toBe(false);
    expect(isGenuine(body, '', secret, nowSeconds)).toBe(false);

    expect(verifiedEvent(body, headers, secret)).toEqual(JSON.parse(body));
    expect(() => verifiedEvent(`${body} `, headers, secret)).toThrow();
  });

  it('serves as a receiver that refuses requests without a signature', async () => {
    const { receiver: sample } = await loadSamples();
    await new Promise<void>((resolve) => sample.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      sample.close();
    });
    const url = `http://127.0.0.1:${(sample.address() as AddressInfo).port}/`;
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  });

  it('accepts the values of the page', async () => {
    const { isGenuine } = await loadSamples();
    const rows = [...(await page).matchAll(/^\| `?([\w -]+?)`? \| `(.*)` \|$/gm)];
    const values = Object.fromEntries(rows.map(([, name = '', value]) => [name, value]));
    const { secret = '', 'raw body': body = '', 'Parley-Signature': header = '' } = values;
    const at = Number(values['webhook-timestamp']);
    expect(isGenuine(body, header, secret, at)).toBe(true);
    expect(values['webhook-signature']).toBe(
      webhookHeaders('Parley', {
        eventId: values['webhook-id'] ?? '',
        body,
        secrets: [secret],
        atSeconds: at,
      })['webhook-signature'],
    );
  });
});
