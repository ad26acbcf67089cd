/** AWS Signature Version 4: reads credentials and verifies presigned URLs. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type AwsCall, AwsError } from './service.ts';

/** The access key and credential scope of a signature. */
export interface Credential {
  readonly principal: string;
  readonly region: string;
  readonly service: string;
}

/** Longest life of a presigned URL (S3 API reference, "Authenticating Requests: Using Query Parameters"). */
const expiresSecondsMax = 604_800;

/** The secret access key of an access key id. */
export function localSecret(accessKeyId: string): string {
  return `local-secret-${accessKeyId}`;
}

export function isPresigned(query: URLSearchParams): boolean {
  return query.has('X-Amz-Signature');
}

/** The credential in the Authorization header or presigned query; null: not signed. */
export function readCredential(authorization: string | undefined, query: URLSearchParams): Credential | null {
  const scope =
    /^AWS4-HMAC-SHA256 Credential=([^,\s]+)/.exec(authorization ?? '')?.[1] ?? query.get('X-Amz-Credential');
  const [principal, , region, service, end] = scope?.split('/') ?? [];
  if (!principal || !region || !service || end !== 'aws4_request') return null;
  return { principal, region, service };
}

/**
 * Verifies signature and validity period of a presigned call.
 *
 * @param nowMs local clock
 * @throws AwsError with S3's codes
 */
export function verifyPresigned(call: AwsCall, nowMs: number): void {
  const { query } = call;
  const signedAt = parseAmzDate(query.get('X-Amz-Date') ?? '');
  const expiresSeconds = Number(query.get('X-Amz-Expires'));
  if (
    query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256' ||
    Number.isNaN(signedAt) ||
    !(expiresSeconds >= 1 && expiresSeconds <= expiresSecondsMax)
  ) {
    throw new AwsError('AuthorizationQueryParametersError', 'The presigned parameters are not valid.', 400);
  }
  if (!hasValidSignature(call)) {
    throw new AwsError(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
      403,
    );
  }
  if (nowMs > signedAt + expiresSeconds * 1000)
    throw new AwsError('AccessDenied', 'Request has expired', 403);
  if (nowMs < signedAt - 900_000) throw new AwsError('AccessDenied', 'Request is not valid yet', 403);
}

function hasValidSignature(call: AwsCall): boolean {
  const { query } = call;
  const scope = (query.get('X-Amz-Credential') ?? '').split('/').slice(1);
  const signedHeaders = query.get('X-Amz-SignedHeaders') ?? '';
  const canonicalRequest = [
    call.method,
    escapeUri(call.path).replaceAll('%2F', '/'),
    canonicalQuery(query),
    ...signedHeaders
      .split(';')
      .map((name) => `${name}:${(call.headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    signedHeaders,
    // The payload is not known at signing, unless the URL carries its hash.
    query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const stringToSign = [
    'AWS4-HMAC-SHA256',
    query.get('X-Amz-Date'),
    scope.join('/'),
    createHash('sha256').update(canonicalRequest).digest('hex'),
  ].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${localSecret(call.principal)}`);
  const expected = hmac(key, stringToSign);
  const given = Buffer.from(query.get('X-Amz-Signature') ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .sort()
    .join('&');
}

function escapeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** `20261121T083000Z` as Unix milliseconds; NaN for anything else. */
function parseAmzDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
