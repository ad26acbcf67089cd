/** The requests of the API fuzzer: each follows from the seed, its number and the resources of two workspaces. */
import { METHODS } from 'node:http';
import { apiPath } from '../../test/support/api-path.ts';
import { pickFrom, type Random } from '../random.ts';
import type { Side, World } from './api-world.ts';
import { changed, hostileString, makeValue, type ValueSource } from './json-values.ts';
import { caseRandom } from './message-cases.ts';
import { type Parameter, type Route, routes } from './openapi-schemas.ts';

export interface ApiCase {
  readonly number: number;
  readonly kind: 'valid' | 'nearly valid' | 'wild';
  /** Index of the workspace whose key it has. */
  readonly caller: 0 | 1;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

type Request = Pick<ApiCase, 'method' | 'path' | 'headers' | 'body'>;

export function apiCase(seed: number, number: number, world: World): ApiCase {
  const random = caseRandom(seed, number);
  const caller = random.pick<0 | 1>([0, 1]);
  const [own, foreign] = caller === 0 ? world : [world[1], world[0]];
  const kind = random.pick<ApiCase['kind']>(['valid', 'nearly valid', 'nearly valid', 'wild']);
  const route = pickFrom(random, routes);
  const valid = validRequest(random, route, own, sourceOf(random, own, route));
  const request =
    kind === 'valid'
      ? valid.request
      : kind === 'wild'
        ? wildRequest(random, valid.request, sourceOf(random, foreign, route))
        : nearlyValid(random, valid, [own, foreign]);
  return { number, kind, caller, ...request };
}

/** Values that name resources of a workspace, or ids that do not exist. */
function sourceOf(random: Random, side: Side, { schemas }: Route): ValueSource {
  const hints: Readonly<Record<string, () => unknown>> = {
    from: () => side.address,
    to: () => ['anna@example.test'],
    url: () => 'https://hooks.example/',
    name: () => `${random.token(8)}.fuzz.example`,
    subscriptions: () => ['email.sent'],
    addresses: () => [`${random.token(6)}@example.test`],
    scheduled_at: () => new Date(Date.now() + (1 + random.below(28)) * 86_400_000).toISOString(),
  };
  return {
    random,
    schemas,
    id: (prefix) => {
      const known = side.ids.get(prefix);
      return known && random.below(4) > 0
        ? pickFrom(random, known)
        : `${prefix}_${Array.from({ length: 32 }, () => random.below(16).toString(16)).join('')}`;
    },
    hint: (property) => hints[property]?.(),
  };
}

interface Valid {
  readonly route: Route;
  readonly request: Request;
  /** Undefined: the operation takes none. */
  readonly body: unknown;
}

function validRequest(random: Random, route: Route, side: Side, source: ValueSource): Valid {
  const call = side.calls.get(route.id);
  const useFixture = random.below(3) > 0;
  const path = useFixture && call ? apiPath(call.path) : pathOf(route, source);
  const body = (route.body && (useFixture ? call?.body : makeValue(route.body, source))) ?? undefined;
  const query = route.parameters
    .filter((one) => one.in === 'query' && random.below(3) === 0)
    .map((one) => queryOf(one, source, side));
  return {
    route,
    body,
    request: {
      method: route.method,
      path: query.length > 0 ? `${path}?${query.join('&')}` : path,
      headers: {
        authorization: `Bearer ${side.tenant.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(random.below(5) === 0 && { 'idempotency-key': random.token(8) }),
        ...(random.below(20) === 0 && { prefer: 'wait=1' }),
      },
      ...(body !== undefined && { body: encoded(body) }),
    },
  };
}

function pathOf({ path, parameters }: Route, source: ValueSource): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.name === name);
    return String(makeValue(parameter?.schema ?? {}, source));
  });
}

function queryOf({ name, schema }: Parameter, source: ValueSource, { cursors }: Side): string {
  const value =
    name === 'cursor' && cursors.length > 0 ? pickFrom(source.random, cursors) : makeValue(schema, source);
  return `${name}=${percentEncoded(String(value))}`;
}

/** The request with one thing changed. */
function nearlyValid(
  random: Random,
  { route, request, body }: Valid,
  [own, foreign]: readonly [Side, Side],
): Request {
  const foreignSource = sourceOf(random, foreign, route);
  const separator = request.path.includes('?') ? '&' : '?';
  const changes: readonly (() => Request)[] = [
    () => ({ ...request, path: pathOf(route, foreignSource) }),
    () => ({ ...request, path: anotherId(random, request.path, own) }),
    () => ({ ...request, path: `${request.path}${separator}${queryPart(random, own, foreign)}` }),
    () => ({ ...request, headers: { ...request.headers, ...wildHeader(random) } }),
    () => ({ ...request, method: pickFrom(random, methods) }),
    () => withoutHeader(request, pickFrom(random, Object.keys(request.headers))),
    () => ({ ...request, body: cut(request.body, random) }),
  ];
  const inBody = () => ({ ...request, body: encoded(changed(body, foreignSource)) });
  return body !== undefined && random.below(2) === 0 ? inBody() : pickFrom(random, changes)();
}

/** An id of another type in place of one in the path. */
function anotherId(random: Random, path: string, { ids }: Side): string {
  const id = pickFrom(random, pickFrom(random, [...ids.values()]));
  return path.replace(
    /[a-z]{3}_[0-9a-f]{32}/,
    random.pick([
      id,
      id.toUpperCase(),
      `${id}0`,
      id.slice(0, -1),
      'none',
      percentEncoded(hostileString(random).slice(0, 50) || ' '),
    ]),
  );
}

function queryPart(random: Random, own: Side, foreign: Side): string {
  const cursor = pickFrom(random, [...own.cursors, ...foreign.cursors, 'e30', '']);
  const parts = [
    `cursor=${percentEncoded(cursor)}`,
    `cursor=${percentEncoded(cursor.slice(random.below(5), -1 - random.below(5)))}`,
    `cursor=${percentEncoded(hostileString(random).slice(0, 1_000))}`,
    `limit=${random.pick(['0', '-1', '101', '1e1', '1.0', '', ' 5', 'NaN', '5&limit=6'])}`,
    `space=${pickFrom(random, [...(foreign.ids.get('spc') ?? []), 'none', '', 'spc_'])}`,
    `thread_id=${pickFrom(random, [...(foreign.ids.get('thr') ?? []), ...(own.ids.get('eml') ?? [])])}`,
    `message_cursor=${pickFrom(random, [...(foreign.ids.get('eml') ?? []), 'eml_'])}`,
    `query=${percentEncoded(hostileString(random).slice(0, 1_000))}`,
    `${percentEncoded(hostileString(random).slice(0, 20))}=1`,
    '%',
    '%00=%ff',
    '&&==',
    'include=attachment_content',
    'status[]=sent',
  ];
  return pickFrom(random, parts);
}

const mediaTypes = [
  'application/json; charset=utf-16',
  'application/json;',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/problem+json',
  'application/json, text/plain',
  '/',
] as const;

function wildHeader(random: Random): Record<string, string> {
  const value = headerText(hostileString(random));
  return pickFrom(random, [
    { 'content-type': random.pick(mediaTypes) },
    { authorization: value },
    { authorization: `Bearer ${value}` },
    { 'x-request-id': value },
    { 'x-request-id': random.token(1 + random.below(140)) },
    { 'idempotency-key': value },
    { prefer: random.pick(['wait=0', 'wait=21', 'wait=1, wait=2', 'wait', 'return=minimal', value]) },
    { accept: random.pick(['text/html', 'application/xml;q=0', value]) },
    { 'accept-encoding': 'br, gzip' },
    { 'content-encoding': 'gzip' },
    { host: random.pick(['evil.example', 'localhost:1', '[::1]']) },
    { 'x-forwarded-for': value },
    { cookie: value },
    { range: 'bytes=0-0' },
    { 'if-none-match': '*' },
    { 'x-http-method-override': 'DELETE' },
  ]);
}

/** CONNECT asks for a tunnel, and Node's server answers an upgrade by closing the connection. */
const methods = METHODS.filter((method) => method !== 'CONNECT');

const segments = [
  'api',
  'v2',
  'v1',
  'emails',
  'threads',
  'domains',
  'spaces',
  'attachments',
  'api-keys',
  'content',
  'reply',
  'health',
  'u',
  't',
  'o',
  'c',
  'openapi.json',
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%00',
  '%',
  '*',
  '~',
  ';a=b',
] as const;

function wildRequest(random: Random, request: Request, source: ValueSource): Request {
  const headers = Object.assign(
    {},
    random.below(4) > 0 ? request.headers : {},
    ...Array.from({ length: random.below(4) }, () => wildHeader(random)),
  );
  const path =
    random.below(2) === 0
      ? request.path
      : `/${random.pick(['api/v2/', 'api/v2/', 'api/v1/', '', ''])}${Array.from({ length: random.below(6) }, () => random.pick([...segments, source.id('eml'), source.id('thr')] as [string, ...string[]])).join('/')}`;
  const body =
    random.below(2) === 0
      ? encoded(changed(changed(changed({}, source), source), source))
      : Buffer.from(hostileString(random), random.pick(['utf8', 'latin1', 'utf16le']));
  return {
    method: random.below(2) === 0 ? request.method : pickFrom(random, methods),
    path,
    headers,
    ...(random.below(3) > 0 && { body }),
  };
}

function withoutHeader({ headers, ...request }: Request, dropped: string): Request {
  return {
    ...request,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== dropped)),
  };
}

function cut(body: Buffer | undefined, random: Random): Buffer {
  const text = body ?? Buffer.from('{}');
  return random.pick([
    text.subarray(0, random.below(text.length + 1)),
    Buffer.concat([text, text]),
    Buffer.from(`\ufeff${text}`),
    Buffer.from('{"a":1,"a":2,"__proto__":{"b":1}}'),
    Buffer.from('null'),
    Buffer.from('[]'),
    Buffer.from('"text"'),
    Buffer.from('1e999'),
    Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
    Buffer.from('['.repeat(50_000)),
    Buffer.alloc(0),
  ]);
}

function encoded(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? 'null');
}

/** Percent-encoded, unpaired surrogates replaced. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** As a client can write it into a header: no control characters, not beyond the limit of API Gateway. */
function headerText(text: string): string {
  return [...text]
    .filter((char) => char >= ' ' && char <= '~')
    .join('')
    .slice(0, 2_000);
}
