/** Invocations through the Lambda API of the local cloud. */
import { describe, expect, it } from 'vitest';
import { createLambdaApi } from '../../../lib/local/aws/lambda-api.ts';
import type { AwsCall } from '../../../lib/local/aws/service.ts';
import { type FunctionSpec, InvocationFailed } from '../../../lib/local/function-thread.ts';
import type { Functions } from '../../../lib/local/functions.ts';

const send: FunctionSpec = {
  name: 'send',
  arn: 'arn:aws:lambda:us-east-1:111111111111:function:send',
  codeFolder: '',
  handler: 'send.handler',
  timeoutSeconds: 10,
  memoryMb: 128,
  environment: {},
};

const apiWith = (invoke: Functions['invoke']) =>
  createLambdaApi({
    concurrentExecutions: 10,
    functionOf: (name) => (name === send.name ? send : null),
    invoke,
  });

const callOf = (name: string, headers: Record<string, string> = {}): AwsCall => {
  const path = `/2015-03-31/functions/${name}/invocations`;
  return {
    principal: 'mcp~1',
    service: 'lambda',
    region: 'us-east-1',
    method: 'POST',
    path,
    rawPath: path,
    query: new URLSearchParams(),
    headers,
    body: Buffer.from('{"a":1}'),
  };
};

const failing = (type: string) =>
  apiWith(async () => {
    throw new InvocationFailed(type, 'It failed.');
  });

describe('Invoke', () => {
  it('answers what the function does, in the chain of requests of the caller', async () => {
    const calls: unknown[] = [];
    const api = apiWith(async (...call) => {
      calls.push(call);
      return { statusCode: 200 };
    });
    const { status, body } = await api.handle(
      callOf('send', { 'x-amzn-trace-id': 'Root=1;Lineage=00000000:0' }),
    );
    expect([status, JSON.parse(String(body))]).toEqual([200, { statusCode: 200 }]);
    expect(calls).toEqual([['send', { a: 1 }, { isNested: true, traces: ['Root=1;Lineage=00000000:0'] }]]);
  });

  it('needs the permission for this function', () => {
    expect(apiWith(async () => null).permissions(callOf('send'))).toEqual([
      { action: 'lambda:InvokeFunction', resource: send.arn },
    ]);
  });

  it.each([
    ['TooManyRequestsException', 429],
    ['RecursiveInvocationException', 400],
    ['RequestEntityTooLargeException', 413],
  ])('refuses with %s', async (code, status) => {
    await expect(failing(code).handle(callOf('send'))).rejects.toMatchObject({ code, status });
  });

  it('tells of a failed function in a header, with status 200', async () => {
    const { status, headers, body } = await failing('Sandbox.Timedout').handle(callOf('send'));
    expect([status, headers?.['x-amz-function-error']]).toEqual([200, 'Unhandled']);
    expect(JSON.parse(String(body))).toEqual({ errorType: 'Sandbox.Timedout', errorMessage: 'It failed.' });
  });

  it('knows no other function, and no asynchronous invocation', async () => {
    const api = apiWith(async () => null);
    await expect(api.handle(callOf('other'))).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
    const asynchronous = callOf('send', { 'x-amz-invocation-type': 'Event' });
    await expect(api.handle(asynchronous)).rejects.toThrow(/asynchronous/);
  });
});
