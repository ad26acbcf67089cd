import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { functionName } from '../../lib/http/contract.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { errorAt } from '../support/errors.ts';
import { callOf, type FixtureContext, targetOf } from '../support/operation-fixtures.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';
import { clearFaults, inject } from './kit.ts';

const named = operations.map((contract) => ({ name: `${contract.method} ${contract.path}`, contract }));

let own: TestWorkspace;
let context: FixtureContext;

beforeAll(async () => {
  own = await workspace();
  context = workspaceContext(own);
});

/** The call that authenticates. */
const authentication = 1;

describe('every operation', () => {
  it.each(named)(
    '$name answers internal_error when its first AWS call fails, and succeeds when it is retried',
    async ({ contract }) => {
      const call = await callOf(contract, context);
      await cloud().waitForQuiescence();
      const request = () =>
        api(own).request(contract.method, targetOf(contract, call), {
          ...(call.body !== undefined && { body: call.body }),
        });
      onTestFinished(clearFaults);
      // The first use of a key in a while updates `last_used_at`, which would be the call that fails.
      await api(own).get('/spaces');
      await inject({
        kind: 'error',
        principal: `parley-api-${functionName(contract.id)}`,
        code: 'ValidationException',
        skip: authentication,
      });
      const failed = await request();
      await clearFaults();
      const { status, code } = errorAt(contract.path, 'internal_error');
      expect(failed.status).toBe(status);
      if (contract.method !== 'HEAD') expect(failed.body.code).toBe(code);
      const retried = await request();
      expect(Object.keys(contract.responses)).toContain(String(retried.status));
    },
  );
});
