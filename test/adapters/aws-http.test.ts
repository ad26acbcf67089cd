import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../lib/adapters/aws-http.ts';
import { jsonCaller } from '../../lib/adapters/aws-json.ts';
import { hangingServer } from './hanging-server.ts';

/** Short, so that the test need not wait for the deployed one. */
const requestMs = 40;

/** A service that answers as told, and a caller of it. */
async function service(
  answer: (count: number, response: ServerResponse) => void,
  options: { readonly maxAttempts?: number } = {},
) {
  const server = await hangingServer(answer);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', server.url);
  const call = jsonCaller({
    name: 'dynamodb',
    prefix: 'Prefix_1',
    version: '1.0',
    options: { requestMs, ...options },
    retryDelayMs: 1,
  });
  return { server, call };
}

const refused = (response: ServerResponse, status: number, body: string) => {
  response.writeHead(status);
  response.end(body);
};

describe('jsonCaller', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
  });
  afterEach(() => void vi.unstubAllEnvs());

  it('sends the action in a header, signed for service and region', async () => {
    const headers: NodeJS.Dict<string | string[]>[] = [];
    const server = await hangingServer((_, response, request) => {
      headers.push(request.headers);
      response.end('{"a":1}');
    });
    vi.stubEnv('AWS_ENDPOINT_URL', server.url);
    const call = jsonCaller({ name: 'kms', prefix: 'TrentService', version: '1.1' });
    expect(await call('Decrypt', { b: 'ü' })).toEqual({ a: 1 });
    expect(server.requests).toEqual(['POST /']);
    expect(headers[0]).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'content-length': '10',
      'x-amz-target': 'TrentService.Decrypt',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-central-1\/kms\/aws4_request, SignedHeaders=content-length;content-type;host;/,
      ),
    });
  });

  it('retries a request whose response does not come, and succeeds with the next one', async () => {
    const { server, call } = await service((count, response) => {
      if (count > 1) response.end('{}');
    });
    expect(await call('GetItem', {})).toEqual({});
    expect(server.requests).toHaveLength(2);
  });

  it('retries a response whose body stops', async () => {
    const { call } = await service((count, response) => {
      if (count > 1) return response.end('{"a":1}');
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"a"');
    });
    expect(await call('GetItem', {})).toEqual({ a: 1 });
  });

  it.each([
    ['a server error', 500, '{"__type":"InternalServerError"}'],
    ['a gateway that answers no JSON', 503, '<html>'],
  ])('retries %s', async (_, status, body) => {
    const { server, call } = await service((count, response) =>
      count > 1 ? response.end('{}') : refused(response, status, body),
    );
    expect(await call('GetItem', {})).toEqual({});
    expect(server.requests).toHaveLength(2);
  });

  it('rejects with TimeoutError when no attempt is answered', async () => {
    const { server, call } = await service(() => {}, { maxAttempts: 2 });
    await expect(call('GetItem', {})).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.requests).toHaveLength(2);
  });

  it('rejects with code, message and body of a refusal, without a retry', async () => {
    const body = '{"__type":"com.amazonaws.dynamodb.v20120810#NoSuchThing","message":"none","Item":{}}';
    const { server, call } = await service((_, response) => refused(response, 400, body));
    const refusal = await call('GetItem', {}).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ServiceError);
    expect(refusal).toMatchObject({
      name: 'NoSuchThing',
      message: 'none',
      fields: { Item: {} },
      $metadata: { httpStatusCode: 400 },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('names a refusal without a code by its status', async () => {
    const { call } = await service((_, response) => refused(response, 403, ''));
    await expect(call('GetItem', {})).rejects.toMatchObject({ name: 'UnknownError', message: 'status 403' });
  });
});
