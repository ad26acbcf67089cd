/** Builds the Lambda event of an HTTP API request (API Gateway, "Payload format version" 2.0). */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { localAccount } from './aws/service.ts';
import type { HttpRequest } from './http-server.ts';

/** The event of payload format 2.0. */
export function apiEvent(
  request: HttpRequest,
  match: { routeKey: string; parameters: Readonly<Record<string, string>>; nowMs: number },
): APIGatewayProxyEventV2 {
  const { routeKey, parameters, nowMs } = match;
  const [path = '', ...query] = request.target.split('?');
  const rawQueryString = query.join('?');
  const { headers, cookies } = headersOf(request.rawHeaders);
  const host = headers.host ?? 'localhost';
  const isText = isTextType(headers['content-type']);
  const queryParameters = queryOf(rawQueryString);
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers: {
      ...headers,
      'x-amzn-trace-id': `Root=1-${Math.trunc(nowMs / 1000).toString(16)}-${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      'x-forwarded-for': request.sourceIp,
      'x-forwarded-port': host.split(':')[1] ?? '80',
      'x-forwarded-proto': 'http',
    },
    ...(Object.keys(queryParameters).length > 0 && { queryStringParameters: queryParameters }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    requestContext: {
      accountId: localAccount,
      apiId: 'local',
      // The API's own name, whatever `Host` the client sends.
      domainName: '127.0.0.1',
      domainPrefix: 'local',
      http: {
        method: request.method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: commonLogTime(nowMs),
      timeEpoch: Math.trunc(nowMs),
    },
    ...(request.body.length > 0 && { body: request.body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: request.body.length > 0 && !isText,
  };
}

/** Headers with lower-case names, repeated ones joined by commas; cookies apart. */
function headersOf(raw: readonly string[]): { headers: Record<string, string>; cookies: string[] } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const value = raw[at + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/;\s*/));
    else if (name !== 'connection' && name !== 'transfer-encoding') {
      headers[name] = name in headers ? `${headers[name]},${value}` : value;
    }
  }
  return { headers, cookies };
}

function queryOf(rawQueryString: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    values[name] = name in values ? `${values[name]},${value}` : value;
  }
  return values;
}

/** Whether API Gateway passes a body of this type as text; others, and untyped ones, are base64. */
function isTextType(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return (
    type.startsWith('text/') ||
    ['application/json', 'application/xml', 'application/javascript'].includes(type) ||
    /^application\/.+\+(json|xml)$/.test(type)
  );
}

/** `21/Nov/2026:08:01:02 +0000`. */
function commonLogTime(ms: number): string {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
