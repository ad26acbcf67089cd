/** Two workspaces with one resource of each kind, whose ids requests name. */
import { createTransport } from 'nodemailer';
import { operations } from '../../functions/operations.ts';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import type { Contract } from '../../lib/http/contract.ts';
import {
  type FixtureContext,
  bodyOf as fixtureBody,
  paramsOf,
  targetOf,
} from '../../test/support/operation-fixtures.ts';
import { bodyOf, type FuzzCloud, type FuzzTenant, newFuzzTenant } from './tenant.ts';

export interface Side {
  readonly tenant: FuzzTenant;
  /** Valid calls by operation. */
  readonly calls: ReadonlyMap<string, { readonly path: string; readonly body: unknown }>;
  /** Ids by prefix. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly cursors: readonly string[];
  /** An address that may send. */
  readonly address: string;
}

export type World = readonly [Side, Side];

export async function createWorld(cloud: FuzzCloud): Promise<World> {
  // One after the other: each waits until the whole cloud rests.
  return [await createSide(cloud), await createSide(cloud)];
}

async function createSide(cloud: FuzzCloud): Promise<Side> {
  const tenant = await newFuzzTenant(cloud);
  const context = contextOf(cloud, tenant);
  const calls = new Map<string, { path: string; body: unknown }>();
  const texts: string[] = [];
  for (const contract of operations) {
    const params = await paramsOf(contract, context);
    const path = targetOf(contract, { params });
    calls.set(contract.id, { path, body: await fixtureBody(contract, context) });
    texts.push(path);
  }
  const cursors: string[] = [];
  for (const contract of operations.filter(isList)) {
    const { path = '' } = calls.get(contract.id) ?? {};
    const page = bodyOf<{ next_cursor: string | null }>(await tenant.call('GET', `${path}?limit=1`));
    if (page.next_cursor) cursors.push(page.next_cursor);
    texts.push(JSON.stringify(page));
  }
  const found = new Set(texts.join(' ').match(idPattern) ?? []);
  found.delete(tenant.keyId);
  const ids = Map.groupBy(found, (id) => id.slice(0, 3));
  return { tenant, calls, ids, cursors, address: context.address };
}

/** Ids of any type. */
export const idPattern = /\b[a-z]{3}_[0-9a-f]{32}\b/g;

const isList = ({ query }: Contract) => 'cursor' in query.shape;

function contextOf(cloud: FuzzCloud, tenant: FuzzTenant): FixtureContext {
  let counted = 0;
  return {
    address: `support@${tenant.providedDomain}`,
    slug: tenant.providedDomain.split('.')[0] ?? '',
    webhookUrl: 'https://hooks.example/',
    create: async (path, body) => bodyOf(await tenant.call('POST', path, body)),
    get: async (path) => bodyOf(await tenant.call('GET', path)),
    receive: async ({ from, to, ...parts }) => {
      const smtp = createTransport({ host: '127.0.0.1', port: cloud.smtpPort, ignoreTLS: true });
      await smtp.sendMail({ envelope: { from, to }, from, to, ...parts });
      smtp.close();
    },
    idle: cloud.settle,
    inSeconds: (seconds) => timestamp(now() + seconds * 1000),
    count: () => ++counted,
  };
}
