import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { type Scope, scopeAllows, scopes } from '../../lib/core/access.ts';
import type { IdPrefix } from '../../lib/core/ids.ts';
import type { ProblemCode } from '../../lib/core/problems.ts';
import { problemStatus } from '../../lib/core/problems.ts';
import type { Contract } from '../../lib/http/contract.ts';
import { sealCursor } from '../../lib/http/cursors.ts';
import { needsBody } from '../../lib/http/input.ts';
import { problemMediaType, problemSchema } from '../../lib/http/problem-body.ts';
import { authenticate, createKey } from '../../lib/storage/api-keys.ts';
import { cloud } from '../support/cloud.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { exampleBodies } from './examples.ts';

/** The type of id that each path parameter takes; null: it is none. */
const idPrefixOf: Readonly<Record<string, IdPrefix>> = {
  space_id: 'spc',
  key_id: 'key',
  email_id: 'eml',
  thread_id: 'thr',
  attachment_id: 'att',
  domain_id: 'dom',
  mailbox_id: 'mbx',
  app_id: 'app',
  endpoint_id: 'whk',
  suppression_id: 'sup',
  rule_id: 'pace',
};

const named = operations.map((contract) => ({ name: `${contract.method} ${contract.path}`, contract }));
const taking = (test: (contract: Contract) => boolean) => named.filter(({ contract }) => test(contract));
const paramNames = ({ path }: Contract): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const hasBody = ({ body }: Contract) => body !== null;
const isList = ({ query }: Contract) => 'cursor' in query.shape;

let ours: TestWorkspace;
let theirs: TestWorkspace;
let keys: Record<Scope, string>;
/** A key that was deleted, after it had worked. */
let deletedKey: string;

beforeAll(async () => {
  [ours, theirs] = await Promise.all([workspace(), workspace()]);
  const [sending, read, doomed] = await Promise.all([
    ours.keyOf('sending'),
    ours.keyOf('read'),
    createKey(ours.id, { name: 'doomed', scope: 'full' }),
  ]);
  keys = { full: ours.key, sending, read };
  deletedKey = doomed.token;
  const path = `/api/v2/api-keys/${doomed.key.id}`;
  expect((await send('GET', '/api/v2/spaces', { key: deletedKey })).status).toBe(200);
  expect((await send('DELETE', path, { key: keys.full })).status).toBe(204);
});

interface Sending {
  /** null: no Authorization header. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string>;
  /** Sent as it is when it is text, else as JSON. */
  readonly body?: unknown;
}

async function send(method: string, path: string, { key = null, headers, query, body }: Sending = {}) {
  const url = new URL(path, cloud().baseUrl);
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
    // Bytes, since fetch would name a media type for a text.
    ...(body !== undefined && { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Calls an operation with ids that are well-formed and unknown, unless `params` says otherwise. */
function call(contract: Contract, sending: Sending = {}, params: Record<string, string> = {}) {
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? unknownId(name));
  return send(contract.method, path, { key: keys.full, ...sending });
}

function unknownId(name: string): string {
  const prefix = idPrefixOf[name];
  if (!prefix) throw new Error(`say in idPrefixOf what {${name}} is an id of`);
  return newId(prefix);
}

type Response = Awaited<ReturnType<typeof send>>;

/** The answer is this problem, complete; its issues. HEAD answers have no body to look at. */
function expectProblem(response: Response, code: ProblemCode, method = 'GET') {
  expect(response.status).toBe(problemStatus[code]);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.headers.get('content-type')).toBe(problemMediaType);
  if (method === 'HEAD') return [];
  const problem = problemSchema.parse(JSON.parse(response.text));
  expect(problem).toMatchObject({
    code,
    status: response.status,
    type: expect.stringMatching(new RegExp(`^https?://.+/problems/${code}$`)),
    request_id: response.headers.get('x-request-id'),
  });
  expect(problem.detail).not.toBe('');
  return problem.issues ?? [];
}

describe('every operation', () => {
  it.each(named)(
    '$name refuses requests without a valid key, and deleted keys at once',
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
        expectProblem(response, 'unauthorized', contract.method);
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
      }
    },
  );

  it.each(taking(({ scope }) => scope !== 'read'))(
    '$name refuses every narrower scope',
    async ({ contract }) => {
      for (const scope of scopes.filter((held) => !scopeAllows(held, contract.scope))) {
        expectProblem(
          await call(contract, { key: keys[scope], ...(contract.body && { body: 'not JSON' }) }),
          'forbidden',
          contract.method,
        );
      }
    },
  );

  it.each(named)('$name echoes a valid X-Request-ID and replaces an invalid one', async ({ contract }) => {
    const valid = `Ab.1_2:3-${'x'.repeat(119)}`;
    const echoed = await call(contract, { headers: { 'x-request-id': valid }, key: null });
    expect(echoed.headers.get('x-request-id')).toBe(valid);
    for (const invalid of ['a b', `${valid}x`]) {
      const replaced = await call(contract, { headers: { 'x-request-id': invalid }, key: null });
      expect(replaced.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._:-]{16,128}$/);
    }
  });

  it.each(named)('$name refuses an unknown query parameter by name', async ({ contract }) => {
    const body = contract.body ? {} : undefined;
    const response = await call(contract, { query: { zzz: '1' }, body });
    const issues = expectProblem(response, 'invalid_query', contract.method);
    if (contract.method !== 'HEAD') expect(issues.map(({ path }) => path)).toEqual(['zzz']);
  });
});

