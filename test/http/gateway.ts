/** What the gateway hands to a function, for the tests of the HTTP layer. */
import type { Context } from 'aws-lambda';
import type { Caller } from '../../lib/core/access/api-key.ts';
import { parseId } from '../../lib/core/ids.ts';
import {
  createRequestContext,
  type GatewayEvent,
  type RequestContext,
} from '../../lib/http/request-context.ts';
import type { Dependencies } from '../../lib/http/serve.ts';

export interface EventInput {
  readonly method?: string;
  readonly path?: string;
  readonly params?: Record<string, string>;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** An event of payload version 2.0 as API Gateway writes it. */
export function gatewayEvent(input: EventInput = {}): GatewayEvent {
  const { method = 'GET', path = '/api/v2/things', params, query = '', headers = {}, body } = input;
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers: { host: 'api.example.com', 'x-forwarded-proto': 'https', ...headers },
    requestContext: {
      accountId: '111111111111',
      apiId: 'api',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '01/Jan/2026:00:00:00 +0000',
      timeEpoch: 1767225600000,
    },
    ...(params && { pathParameters: params }),
    ...(body !== undefined && { body }),
    isBase64Encoded: input.isBase64Encoded ?? false,
  };
}

export const context: Context = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:111111111111:function:test',
  memoryLimitInMB: '128',
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  logGroupName: 'test',
  logStreamName: 'test',
  getRemainingTimeInMillis: () => 30_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};

export const urls = () => ({ apiBaseUrl: '', docsUrl: '' });

function known<T>(value: T | null): T {
  if (value === null) throw new Error('a fixture is malformed');
  return value;
}

export const caller: Caller = {
  workspaceId: known(parseId('wks', `wks_${'1'.repeat(32)}`)),
  actor: known(parseId('key', `key_${'2'.repeat(32)}`)),
  scope: 'full',
  role: null,
  cursorSecret: 'a secret of the workspace',
};

/** Knows the tokens `full`, `sending` and `read`, each a key of that scope. */
export const dependencies: Dependencies = {
  urls,
  findCaller: async (token) => {
    if (token !== 'full' && token !== 'sending' && token !== 'read') return null;
    return { caller: { ...caller, scope: token }, recordUse: null };
  },
  findSession: async () => null,
  recallCaller: () => null,
  openSecret: async (_workspaceId, _purpose, stored) => `opened ${stored}`,
  refuseSpent: () => {},
  admit: async () => ({ figures: { limit: 500, remaining: 499, resetSeconds: 1 }, release: async () => {} }),
};

export function exchangeOf(input: EventInput = {}): RequestContext {
  return createRequestContext(gatewayEvent(input), urls());
}

/** What a layer gets from middy. */
export function layerRequest(exchange: RequestContext) {
  return { event: exchange, context, response: undefined, error: undefined, internal: {} };
}

/** What `work` throws, or undefined. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}
