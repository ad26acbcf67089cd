/**
 * What all operations have in common. One call of each goes through the local cloud; the others go to the handlers in this
 * thread, which answer all of this (docs/architecture.md).
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { type Scope, scopeAllows, scopes } from '../../lib/core/access/access.ts';
import type { Contract } from '../../lib/http/contract.ts';
import { sealCursor } from '../../lib/http/cursors.ts';
import { needsBody } from '../../lib/http/input.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { authenticate } from '../../lib/services/api-keys/authenticate.ts';
import { openSigningSecret } from '../../lib/services/workspaces/signing-secrets.ts';
import { expectProblem, type Sending, send, sendInProcess } from '../support/contract-requests.ts';
import { captureLog } from '../support/log-lines.ts';
import { bodyOf, idPrefixOf, paramNames } from '../support/operation-fixtures.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

const named = operations.map((contract) => ({ name: `${contract.method} ${contract.path}`, contract }));
const taking = (test: (contract: Contract) => boolean) => named.filter(({ contract }) => test(contract));
const hasBody = ({ body }: Contract) => body !== null;
const isList = ({ query }: Contract) => 'cursor' in query.shape;

let ours: TestWorkspace;
let theirs: TestWorkspace;
let keys: Record<Scope, string>;
/** A key that was used and then deleted. */
let deletedKey: string;

beforeAll(async () => {
  [ours, theirs] = await Promise.all([workspace(), workspace()]);
  const [sending, draft, read, doomed] = await Promise.all([
    ours.keyOf('sending'),
    ours.keyOf('draft'),
    ours.keyOf('read'),
    createKey(ours.id, { name: 'doomed', scope: 'full' }),
  ]);
  keys = { full: ours.key, sending, draft, read };
  deletedKey = doomed.token;
  const path = `/api/v2/api-keys/${doomed.key.id}`;
  expect((await send('GET', '/api/v2/spaces', { key: deletedKey })).status).toBe(200);
  expect((await send('DELETE', path, { key: keys.full })).status).toBe(204);
});

beforeEach(() => void captureLog());

/** Calls an operation in this thread, by default with well-formed ids that do not exist. */
function call(
  contract: Contract,
  sending: Sending = {},
  params: Record<string, string> = {},
  through = sendInProcess,
) {
  return through(contract.method, pathOf(contract, params), { key: keys.full, ...sending });
}

/** Calls an operation through the local cloud. */
function callDeployed(contract: Contract, sending: Sending = {}, params: Record<string, string> = {}) {
  return call(contract, sending, params, send);
}

function pathOf(contract: Contract, params: Record<string, string> = {}): string {
  return contract.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? unknownId(contract, name));
}

const unknownId = (contract: Contract, param: string): string => newId(idPrefixOf(contract, param));

/** A valid body of the operation. */
const validBody = (contract: Contract) => bodyOf(contract, workspaceContext(ours));

describe('every operation', () => {
  it.each(named)(
    '$name answers 401 when the key is missing, malformed, unknown or deleted',
    async ({ contract }) => {
      const attempts: Sending[] = [
        { key: null },
        { headers: { authorization: '' } },
        { headers: { authorization: keys.full } },
        { headers: { authorization: `Basic ${keys.full}` } },
        { headers: { authorization: `Bearer ${keys.full}x` } },
        { headers: { authorization: `Bearer ${deletedKey}` } },
      ];
      for (const attempt of attempts) {
        const response = await call(contract, attempt);
        expectProblem(response, 'unauthorized', contract);
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
      }
    },
  );

  it.each(taking(({ scope }) => scope !== 'read'))(
    '$name answers 403 when the scope of the key is too narrow',
    async ({ contract }) => {
      for (const scope of scopes.filter((held) => !scopeAllows(held, contract.scope))) {
        expectProblem(
          await call(contract, { key: keys[scope], ...(contract.body && { body: 'not JSON' }) }),
          'forbidden',
          contract,
        );
      }
    },
  );

  it.each(named)(
    '$name echoes X-Request-ID when it is valid and replaces it when it is not',
    async ({ contract }) => {
      const valid = `Ab.1_2:3-${'x'.repeat(119)}`;
      const echoed = await callDeployed(contract, { headers: { 'x-request-id': valid }, key: null });
      expect(echoed.headers.get('x-request-id')).toBe(valid);
      for (const invalid of ['a b', `${valid}x`]) {
        const replaced = await call(contract, { headers: { 'x-request-id': invalid }, key: null });
        expect(replaced.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._:-]{16,128}$/);
      }
    },
  );

  it.each(named)('$name names the query parameter in an issue when it is unknown', async ({ contract }) => {
    const body = contract.body ? {} : undefined;
    const response = await call(contract, { query: { zzz: '1' }, body });
    const issues = expectProblem(response, 'invalid_query', contract);
    if (contract.method !== 'HEAD') expect(issues.map(({ path }) => path)).toEqual(['zzz']);
  });
});

const asPattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

describe('every path', () => {
  const paths = [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, [contract]]) =>
    contract ? [{ path, contract }] : [],
  );

  it.each(paths)('$path answers 405 with Allow when it lacks the method', async ({ path, contract }) => {
    const allowed = operations.filter((one) => one.path === path).map(({ method }) => String(method));
    const concrete = pathOf(contract);
    // `spread` is also an id to the gateway, where its own path lacks the method.
    const isRouted = (method: string) =>
      operations.some((one) => one.method === method && asPattern(one.path).test(path));
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method) || isRouted(method)) continue;
      const response = await sendInProcess(method, concrete);
      expectProblem(response, 'method_not_allowed', { method, path });
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(allowed.sort());
    }
  });

  it.each(paths)('$path answers 404 when segments are added', async ({ contract }) => {
    expectProblem(await sendInProcess('GET', `${pathOf(contract)}/no/such/path`), 'not_found', contract);
  });
});

