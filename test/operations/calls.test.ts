/** Each operation answers a valid call through the local cloud: its route, bundle, role and response. */
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { callOf, type FixtureContext, targetOf } from '../support/operation-fixtures.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

let own: TestWorkspace;
let context: FixtureContext;

beforeAll(async () => {
  own = await workspace();
  context = workspaceContext(own);
});

const named = operations.map((contract) => ({ name: `${contract.method} ${contract.path}`, contract }));

describe('every operation', () => {
  it.each(named)('$name answers a valid call with a response of its contract', async ({ contract }) => {
    const call = await callOf(contract, context);
    const request = call.body === undefined ? {} : { body: call.body };
    const { status, body } = await api(own).request(contract.method, targetOf(contract, call), request);
    expect(Object.keys(contract.responses), JSON.stringify(body)).toContain(String(status));
    await cloud().waitForQuiescence();
  });
});
