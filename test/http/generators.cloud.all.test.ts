/** A generated client calls the API at the base URL and the paths of the document. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApiVersion } from '../../lib/http/versions.ts';
import { cloud } from '../support/cloud.ts';
import { generateClient } from '../support/generators.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

interface Result {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string };
  readonly response: Response;
}
type Operation = (options?: object) => Promise<Result>;

/** The operations of a generated client, by name, with the key of a workspace. */
async function clientOf(version: ApiVersion, { key }: TestWorkspace): Promise<Record<string, Operation>> {
  const { folder } = await generateClient('@hey-api/openapi-ts', version);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'client.mjs');
  const contents = `export * from './api'; export { client } from './api/client.gen';`;
  await build({ stdin: { contents, resolveDir: folder }, bundle: true, format: 'esm', outfile });
  const { client, ...operations } = await import(pathToFileURL(outfile).href);
  const { pathname } = new URL(client.getConfig().baseUrl);
  client.setConfig({ baseUrl: `${new URL(cloud().baseUrl).origin}${pathname}`, auth: key });
  return operations;
}

/** The operation of that name. @throws Error where there is none */
function named(operations: Record<string, Operation>, name: string): Operation {
  const operation = operations[name];
  if (!operation) throw new Error(`the client has no operation ${name}`);
  return operation;
}

describe('a client of @hey-api/openapi-ts', () => {
  it('sends, replies, lists and reads an error in version 2', async () => {
    const own = await workspace();
    const client = await clientOf(2, own);
    const call = (name: string, options?: object) => named(client, name)(options);
    const from = `support@${own.providedDomain}`;
    const sent = await call('sendEmail', {
      body: { from, to: 'anna@example.test', subject: 'Hello', text: 'Hello' },
    });
    expect(sent.response.status).toBe(201);
    await cloud().waitForQuiescence();
    const path = { thread_id: sent.data?.thread_id };
    const reply = await call('replyToThread', { path, body: { to: 'anna@example.test', text: 'Thanks' } });
    expect(reply.data).toMatchObject(path);
    const endpoint = await call('createWebhookEndpoint', {
      body: { url: 'https://hooks.example/', subscriptions: ['email.sent'] },
    });
    expect(endpoint.data).toMatchObject({ enabled: true, routing: [] });
    const { data } = await call('listEmails', { query: { limit: 10 } });
    expect(data?.data).toHaveLength(2);
    const refused = await call('sendEmail', {
      body: { from: 'a@unknown.test', to: 'anna@example.test', subject: '', text: 'Hello' },
    });
    expect(refused.error?.code).toBe('sender_unknown');
  });

  it('sends and searches in version 1', async () => {
    const own = await workspace();
    const client = await clientOf(1, own);
    const from = `support@${own.providedDomain}`;
    const body = { from, to: 'anna@example.test', subject: 'Hello', html: '<p>Hello</p>' };
    const sent = await named(client, 'sendEmail')({ body });
    expect(sent.response.status).toBe(200);
    await cloud().waitForQuiescence();
    const { data } = await named(client, 'searchThreads')({ body: {} });
    expect(data?.pagination).toMatchObject({ total: 1 });
  });
});
