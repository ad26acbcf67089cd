/** The context of operation fixtures in tests: a workspace of the test's cloud. */
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { api } from './api.ts';
import { cloud } from './cloud.ts';
import type { FixtureContext, FixtureRecord } from './operation-fixtures.ts';
import type { TestWorkspace } from './workspace.ts';

export function workspaceContext(own: TestWorkspace): FixtureContext {
  const client = api(own);
  const call = async (method: string, path: string, body?: unknown): Promise<FixtureRecord> => {
    const request = body === undefined ? {} : { body };
    const response = await client.request<FixtureRecord>(method, path, request);
    if (response.status < 300) return response.body;
    throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(response.body)}`);
  };
  let counted = 0;
  return {
    address: `support@${own.providedDomain}`,
    slug: own.slug,
    webhookUrl: 'https://hooks.example/',
    create: (path, body) => call('POST', path, body),
    get: (path) => call('GET', path),
    receive: (mail) => cloud().sendMail(mail),
    idle: () => cloud().waitForQuiescence(),
    inSeconds: (seconds) => timestamp(now() + seconds * 1000),
    count: () => ++counted,
  };
}
