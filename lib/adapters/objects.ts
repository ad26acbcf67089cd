/** Objects in S3, signed by the SDK's signer and sent with fetch; see docs/decisions/0024-s3-without-the-sdk-client.md. */
import { createHash } from 'node:crypto';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { timeouts } from './aws-clients.ts';
import { now, pause } from './clock.ts';
import { defaultProvider } from './environment-credentials.ts';
import { addressOf, type ObjectRef, regionOf } from './object-addresses.ts';
import { random } from './random.ts';

/** Letters and digits only. */
export interface ObjectTag {
  readonly key: string;
  readonly value: string;
}

/** S3 refused a request or could not be reached, after all attempts; `status` is null without a response. */
export class ObjectStoreError extends Error {
  readonly status: number | null;

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.name = 'ObjectStoreError';
    this.status = status;
  }
}

const credentials = defaultProvider();

const attemptsMax = 4;
/** Slowest transfer of a body that is waited for; S3 and Lambda in one region are many times faster. */
const bytesPerMsMin = 1000;

/** Stores an object, replacing an existing one. */
export async function putObject(ref: ObjectRef, body: Uint8Array, contentType: string): Promise<void> {
  await call('PUT', ref, { headers: { 'content-type': contentType }, body });
}

/**
 * Reads an object that Parley stored, so that a missing one is an error. S3 answers 403 for it to a role that may
 * not list the bucket ("GetObject", Amazon S3 API Reference).
 *
 * @param bytesMax number of bytes from the beginning; absent: all. The object must not be empty then
 * @throws ObjectStoreError
 */
export async function getObject(ref: ObjectRef, bytesMax?: number): Promise<Buffer> {
  const range = bytesMax === undefined ? {} : { range: `bytes=0-${bytesMax - 1}` };
  return (await call('GET', ref, { headers: range })).body;
}

/** Deletes an object; a missing one is no error ("DeleteObject", Amazon S3 API Reference). @throws ObjectStoreError */
export async function deleteObject(ref: ObjectRef): Promise<void> {
  await call('DELETE', ref);
}

/**
 * The first objects whose keys begin with that of `prefix` (`list-type=2`, "ListObjectsV2", Amazon S3 API Reference), in the
 * order of their keys.
 *
 * @param max at most 1000
 */
export async function listObjects(prefix: ObjectRef, max: number): Promise<ObjectRef[]> {
  const query = { 'list-type': '2', 'max-keys': String(max), prefix: prefix.key };
  const { body } = await call('GET', { ...prefix, key: '' }, { query });
  // Our keys have no characters that XML escapes.
  const keys = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
  return keys.map((key) => ({ ...prefix, key }));
}

/**
 * The objects that were stored at or after a time, of all whose keys begin with that of `prefix`: S3 lists by key, so that all are
 * listed, 1000 a call. For the operator.
 *
 * @param sinceMs Unix milliseconds; S3 tells whole seconds
 */
export async function* listObjectsSince(
  prefix: ObjectRef,
  sinceMs: number,
): AsyncGenerator<Required<ObjectRef>> {
  const region = regionOf(prefix);
  let token = '';
  do {
    const query = { 'list-type': '2', prefix: prefix.key, ...(token && { 'continuation-token': token }) };
    const text = (await call('GET', { ...prefix, key: '' }, { query })).body.toString();
    for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const key = elementOf(entry, 'Key');
      if (Date.parse(elementOf(entry, 'LastModified')) + 1000 > sinceMs) yield { ...prefix, key, region };
    }
    token = elementOf(text, 'NextContinuationToken');
  } while (token);
}

/** An object that was deleted from a versioned bucket, with its delete marker. */
export interface DeletedObject extends Required<ObjectRef> {
  readonly markerId: string;
}

/**
 * The objects that were deleted at or after a time and are not there since ("ListObjectVersions", Amazon S3 API Reference), of all
 * whose keys begin with that of `prefix`. For the operator.
 *
 * @param sinceMs Unix milliseconds
 */
export async function* listDeletedSince(prefix: ObjectRef, sinceMs: number): AsyncGenerator<DeletedObject> {
  const region = regionOf(prefix);
  let start: Readonly<Record<string, string>> | undefined;
  do {
    const query = { versions: '', prefix: prefix.key, ...start };
    const text = (await call('GET', { ...prefix, key: '' }, { query })).body.toString();
    for (const [, entry = ''] of text.matchAll(/<DeleteMarker>(.*?)<\/DeleteMarker>/gs)) {
      const isLatest = elementOf(entry, 'IsLatest') === 'true';
      const markerId = elementOf(entry, 'VersionId');
      if (!isLatest || Date.parse(elementOf(entry, 'LastModified')) + 1000 <= sinceMs) continue;
      yield { ...prefix, key: elementOf(entry, 'Key'), region, markerId };
    }
    const next = elementOf(text, 'NextKeyMarker');
    start = next
      ? { 'key-marker': next, 'version-id-marker': elementOf(text, 'NextVersionIdMarker') }
      : undefined;
  } while (start);
}

/** Removes the delete marker of an object, which is there again. Repeated, it changes nothing. */
export async function bringBackObject({ markerId, ...ref }: DeletedObject): Promise<void> {
  await call('DELETE', ref, { query: { versionId: markerId } });
}

