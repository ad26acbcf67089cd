/**
 * Objects in S3, signed by the SDK's signer and carried by fetch.
 * The SDK's S3 client would add 165 KB to every function that reads a body (measured; a read bundle is 290 KB).
 */
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { now, pause } from './clock.ts';
import { defaultProvider } from './environment-credentials.ts';
import { random } from './random.ts';

/** Where an object lies. `region` absent: the function's own. */
export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
  readonly region?: string;
}

/** S3 refused or could not be reached, after all tries. */
export class ObjectStoreError extends Error {
  readonly status: number | null;

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.name = 'ObjectStoreError';
    this.status = status;
  }
}

const triesMax = 4;
const requestTimeoutMs = 20_000;

/** Stores an object; an object that is there already is replaced. */
export async function putObject(ref: ObjectRef, body: Uint8Array, contentType: string): Promise<void> {
  await call('PUT', ref, { 'content-type': contentType }, body);
}

/**
 * The bytes of an object. Parley asks only for objects it has stored, so one that is missing is a fault; S3 answers it
 * with 403, since no role may list a bucket.
 *
 * @param bytesMax how much of its beginning is wanted; absent: all of it. The object must not be empty then
 * @throws ObjectStoreError
 */
export async function getObject(ref: ObjectRef, bytesMax?: number): Promise<Buffer> {
  const range = bytesMax === undefined ? {} : { range: `bytes=0-${bytesMax - 1}` };
  const response = await call('GET', ref, range);
  return Buffer.from(await response.arrayBuffer());
}

/** Copies an object inside S3, without its bytes passing through here. @throws ObjectStoreError where there is none */
export async function copyObject(from: ObjectRef, to: ObjectRef): Promise<void> {
  const source = `/${from.bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}`;
  await call('PUT', to, { 'x-amz-copy-source': source });
}

/**
 * Bytes of an object that others may have stored; null where there is none, which S3 does not tell from one that is
 * forbidden, since no role may list a bucket.
 *
 * @throws ObjectStoreError
 */
export async function objectSize(ref: ObjectRef): Promise<number | null> {
  try {
    const response = await call('HEAD', ref, {});
    return Number(response.headers.get('content-length'));
  } catch (error) {
    if (error instanceof ObjectStoreError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}

/**
 * A link that works without credentials until it expires.
 *
 * @param options.seconds life of the link
 * @param options.query response overrides such as `response-content-disposition`
 * @param options.headers what the request has to carry, exactly so
 */
export async function presignObject(
  method: 'GET' | 'PUT',
  ref: ObjectRef,
  options: { seconds: number; query?: Record<string, string>; headers?: Record<string, string> },
): Promise<string> {
  const target = addressOf(ref);
  const signed = await signerOf(ref).presign(
    {
      ...parts(target),
      method,
      query: options.query ?? {},
      // A link is signed before anybody knows the body.
      headers: { host: target.host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...options.headers },
    },
    { expiresIn: options.seconds, signingDate: new Date(now()) },
  );
  const url = new URL(target);
  for (const [name, value] of Object.entries(signed.query ?? {})) url.searchParams.set(name, String(value));
  // Search parameters write a space as a plus, which in a signature is a plus.
  return url.href.replaceAll('+', '%20');
}

/** One signed request, tried again on throttling, server errors and broken connections. */
async function call(
  method: 'GET' | 'HEAD' | 'PUT',
  ref: ObjectRef,
  headers: Record<string, string>,
  body?: Uint8Array,
): Promise<Response> {
  const target = addressOf(ref);
  let last: unknown;
  for (let tries = 1; tries <= triesMax; tries++) {
    if (tries > 1) await backOff(tries);
    // Signed anew each time: a signature ages.
    const signed = await signerOf(ref).sign(
      { ...parts(target), method, query: {}, headers: { host: target.host, ...headers }, body },
      { signingDate: new Date(now()) },
    );
    try {
      const response = await fetch(target, {
        method,
        headers: signed.headers,
        body: body ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : null,
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      if (response.ok) return response;
      const text = await response.text();
      last = new ObjectStoreError(`S3 answered ${response.status}: ${text.slice(0, 300)}`, response.status);
      if (response.status < 500) break;
    } catch (error) {
      last = error;
    }
  }
  if (last instanceof ObjectStoreError) throw last;
  throw new ObjectStoreError(`S3 could not be reached for ${method}`, null, last);
}

function backOff(tries: number): Promise<void> {
  return pause(random() * 50 * 2 ** tries);
}

/** Path style where an endpoint is set (the local cloud), the bucket's own host in AWS. */
function addressOf(ref: ObjectRef): URL {
  const path = ref.key.split('/').map(encodeURIComponent).join('/');
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  if (endpoint) return new URL(`/${ref.bucket}/${path}`, endpoint);
  return new URL(`https://${ref.bucket}.s3.${regionOf(ref)}.amazonaws.com/${path}`);
}

function parts(url: URL) {
  return {
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    path: url.pathname,
  };
}

function regionOf(ref: ObjectRef): string {
  return ref.region ?? process.env.AWS_REGION ?? 'us-east-1';
}

function signerOf(ref: ObjectRef): SignatureV4 {
  return new SignatureV4({
    service: 's3',
    region: regionOf(ref),
    credentials: defaultProvider(),
    sha256: Hash.bind(null, 'sha256'),
    // S3 keys are signed as they are; every other service signs a doubly escaped path.
    uriEscapePath: false,
  });
}
