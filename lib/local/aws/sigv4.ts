/** AWS Signature Version 4: reads credentials, verifies signed requests and presigned URLs. */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
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
  if (!hasValidPresignature(call)) {
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

/**
 * Verifies the signature in the Authorization header. Its time is not checked: the local clock moves, that of the callers' SDK does not.
 *
 * @throws AwsError `SignatureDoesNotMatch` or `InvalidSignatureException`, 403
 */
export function verifySigned(call: AwsCall): void {
  const [, scope = '', signedHeaders = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]+)$/.exec(
      call.headers.authorization ?? '',
    ) ?? [];
  const isS3 = call.service === 's3';
  const payloadHash = isS3 ? (call.headers['x-amz-content-sha256'] ?? '') : hash('sha256', call.body);
  const isValid = matches(signature, {
    call,
    scope: scope.split('/').slice(1),
    date: call.headers['x-amz-date'] ?? '',
    // S3 signs the path as sent; the other services encode it once more.
    path: isS3 ? call.rawPath : escapeUri(call.rawPath).replaceAll('%2F', '/'),
    signedHeaders,
    payloadHash,
  });
  if (isValid) return;
  throw new AwsError(
    isS3 ? 'SignatureDoesNotMatch' : 'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided.',
    403,
  );
}

function hasValidPresignature(call: AwsCall): boolean {
  const { query } = call;
  return matches(query.get('X-Amz-Signature') ?? '', {
    call,
    scope: (query.get('X-Amz-Credential') ?? '').split('/').slice(1),
    date: query.get('X-Amz-Date') ?? '',
    path: call.rawPath,
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    // The payload is not known at signing, unless the URL carries its hash.
    payloadHash: query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  });
}

/** Compares a signature with the one of the canonical request (IAM user guide, "Create a signed AWS API request"). */
function matches(
  signature: string,
  signed: {
    readonly call: AwsCall;
    /** Date, region, service, `aws4_request`. */
    readonly scope: readonly string[];
    readonly date: string;
    readonly path: string;
    readonly signedHeaders: string;
    readonly payloadHash: string;
  },
): boolean {
  const { call, scope, signedHeaders } = signed;
  const canonicalRequest = [
    call.method,
    signed.path,
    canonicalQuery(call.query),
    ...signedHeaders
      .split(';')
      .map((name) => `${name}:${(call.headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    signedHeaders,
    signed.payloadHash,
  ].join('\n');
  const requestHash = hash('sha256', canonicalRequest);
  const stringToSign = ['AWS4-HMAC-SHA256', signed.date, scope.join('/'), requestHash].join('\n');
  const expected = hmac(signingKey(call.principal, scope), stringToSign);
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Signing keys by principal and scope; they change once a day. */
const signingKeys = new Map<string, KeyObject>();
const signingKeysMax = 1_000;

function signingKey(principal: string, scope: readonly string[]): KeyObject {
  const name = `${principal} ${scope.join('/')}`;
  const known = signingKeys.get(name);
  if (known) return known;
  if (signingKeys.size >= signingKeysMax) signingKeys.clear();
  const bytes = scope.reduce<string | Buffer>(hmac, `AWS4${localSecret(principal)}`);
  // From bytes, each signature would make a key of its own, at five times the time (measured).
  const key = createSecretKey(Buffer.from(bytes));
  signingKeys.set(name, key);
  return key;
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

function hmac(key: string | Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** `20261121T083000Z` as Unix milliseconds; NaN for anything else. */
function parseAmzDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
