/** Calls of the operations for the benchmark; what a call acts on is created before it is measured. */
import { operations } from '../../functions/operations.ts';
import type { Contract } from '../../lib/http/contract.ts';
import { type Call, callOf, type FixtureContext, fixtureOf } from '../../test/support/operation-fixtures.ts';
import { type Scene, succeeded, type Tenant } from './stage.ts';

/** @throws Error for an operation without a fixture */
export async function prepareCases(
  stage: Scene,
): Promise<{ tenant: Tenant; prepare: (contract: Contract) => Promise<Call> }> {
  for (const contract of operations) await fixtureOf(contract);
  const tenant = await stage.workspace();
  const context = await contextOf(stage, tenant);
  return { tenant, prepare: (contract) => callOf(contract, context) };
}

async function contextOf(stage: Scene, tenant: Tenant): Promise<FixtureContext> {
  let counted = 0;
  return {
    address: tenant.address,
    slug: tenant.slug,
    webhookUrl: await stage.receiver(),
    create: async (path, body) => succeeded(await tenant.call('POST', path, body)),
    get: async (path) => succeeded(await tenant.call('GET', path)),
    receive: (mail) => stage.mailIn(mail),
    idle: () => stage.rest(),
    inSeconds: (seconds) => new Date(stage.cloud.clock.now() + seconds * 1000).toISOString(),
    count: () => ++counted,
  };
}
