import { describe, expect, it } from 'vitest';
import { Problem } from '../../lib/core/problems.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { context, gatewayEvent, urls } from './gateway.ts';

const handler = servePublic(
  'test',
  ({ method, path, baseUrl }) => {
    if (method !== 'GET') throw new Problem('method_not_allowed', 'No.', { headers: { allow: 'GET' } });
    return JSON.stringify({ path, baseUrl });
  },
  urls,
);
const headers = { 'x-request-id': 'r' };

describe('servePublic', () => {
  it('answers without a key, with the headers of every response', async () => {
    expect(await handler(gatewayEvent({ path: '/health', headers }), context)).toEqual({
      statusCode: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'private, no-store',
        'x-request-id': 'r',
      },
      body: '{"path":"/health","baseUrl":"https://api.example.com"}',
    });
  });

  it('answers a problem body with its headers where the handler throws a Problem', async () => {
    const { statusCode, headers: answered } = await handler(
      gatewayEvent({ method: 'POST', headers }),
      context,
    );
    expect(statusCode).toBe(405);
    expect(answered).toEqual({
      allow: 'GET',
      'content-type': 'application/problem+json',
      'cache-control': 'private, no-store',
      'x-request-id': 'r',
    });
  });
});