describe('every id in a path', () => {
  const idParams = named.flatMap(({ name, contract }) =>
    paramNames(contract).map((param) => ({ name: `{${param}} of ${name}`, contract, param })),
  );

  it.each(idParams)(
    '$name answers 404 or invalid_thread_id when the id is malformed or of another type',
    async ({ contract, param }) => {
      // In version 1, a malformed id is an unknown one.
      const code = param === 'thread_id' ? 'invalid_thread_id' : 'not_found';
      const body = await validBody(contract);
      const right = unknownId(contract, param);
      const wrongType = newId(param === 'space_id' ? 'dom' : 'spc');
      for (const id of ['x', wrongType, right.toUpperCase(), `${right}0`, `${right}%0A`]) {
        expectProblem(await call(contract, { body }, { [param]: id }), code, contract);
      }
    },
  );

  it.each(idParams)('$name answers 404 when the resource does not exist', async ({ contract, param }) => {
    const code = param === 'thread_id' ? 'thread_not_found' : 'not_found';
    const body = await validBody(contract);
    expectProblem(await callDeployed(contract, { body }), code, contract);
  });
});

describe('every operation with a body', () => {
  it.each(taking(hasBody))(
    '$name answers 415 when the body is not application/json',
    async ({ contract }) => {
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        const response = await call(contract, { headers: { 'content-type': type }, body: '{}' });
        expectProblem(response, 'unsupported_media_type', contract);
      }
    },
  );

  it.each(taking(needsBody))('$name answers no_body when the body is missing', async ({ contract }) => {
    expectProblem(
      await call(contract, { headers: { 'content-type': 'application/json' } }),
      'no_body',
      contract,
    );
    expectProblem(await call(contract), 'no_body', contract);
  });

  it.each(taking(hasBody))('$name answers invalid_json when the body is not JSON', async ({ contract }) => {
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{', '{"a":1,}', 'undefined', "{'a':1}"]) {
      expectProblem(await call(contract, { headers, body }), 'invalid_json', contract);
    }
  });

  it.each(taking(hasBody))(
    '$name answers invalid_request when the body is not an object or has an unknown field',
    async ({ contract }) => {
      for (const body of [[], 1, null])
        expectProblem(await call(contract, { body }), 'invalid_request', contract);
      const issues = expectProblem(await call(contract, { body: { zzz: 1 } }), 'invalid_request', contract);
      expect(issues.map(({ path }) => path)).toContain('zzz');
    },
  );

  it.each(taking(hasBody))('$name has an example that its schema accepts', ({ contract }) => {
    const examples = contract.body?.meta()?.examples;
    const [example] = Array.isArray(examples) ? examples : [];
    expect(contract.body?.safeParse(example).error).toBeUndefined();
  });

  it.each(taking(({ method }) => method === 'PATCH'))(
    '$name answers invalid_request when the body has no field',
    async ({ contract }) => {
      expectProblem(await call(contract, { body: {} }), 'invalid_request', contract);
    },
  );
});

describe('every list', () => {
  it.each(taking(isList))('$name answers invalid_query when limit is not 1 to 100', async ({ contract }) => {
    for (const limit of ['0', '101', '-1', '1.5', 'ten', '']) {
      const issues = expectProblem(await call(contract, { query: { limit } }), 'invalid_query', contract);
      expect(issues.map(({ path }) => path)).toEqual(['limit']);
    }
  });

  it.each(taking(isList))(
    '$name answers invalid_cursor when the cursor is malformed, altered or foreign',
    async ({ contract }) => {
      const params = Object.fromEntries(
        paramNames(contract).map((name) => [name, unknownId(contract, name)]),
      );
      const cursor = async (token: string, operation: string, filters = {}) => {
        const caller = (await authenticate(token, '192.0.2.1'))?.caller;
        const secret = caller
          ? await openSigningSecret(caller.workspaceId, 'cursor-secret', caller.cursorSecret)
          : '';
        return sealCursor({ secret, operation, filters: { ...params, ...filters } }, 'position');
      };
      const own = await cursor(keys.full, contract.id);
      const foreign = {
        malformed: 'not a cursor',
        empty: '',
        altered: `${own.slice(0, 10)}${own[10] === 'A' ? 'B' : 'A'}${own.slice(11)}`,
        'of another list': await cursor(keys.full, 'another.list'),
        'of another filter': await cursor(keys.full, contract.id, { zzz: 1 }),
        'of another workspace': await cursor(theirs.key, contract.id),
      };
      for (const [kind, forged] of Object.entries(foreign)) {
        const response = await call(contract, { query: { cursor: forged } }, params);
        expect(response.status, kind).toBe(400);
        expectProblem(response, 'invalid_cursor', contract);
      }
    },
  );

  it.each(taking(({ query }) => 'space' in query.shape))(
    '$name answers 404 when the space does not exist',
    async ({ contract }) => {
      const foreign = await send('POST', '/api/v2/spaces', { key: theirs.key, body: { name: 'Theirs' } });
      const theirSpace = JSON.parse(foreign.text).id;
      for (const space of ['x', newId('dom'), newId('spc'), theirSpace]) {
        expectProblem(await call(contract, { query: { space } }), 'not_found', contract);
      }
    },
  );
});
