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
  problems: [],
});
const route = { method: 'POST', path: '/api/v2/things', functionArn: 'arn:things', credentialsArn: null };

function checked(statusCode: number, body: unknown, headers: Record<string, string> = { location: '/1' }) {
  const text = body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const given: HttpResponse = { statusCode, headers, cookies: [], body: Buffer.from(text) };
  const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
  const answer = responseCheck([contract])(route, given);
  silent.mockRestore();
  return answer === given ? 'passed' : { status: answer.statusCode, ...JSON.parse(answer.body.toString()) };
}

describe('responseCheck', () => {
  it('returns described successes and all failures unchanged', () => {
    expect(checked(201, { id: 'a', parts: [{ n: 1 }] })).toBe('passed');
    expect(checked(204, null)).toBe('passed');
    expect(checked(422, { anything: true })).toBe('passed');
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