describe('every path', () => {
  const paths = [...new Set(operations.map(({ path }) => path))];

  it.each(paths)('%s answers 405 with Allow to the methods it does not have', async (path) => {
    const allowed = operations
      .filter((contract) => contract.path === path)
      .map(({ method }) => String(method));
    const concrete = path.replaceAll(/\{(\w+)\}/g, (_, name) => unknownId(name));
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue;
      const response = await send(method, concrete);
      expectProblem(response, 'method_not_allowed', method);
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(allowed.sort());
    }
  });

  it.each(paths)('%s answers 404 one segment further', async (path) => {
    const concrete = path.replaceAll(/\{(\w+)\}/g, (_, name) => unknownId(name));
    expectProblem(await send('GET', `${concrete}/no/such/path`), 'not_found');
  });
});

describe('every id in a path', () => {
  const places = named.flatMap(({ name, contract }) =>
    paramNames(contract).map((param) => ({ name: `{${param}} of ${name}`, contract, param })),
  );

  it.each(places)(
    '$name answers a malformed or wrong-type id as what cannot exist',
    async ({ contract, param }) => {
      const code = param === 'thread_id' ? 'invalid_thread_id' : 'not_found';
      const body = contract.body ? (exampleBodies[contract.id] ?? {}) : undefined;
      const right = unknownId(param);
      const wrongType = newId(param === 'space_id' ? 'dom' : 'spc');
      for (const id of ['x', wrongType, right.toUpperCase(), `${right}0`, `${right}%0A`]) {
        expectProblem(await call(contract, { body }, { [param]: id }), code, contract.method);
      }
    },
  );

  it.each(places)('$name answers an id that is not there', async ({ contract, param }) => {
    const code = param === 'thread_id' ? 'thread_not_found' : 'not_found';
    const body = exampleBodies[contract.id];
    if (needsBody(contract) && body === undefined) throw new Error(`give ${contract.id} an example body`);
    expectProblem(await call(contract, { body }), code, contract.method);
  });
});

describe('every operation with a body', () => {
  it.each(taking(hasBody))('$name refuses other media types', async ({ contract }) => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
      const response = await call(contract, { headers: { 'content-type': type }, body: '{}' });
      expectProblem(response, 'unsupported_media_type');
    }
  });

  it.each(taking(needsBody))('$name tells a missing body', async ({ contract }) => {
    expectProblem(await call(contract, { headers: { 'content-type': 'application/json' } }), 'no_body');
    expectProblem(await call(contract), 'no_body');
  });

  it.each(taking(hasBody))('$name refuses what is no JSON', async ({ contract }) => {
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{', '{"a":1,}', 'undefined', "{'a':1}"]) {
      expectProblem(await call(contract, { headers, body }), 'invalid_json');
    }
  });

  it.each(taking(hasBody))(
    '$name refuses a body that is no object, and names unknown fields',
    async ({ contract }) => {
      for (const body of [[], 1, null]) expectProblem(await call(contract, { body }), 'invalid_request');
      const issues = expectProblem(await call(contract, { body: { zzz: 1 } }), 'invalid_request');
      expect(issues.map(({ path }) => path)).toContain('zzz');
    },
  );

  it.each(taking(({ method }) => method === 'PATCH'))(
    '$name refuses to change nothing',
    async ({ contract }) => {
      expectProblem(await call(contract, { body: {} }), 'invalid_request');
    },
  );
});

describe('every list', () => {
  it.each(taking(isList))('$name refuses a limit that is not 1 to 100', async ({ contract }) => {
    for (const limit of ['0', '101', '-1', '1.5', 'ten', '']) {
      const issues = expectProblem(await call(contract, { query: { limit } }), 'invalid_query');
      expect(issues.map(({ path }) => path)).toEqual(['limit']);
    }
  });

  it.each(taking(isList))(
    '$name refuses a cursor that is malformed, altered or foreign',
    async ({ contract }) => {
      const params = Object.fromEntries(paramNames(contract).map((name) => [name, unknownId(name)]));
      const cursor = async (token: string, operation: string, filters = {}) => {
        const secret = (await authenticate(token))?.caller.cursorSecret ?? '';
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
        expectProblem(response, 'invalid_cursor');
      }
    },
  );

  it.each(taking(({ query }) => 'space' in query.shape))(
    '$name answers 404 to a space that is not there',
    async ({ contract }) => {
      const foreign = await send('POST', '/api/v2/spaces', { key: theirs.key, body: { name: 'Theirs' } });
      const theirSpace = JSON.parse(foreign.text).id;
      for (const space of ['x', newId('dom'), newId('spc'), theirSpace]) {
        expectProblem(await call(contract, { query: { space } }), 'not_found');
      }
    },
  );
});

describe('the public routes', () => {
  it('serve an OpenAPI document that has every operation', async () => {
    const { status, text } = await send('GET', '/api/v2/openapi.json');
    expect(status).toBe(200);
    const { paths } = JSON.parse(text);
    const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(named.map(({ name }) => name).sort());
  });

  it('say that the API is up', async () => {
    const { status, headers, text } = await send('GET', '/health');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(JSON.parse(text)).toEqual({ status: 'ok' });
  });

  it('answer 404 where there is nothing', async () => {
    for (const path of [
      '/',
      '/api',
      '/api/v2',
      '/api/v2/',
      '/api/v2/nothing',
      '/api/v3/spaces',
      '/health/',
    ]) {
      expectProblem(await send('GET', path), 'not_found');
    }
  });
});
