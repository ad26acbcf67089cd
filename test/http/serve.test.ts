import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema, pageOf, pageQuery, spaceQuery } from '../../lib/http/schemas.ts';
import { type ApiResponse, type Dependencies, serve } from '../../lib/http/serve.ts';
import { captureLog } from '../support/log-lines.ts';
import { caller, context, dependencies, type EventInput, gatewayEvent } from './gateway.ts';

const id = `dom_${'a'.repeat(32)}`;
const authorization = 'Bearer full';
const jsonHeaders = { authorization, 'content-type': 'application/json' };

const base = {
  path: '/api/v2/domains/{domain_id}',
  summary: 'For the tests',
  budget: 'read',
  access: [],
  problems: [],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
} as const;

const update = operation({
  ...base,
  id: 'domains.update',
  method: 'PATCH',
  scope: 'full',
  body: z.strictObject({ name: z.string(), thread_id: idSchema('thr') }).partial(),
  responses: {
    200: { description: 'Changed.', body: z.strictObject({ name: z.string() }) },
    204: { description: 'Nothing to say.', body: null },
  },
});

const list = operation({
  ...base,
  id: 'domains.list',
  method: 'GET',
  scope: 'read',
  query: z.strictObject({ ...pageQuery, ...spaceQuery }),
  body: null,
  responses: {
    200: { description: 'A page.', body: pageOf(z.strictObject({ after: z.string().nullable() })) },
  },
});

const rotate = operation({
  ...base,
  id: 'domains.rotate',
  method: 'POST',
  scope: 'full',
  body: z.strictObject({ grace_seconds: z.int().default(60) }).prefault({}),
  responses: { 200: { description: 'Rotated.', body: z.strictObject({ grace: z.int() }) } },
});

const updating = serve(
  update,
  async ({ body }) => ({ status: 200, body: { name: body.name ?? '' } }),
  dependencies,
);

/** Each page has one item, which tells where the page began. */
const listing = (of: typeof list = list, on: Dependencies = dependencies) =>
  serve(
    of,
    async ({ page, nextCursor }) => {
      const { limit, after } = page();
      const next = after === null ? `after ${limit}` : null;
      return { status: 200, body: { data: [{ after }], next_cursor: await nextCursor(next) } };
    },
    on,
  );

async function call(handler: ReturnType<typeof serve>, input: EventInput) {
  const { statusCode, headers, body } = await handler(
    gatewayEvent({ params: { domain_id: id }, ...input }),
    context,
  );
  return { status: statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
}

/** As `admit` of the fixture answers. */
const budgetHeaders = {
  'ratelimit-limit': '500',
  'ratelimit-remaining': '499',
  'ratelimit-reset': '1',
};

describe('serve', () => {
  it('answers what the handler responses, with the headers of every response', async () => {
    const answer = await call(updating, {
      headers: { ...jsonHeaders, 'x-request-id': 'mine' },
      body: '{"name":"a"}',
    });
    expect(answer).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'private, no-store',
        'x-request-id': 'mine',
        ...budgetHeaders,
      },
      body: { name: 'a' },
    });
  });

  it('answers a 204 without body and without media type', async () => {
    const handler = serve(update, async () => ({ status: 204, body: null }), dependencies);
    const answer = await call(handler, {
      headers: { ...jsonHeaders, 'x-request-id': 'r' },
      body: '{"name":"a"}',
    });
    expect(answer).toEqual({
      status: 204,
      headers: { 'cache-control': 'private, no-store', 'x-request-id': 'r', ...budgetHeaders },
      body: undefined,
    });
  });

  it('tells the handler who calls and where, but not the secret of the cursors', async () => {
    let seen: unknown;
    const handler = serve(
      update,
      async ({
        caller: who,
        baseUrl,
        requestId,
        headers,
        params,
      }): Promise<ApiResponse<typeof update.responses>> => {
        seen = { who, baseUrl, requestId, tag: headers['x-tag'], params };
        return { status: 204, body: null };
      },
      dependencies,
    );
    await call(handler, {
      headers: { ...jsonHeaders, 'X-Tag': 't', 'x-request-id': 'r' },
      body: '{"name":"a"}',
    });
    const { cursorSecret, ...who } = caller;
    expect(seen).toEqual({
      who,
      baseUrl: 'https://api.example.com',
      requestId: 'r',
      tag: 't',
      params: { domain_id: id },
    });
  });

  it('checks key, scope, media type, body, path, query and fields, in this order', async () => {
    const input = { params: { domain_id: 'x' }, query: 'a=1', headers: {}, body: '{' };
    const wrongField = { ...input, headers: jsonHeaders, body: '{"z":1}' };
    const codes = [];
    for (const attempt of [
      input,
      { ...input, headers: { authorization: 'Bearer read' } },
      { ...input, headers: { authorization } },
      { ...input, headers: jsonHeaders },
      wrongField,
      { ...wrongField, params: { domain_id: id } },
      { ...wrongField, params: { domain_id: id }, query: '' },
    ]) {
      const { status, body } = await call(updating, attempt);
      codes.push([status, body.code]);
    }
    expect(codes).toEqual([
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [415, 'unsupported_media_type'],
      [400, 'invalid_json'],
      [404, 'not_found'],
      [400, 'invalid_query'],
      [422, 'invalid_request'],
    ]);
  });

  it('says with 401 how to authenticate', async () => {
    const { headers } = await call(updating, { headers: { 'x-request-id': 'r' } });
    expect(headers).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'private, no-store',
      'x-request-id': 'r',
      'www-authenticate': 'Bearer',
    });
  });

  it('refuses a PATCH that changes nothing', async () => {
    const { status, body } = await call(updating, { headers: jsonHeaders, body: '{}' });
    expect(status).toBe(422);
    expect(body.issues).toEqual([{ path: '', message: 'at least one field is required' }]);
  });

  it('answers the code that an id in the body names', async () => {
    const { status, body } = await call(updating, { headers: jsonHeaders, body: '{"thread_id":"thr_1"}' });
    expect([status, body.code]).toEqual([400, 'invalid_thread_id']);
  });

  it('takes a missing body where the schema has a value for it', async () => {
    const handler = serve(
      rotate,
      async ({ body }) => ({ status: 200, body: { grace: body.grace_seconds } }),
      dependencies,
    );
    expect((await call(handler, { headers: { authorization } })).body).toEqual({ grace: 60 });
    expect((await call(handler, { headers: jsonHeaders, body: '{"grace_seconds":0}' })).body).toEqual({
      grace: 0,
    });
  });

  it.each([undefined, ''])('answers no_body when the body is %j and the schema needs one', async (body) => {
    const answer = await call(updating, { headers: jsonHeaders, ...(body !== undefined && { body }) });
    expect([answer.status, answer.body.code]).toEqual([400, 'no_body']);
  });

  it('ignores the body of an operation that takes none', async () => {
    const { status } = await call(listing(), { headers: { authorization }, body: 'not JSON' });
    expect(status).toBe(200);
  });

  it('shows nothing of an unexpected failure', async () => {
    const lines = captureLog();
    const handler = serve(update, () => Promise.reject(new Error('secret')), dependencies);
    const { status, body } = await call(handler, { headers: jsonHeaders, body: '{"name":"a"}' });
    expect(lines.map(({ event }) => event)).toEqual(['api.internal_error']);
    expect([status, body.code]).toEqual([500, 'internal_error']);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('answers a problem body when the look-up of the key fails', async () => {
    const lines = captureLog();
    const broken: Dependencies = { ...dependencies, findCaller: () => Promise.reject(new Error('no table')) };
    const { status, body, headers } = await call(listing(list, broken), { headers: { authorization } });
    expect(lines.map(({ event }) => event)).toEqual(['api.internal_error']);
    expect([status, body.code]).toEqual([500, 'internal_error']);
    expect(headers?.['cache-control']).toBe('private, no-store');
  });
});

