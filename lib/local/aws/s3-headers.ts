/** Headers of S3 objects: stored with the object, overridden by the request, byte ranges. */
import type { ObjectHead } from './s3-store.ts';
import { type AwsCall, AwsError } from './service.ts';

/** Headers that are stored with an object and returned with it. */
const storedHeaderNames =
  /^(content-(type|disposition|encoding|language)|cache-control|expires|x-amz-meta-.+)$/;

/** Response header overrides by query parameter. */
const responseOverrides: Readonly<Record<string, string>> = {
  'response-content-type': 'content-type',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
  'response-cache-control': 'cache-control',
  'response-expires': 'expires',
};

/** The headers of a PutObject to store with the object. */
export function storedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => storedHeaderNames.test(name));
  return { 'content-type': 'binary/octet-stream', ...Object.fromEntries(entries) };
}

/** The response headers of an object. @throws AwsError for an invalid override */
export function headersOf(head: ObjectHead, call: AwsCall): Record<string, string> {
  const changed: Record<string, string> = {};
  for (const [parameter, header] of Object.entries(responseOverrides)) {
    const value = call.query.get(parameter);
    if (value === null) continue;
    // S3 accepts ISO-8859-1, but clients interpret non-ASCII bytes differently.
    if (!/^[\x20-\x7e]*$/.test(value)) {
      throw new AwsError('InvalidArgument', `Header value cannot be represented: ${parameter}=${value}`);
    }
    changed[header] = value;
  }
  const stored =
    call.headers['x-amz-checksum-mode'] === 'ENABLED' ? head.headers : withoutChecksums(head.headers);
  return {
    etag: head.etag,
    'last-modified': new Date(head.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    ...stored,
    ...changed,
  };
}

export function withoutChecksums(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-')));
}

/** First and last byte of `bytes=a-b`, `a-` or `-n`; null: no range. @throws AwsError for an unsupported or unsatisfiable range */
export function rangeOf(header: string | undefined, bytes: number): [number, number] | null {
  if (header === undefined) return null;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? notImplemented(`Range: ${header}`);
  const first = from === '' ? Math.max(bytes - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (first > last) throw new AwsError('InvalidRange', 'The requested range is not satisfiable', 416);
  return [first, last];
}

/** @throws AwsError `NotImplemented` */
export function notImplemented(what: string): never {
  throw new AwsError('NotImplemented', `The local cloud does not emulate ${what}.`, 501);
}
