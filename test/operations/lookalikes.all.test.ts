/** Values of another type than that of their field, in every field and query parameter of every operation, of both versions. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { operations } from '../../functions/operations.ts';
import { Problem } from '../../lib/core/problems.ts';
import type { Contract } from '../../lib/http/contract.ts';
import { readInput } from '../../lib/http/input.ts';
import { exchangeOf, thrownBy } from '../http/gateway.ts';
import { apiInProcess } from '../support/api.ts';
import { fieldPaths, withField } from '../support/body-fields.ts';
import { captureLog, type LogLine } from '../support/log-lines.ts';
import { lookalikes } from '../support/lookalikes.ts';
import { type Call, callOf, type FixtureContext, targetOf } from '../support/operation-fixtures.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

let own: TestWorkspace;
let context: FixtureContext;
let log: readonly LogLine[];

beforeAll(async () => {
  own = await workspace();
  context = workspaceContext(own);
});
beforeEach(() => {
  log = captureLog();
});

const named = operations.map((contract) => ({ id: contract.id, contract }));
const withBody = named.flatMap(({ id, contract }) => {
  const { body } = contract;
  return body ? [{ id, contract, paths: fieldPaths(body) }] : [];
});

/** Calls the handler and expects a refusal of the input. */
async function expectRefusal(contract: Contract, call: Call): Promise<void> {
  const request = call.body === undefined ? {} : { body: call.body };
  const { status, body } = await apiInProcess(own).request(
    contract.method,
    targetOf(contract, call),
    request,
  );
  expect([400, 404, 422], `${JSON.stringify(call)} ${JSON.stringify(body)} ${JSON.stringify(log)}`).toContain(
    status,
  );
}

describe('every operation with a body', () => {
  it.each(withBody)(
    '$id refuses a body by a Problem, or takes it, when a field looks like another type',
    async ({ contract, paths }) => {
      const { body } = await callOf(contract, context);
      for (const path of paths) {
        for (const value of lookalikes) {
          const exchange = exchangeOf({
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(withField(body, path, value)),
          });
          const thrown = await thrownBy(() => readInput({ ...contract, params: z.object({}) }, exchange));
          const isExpected = thrown === undefined || thrown instanceof Problem;
          expect(isExpected, `${path.join('.')} ${JSON.stringify(value)}: ${thrown}`).toBe(true);
        }
      }
    },
  );

  it.each(withBody)(
    '$id answers 400, 404 or 422 when all fields look like another type',
    async ({ contract, paths }) => {
      const call = await callOf(contract, context);
      for (const value of lookalikes) {
        const names = paths.filter(({ length }) => length === 1);
        const everywhere = names.reduce((body, path) => withField(body, path, value), call.body);
        await expectRefusal(contract, { ...call, body: everywhere });
        await expectRefusal(contract, { ...call, body: value });
      }
    },
  );
});

describe('every operation with query parameters', () => {
  const withQuery = named.filter(({ contract }) => Object.keys(contract.query.shape).length > 0);

  it.each(withQuery)('$id answers 400 or 404 when a parameter looks like an object', async ({ contract }) => {
    const call = await callOf(contract, context);
    const names = Object.keys(contract.query.shape);
    const queries = names.flatMap((name) => [`${name}[length]=1`, `${name}[]=1`, `${name}.length=1`]);
    const others = ['__proto__=1', '__proto__[length]=1', 'constructor=1', 'toString=1', 'length=1'];
    for (const query of [...queries, ...others]) {
      await expectRefusal(contract, { ...call, query });
    }
  });
});