describe('a query', () => {
  const issuesOf = async (query: string) => {
    const { status, body } = await call(listing(), { headers: { authorization }, query });
    return status === 200
      ? []
      : [body.code, ...(body.issues ?? []).map((issue: { path: string }) => issue.path)];
  };

  it.each([
    ['', []],
    ['limit=5&space=none', []],
    ['l%69mit=5', []],
    ['limt=5', ['invalid_query', 'limt']],
    ['limit=5&limit=5', ['invalid_query', 'limit']],
    ['limit=0', ['invalid_query', 'limit']],
    ['x=1&limit=5&y=2&y=3', ['invalid_query', 'x', 'y']],
    ['__proto__=1', ['invalid_query', '__proto__']],
    ['constructor=1', ['invalid_query', 'constructor']],
    ['=1', ['invalid_query', '']],
    [`space=${id}`, ['not_found', 'space']],
    ['cursor=', ['invalid_cursor']],
    ['cursor=abc', ['invalid_cursor']],
  ])('%j answers %j', async (query, issues) => {
    expect(await issuesOf(query)).toEqual(issues);
  });
});

describe('pages', () => {
  const firstCursor = async (query = '') =>
    (await call(listing(), { headers: { authorization }, query })).body.next_cursor as string;
  const codeFor = async (handler: ReturnType<typeof serve>, input: EventInput) =>
    (await call(handler, { headers: { authorization }, ...input })).body.code;

  it('go on where the page before ended, also with another limit', async () => {
    const cursor = await firstCursor('limit=7&space=none');
    const { body } = await call(listing(), {
      headers: { authorization },
      query: `space=none&limit=3&cursor=${cursor}`,
    });
    expect(body).toEqual({ data: [{ after: 'after 7' }], next_cursor: null });
  });

  it('refuse the cursor of other filters, another path, another list or another workspace', async () => {
    const cursor = await firstCursor();
    const query = `cursor=${cursor}`;
    const otherList = { ...list, id: 'emails.list' };
    const otherWorkspace: Dependencies = {
      ...dependencies,
      findCaller: async () => ({ caller: { ...caller, cursorSecret: 'another' }, recordUse: null }),
    };
    const otherDomain = { domain_id: `dom_${'b'.repeat(32)}` };
    expect(await codeFor(listing(), { query })).toBeUndefined();
    expect(await codeFor(listing(), { query: `${query}&space=none` })).toBe('invalid_cursor');
    expect(await codeFor(listing(), { query, params: otherDomain })).toBe('invalid_cursor');
    expect(await codeFor(listing(otherList), { query })).toBe('invalid_cursor');
    expect(await codeFor(listing(list, otherWorkspace), { query })).toBe('invalid_cursor');
  });
});