/** The text of the first element of a name; empty where there is none. Our keys have no characters that XML escapes. */
const elementOf = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

/**
 * Copies an object inside S3, also from another region, without its tags: these would need permissions of their own
 * ("CopyObject", Amazon S3 API Reference).
 *
 * @throws ObjectStoreError when the source does not exist
 */
export async function copyObject(from: ObjectRef, to: ObjectRef): Promise<void> {
  const source = `/${from.bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}`;
  await call('PUT', to, {
    headers: { 'x-amz-copy-source': source, 'x-amz-tagging-directive': 'REPLACE' },
  });
}

/** Replaces the tags of an object with one ("PutObjectTagging", Amazon S3 API Reference). @throws ObjectStoreError */
export async function tagObject(ref: ObjectRef, { key, value }: ObjectTag): Promise<void> {
  const tag = `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`;
  const body = Buffer.from(`<Tagging><TagSet>${tag}</TagSet></Tagging>`);
  // Required ("Checking object integrity", Amazon S3 User Guide).
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
  await call('PUT', ref, { headers, body, query: { tagging: '' } });
}

/**
 * Size in bytes of an object that clients may have uploaded; null when there is none, which S3 does not distinguish from
 * a forbidden one where the role may not list the bucket.
 *
 * @throws ObjectStoreError
 */
export async function objectSize(ref: ObjectRef): Promise<number | null> {
  try {
    const { headers } = await call('HEAD', ref);
    return Number(headers.get('content-length'));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** As `getObject`; null where there is no such object, or none that may be read, which S3 does not distinguish. */
export async function findObject(ref: ObjectRef): Promise<Buffer | null> {
  try {
    return await getObject(ref);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ObjectStoreError && (error.status === 403 || error.status === 404);
}

/**
 * A presigned URL.
 *
 * @param options.seconds lifetime of the URL
 * @param options.query response overrides such as `response-content-disposition`
 * @param options.headers headers that the request must carry unchanged
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
      // The body is not known when the URL is signed.
      headers: { host: target.host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...options.headers },
    },
    { expiresIn: options.seconds, signingDate: new Date(now()) },
  );
  const url = new URL(target);
  for (const [name, value] of Object.entries(signed.query ?? {})) url.searchParams.set(name, String(value));
  // URLSearchParams encodes a space as a plus, which the signature takes for a plus.
  return url.href.replaceAll('+', '%20');
}

interface ObjectResponse {
  readonly headers: Headers;
  readonly body: Buffer;
}

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE';

interface ObjectRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly query?: Readonly<Record<string, string>>;
}

/** Sends a signed request; retries timeouts, throttling, server errors and broken connections. */
async function call(method: Method, ref: ObjectRef, request: ObjectRequest = {}): Promise<ObjectResponse> {
  let last: unknown;
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    if (attempt > 1) await backOff(attempt);
    try {
      return await send(method, ref, request);
    } catch (error) {
      last = error;
      if (error instanceof ObjectStoreError && error.status !== null && error.status < 500) break;
    }
  }
  if (last instanceof ObjectStoreError) throw last;
  throw new ObjectStoreError(`S3 could not be reached for ${method}`, null, last);
}

/** One attempt, signed anew, since a signature expires. Its time limit grows with the bodies sent and received. */
async function send(
  method: Method,
  ref: ObjectRef,
  { headers = {}, body, query = {} }: ObjectRequest,
): Promise<ObjectResponse> {
  const target = addressOf(ref);
  const signed = await signerOf(ref).sign(
    { ...parts(target), method, query: { ...query }, headers: { host: target.host, ...headers }, body },
    { signingDate: new Date(now()) },
  );
  const timeout = new AbortController();
  const abortAfter = (bytes: number) =>
    setTimeout(() => timeout.abort(), timeouts().requestMs + bytes / bytesPerMsMin);
  let timer = abortAfter(body?.byteLength ?? 0);
  try {
    const response = await fetch(`${target.href}${searchOf(query)}`, {
      method,
      headers: signed.headers,
      body: body ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : null,
      signal: timeout.signal,
    });
    clearTimeout(timer);
    timer = abortAfter(Number(response.headers.get('content-length') ?? 0));
    const received = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw refusal(response.status, received);
    // S3 may report a failed copy with status 200 ("CopyObject", Amazon S3 API Reference).
    if ('x-amz-copy-source' in headers && received.includes('<Error>')) throw refusal(500, received);
    return { headers: response.headers, body: received };
  } finally {
    clearTimeout(timer);
  }
}

/** As it is signed: with percent-encoding ("Create a signed AWS API request", IAM User Guide). */
function searchOf(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function refusal(status: number, body: Buffer): ObjectStoreError {
  return new ObjectStoreError(`S3 answered ${status}: ${body.toString().slice(0, 300)}`, status);
}

function backOff(attempt: number): Promise<void> {
  return pause(random() * 50 * 2 ** attempt);
}

function parts(url: URL) {
  return {
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    path: url.pathname,
  };
}

function signerOf(ref: ObjectRef): SignatureV4 {
  return new SignatureV4({
    service: 's3',
    region: regionOf(ref),
    credentials,
    sha256: Hash.bind(null, 'sha256'),
    // S3 signs the path as it is; other services escape it twice ("Create a signed AWS API request", IAM User Guide).
    uriEscapePath: false,
  });
}
