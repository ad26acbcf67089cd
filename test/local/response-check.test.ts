import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import type { HttpResponse } from '../../lib/local/http-server.ts';
import { responseCheck } from '../../lib/local/response-check.ts';

const contract = operation({
  id: 'things.create',
  method: 'POST',
  path: '/api/v2/things',
  summary: 'Make a thing',
  scope: 'full',
  budget: 'send',
  access: [],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: null,
  responses: {
    201: {
      description: 'The thing.',
      body: z.object({ id: z.string(), parts: z.array(z.object({ n: z.int() })) }),
      headers: { Location: 'Where it is.' },
    },
    204: { description: 'Nothing to say.', body: null },
  },
  problems: ['limit_reached'],
});
const route = { method: 'POST', path: '/api/v2/things', functionArn: 'arn:things', credentialsArn: null };

function checked(statusCode: number, body: unknown, headers: Record<string, string> = { location: '/1' }) {
  const text = body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const present = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const given: HttpResponse = { statusCode, headers: present, cookies: [], body: Buffer.from(text) };
  const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
  const answer = responseCheck([contract])(route, given);
  silent.mockRestore();
  return answer === given ? 'passed' : { status: answer.statusCode, ...JSON.parse(answer.body.toString()) };
}

const errorHeaders = {
  'content-type': 'application/problem+json',
  ...Object.fromEntries(
    ['x-request-id', 'cache-control', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map(
      (name) => [name, '1'],
    ),
  ),
};
const noBudget = { 'ratelimit-limit': undefined } as unknown as Record<string, string>;

const problem = (code: string, status: number) => ({
  type: `https://docs.example/problems/${code}`,
  title: 'Error',
  status,
  detail: 'Refused.',
  code,
  request_id: 'r1',
});

describe('responseCheck', () => {
  it('returns described responses unchanged', () => {
    expect(checked(201, { id: 'a', parts: [{ n: 1 }] })).toBe('passed');
    expect(checked(204, null)).toBe('passed');
    expect(checked(409, problem('limit_reached', 409), errorHeaders)).toBe('passed');
    expect(checked(500, problem('internal_error', 500), { ...errorHeaders, ...noBudget })).toBe('passed');
  });

  it.each([
    ['a code that its contract does not list', problem('slug_taken', 409), errorHeaders, 'no slug_taken'],
    ['a code of another status', problem('too_many_requests', 409), errorHeaders, 'no too_many_requests'],
    ['an unknown code', problem('nothing', 409), errorHeaders, 'code'],
    ['no problem body', { message: 'x' }, errorHeaders, 'invalid_type'],
    [
      'another media type',
      problem('limit_reached', 409),
      { ...errorHeaders, 'content-type': 'a/b' },
      'media type',
    ],
    [
      'no budget',
      problem('limit_reached', 409),
      { ...errorHeaders, ...noBudget },
      'RateLimit-Limit is missing',
    ],
  ])('returns 500 when an error has %s', (_, body, headers, detail) => {
    expect(checked(409, body, headers as Record<string, string>)).toMatchObject({
      status: 500,
      detail: expect.stringContaining(detail),
    });
  });

  it.each([
    ['a field of another type', 201, { id: 'a', parts: [{ n: 'x' }] }, 'parts.0.n: '],
    ['a field that is missing', 201, { parts: [] }, 'id: '],
    [
      'a field that the schema does not name',
      201,
      { id: 'a', parts: [{ n: 1, m: 2 }] },
      'fields that its schema',
    ],
    ['a status that it does not have', 200, { id: 'a', parts: [] }, 'no such status'],
    ['a body where there is none', 204, { id: 'a' }, 'no body here'],
    ['what is not JSON', 201, 'hello', 'not JSON'],
  ])('returns 500 when the response has %s', (_, status, body, detail) => {
    expect(checked(status, body)).toMatchObject({
      status: 500,
      detail: expect.stringContaining(`things.create returned ${status}: `),
    });
    expect(checked(status, body)).toMatchObject({ detail: expect.stringContaining(detail) });
  });

  it('rejects a response without a header of its contract', () => {
    expect(checked(201, { id: 'a', parts: [] }, {})).toMatchObject({
      status: 500,
      detail: 'things.create returned 201: the header Location is missing',
    });
  });
});
