/** S3 as path-style calls reach it (REST-XML): objects with metadata, ranges, conditional writes, response overrides. */

import { refuseUnknown } from './json-protocol.ts';
import { readPayload } from './s3-payload.ts';
import { createObjectStore, type ObjectHead, type StoredObject } from './s3-store.ts';
import { elements, errorAnswer, listEntry, readDeletion, xmlAnswer } from './s3-xml.ts';
import {
  type AwsCall,
  AwsError,
  type AwsResponse,
  type AwsService,
  type LocalClock,
  type NeededPermission,
} from './service.ts';

export interface S3 extends AwsService {
  createBucket(bucket: string): void;
  put(bucket: string, key: string, body: Uint8Array, contentType?: string): Promise<void>;
  get(bucket: string, key: string): Promise<StoredObject | null>;
  /** In the order of their keys. */
  list(bucket: string, prefix?: string): readonly ObjectHead[];
}

const operations = [
  'PutObject',
  'GetObject',
  'HeadObject',
  'DeleteObject',
  'CopyObject',
  'DeleteObjects',
  'ListObjectsV2',
] as const;
type Operation = (typeof operations)[number];

const listMax = 1000;
const deletionsMax = 1000;

/** Headers of an object that are stored and come back with it. */
const keptHeaders = /^(content-(type|disposition|encoding|language)|cache-control|expires|x-amz-meta-.+)$/;

/** What a link may change in the answer: query parameter to header. */
const overrides: Readonly<Record<string, string>> = {
  'response-content-type': 'content-type',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
  'response-cache-control': 'cache-control',
  'response-expires': 'expires',
};

/** Anything else in a query asks for something that is not emulated (`uploads`, `tagging`, `versionId`, …). */
const knownQuery =
  /^(x-id|x-amz-.+|response-.+|list-type|prefix|delimiter|max-keys|continuation-token|start-after|delete)$/i;

/** Headers that would change what a call does, and do not here. */
const unknownHeaders =
  /^(if-(match|modified-since|unmodified-since)|x-amz-(acl|grant-.+|tagging|server-side-encryption-customer-.+|object-lock-.+|copy-source-.+|metadata-directive|storage-class))$/;

/** @param options.directory absent: objects are in memory */
export function createS3({ clock, directory }: { clock: LocalClock; directory?: string | undefined }): S3 {
  const store = createObjectStore(directory);

  const handlers: Readonly<Record<Operation, (call: AwsCall, at: Address) => Promise<AwsResponse>>> = {
    async PutObject(call, { bucket, key }) {
      const condition = call.headers['if-none-match'];
      if (condition !== undefined && condition !== '*') notImplemented(`If-None-Match: ${condition}`);
      const { body, checksums } = readPayload(call);
      if (condition === '*' && store.head(bucket, key)) {
        throw new AwsError('PreconditionFailed', 'At least one of the pre-conditions did not hold', 412);
      }
      const head = await store.put(bucket, key, body, { ...kept(call.headers), ...checksums }, clock.now());
      return { status: 200, headers: { etag: head.etag, ...checksums } };
    },
    async GetObject(call, { bucket, key }) {
      const object = (await store.get(bucket, key)) ?? noSuchKey(call, bucket);
      if (call.headers['if-none-match'] === object.etag)
        return { status: 304, headers: { etag: object.etag } };
      const range = rangeOf(call.headers.range, object.bytes);
      const headers = headersOf(object, call);
      if (!range) return { status: 200, headers, body: object.body };
      const [first, last] = range;
      return {
        status: 206,
        headers: { ...withoutChecksums(headers), 'content-range': `bytes ${first}-${last}/${object.bytes}` },
        body: object.body.subarray(first, last + 1),
      };
    },
    async HeadObject(call, { bucket, key }) {
      const head = store.head(bucket, key) ?? noSuchKey(call, bucket);
      return { status: 200, headers: { ...headersOf(head, call), 'content-length': String(head.bytes) } };
    },
    async DeleteObject(_call, { bucket, key }) {
      await store.remove(bucket, key);
      return { status: 204 };
    },
    async CopyObject(call, { bucket, key }) {
      const source = sourceOf(call);
      const object = (await store.get(source.bucket, source.key)) ?? noSuchKey(call, source.bucket);
      const head = await store.put(bucket, key, object.body, object.headers, clock.now());
      const result = { ETag: head.etag, LastModified: new Date(head.modifiedAt).toISOString() };
      return xmlAnswer('CopyObjectResult', elements(result));
    },
    async DeleteObjects(call, { bucket }) {
      const { keys, quiet } = readDeletion(readPayload(call).body.toString());
      if (keys.length === 0 || keys.length > deletionsMax) {
        throw new AwsError('MalformedXML', `1 to ${deletionsMax} keys, not ${keys.length}.`);
      }
      for (const key of keys) await store.remove(bucket, key);
      return xmlAnswer(
        'DeleteResult',
        quiet ? '' : keys.map((key) => `<Deleted>${elements({ Key: key })}</Deleted>`).join(''),
      );
    },
    async ListObjectsV2(call, { bucket }) {
      return listing(bucket, call.query);
    },
  };

  function listing(bucket: string, query: URLSearchParams): AwsResponse {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const after =
      Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString() || query.get('start-after');
    const max = Math.min(Number(query.get('max-keys') ?? listMax), listMax);
    const contents: ObjectHead[] = [];
    const folders = new Set<string>();
    let last = '';
    let isTruncated = false;
    for (const head of store.list(bucket, prefix)) {
      if (after && Buffer.compare(Buffer.from(head.key), Buffer.from(after)) <= 0) continue;
      const cut = delimiter ? head.key.indexOf(delimiter, prefix.length) : -1;
      const folder = cut < 0 ? null : head.key.slice(0, cut + delimiter.length);
      if (folder === null || !folders.has(folder)) {
        isTruncated = contents.length + folders.size >= max;
        if (isTruncated) break;
        if (folder === null) contents.push(head);
        else folders.add(folder);
      }
      last = head.key;
    }
    const summary = elements({
      Name: bucket,
      Prefix: prefix,
      Delimiter: delimiter || undefined,
      MaxKeys: max,
      KeyCount: contents.length + folders.size,
      IsTruncated: isTruncated,
      NextContinuationToken: isTruncated ? Buffer.from(last).toString('base64url') : undefined,
    });
    const common = [...folders].map(
      (folder) => `<CommonPrefixes>${elements({ Prefix: folder })}</CommonPrefixes>`,
    );
    return xmlAnswer('ListBucketResult', summary + contents.map(listEntry).join('') + common.join(''));
  }

  function checkBucket(bucket: string): void {
    if (!store.hasBucket(bucket)) {
      throw new AwsError('NoSuchBucket', `The specified bucket does not exist: ${bucket}`, 404);
    }
  }

  return {
    name: 's3',
    createBucket: store.createBucket,
    async put(bucket, key, body, contentType = 'application/octet-stream') {
      await store.put(bucket, key, Buffer.from(body), { 'content-type': contentType }, clock.now());
    },
    get: store.get,
    list: (bucket, prefix = '') => store.list(bucket, prefix),
    action: operationOf,
    permissions,
    refuse: (refusal, call) => errorAnswer(refusal, call.path),
    async handle(call) {
      const at = addressOf(call.path);
      checkBucket(at.bucket);
      for (const name of Object.keys(call.headers)) if (unknownHeaders.test(name)) notImplemented(name);
      return await handlers[operationOf(call)](call, at);
    },
  };
}

interface Address {
  readonly bucket: string;
  /** Empty for calls on the bucket. */
  readonly key: string;
}

function addressOf(path: string): Address {
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return { bucket, key };
}

function sourceOf(call: AwsCall): Address {
  const source = decodeURIComponent(call.headers['x-amz-copy-source'] ?? '');
  return addressOf(source.startsWith('/') ? source : `/${source}`);
}

function operationOf(call: AwsCall): Operation {
  const { method, query, headers, path } = call;
  const { bucket, key } = addressOf(path);
  const strange = [...query.keys()].find((name) => !knownQuery.test(name));
  if (strange === undefined && bucket) {
    if (key && method === 'PUT') return headers['x-amz-copy-source'] ? 'CopyObject' : 'PutObject';
    if (key && method === 'GET') return 'GetObject';
    if (key && method === 'HEAD') return 'HeadObject';
    if (key && method === 'DELETE') return 'DeleteObject';
    if (!key && method === 'POST' && query.has('delete')) return 'DeleteObjects';
    if (!key && method === 'GET' && query.get('list-type') === '2') return 'ListObjectsV2';
  }
  return refuseUnknown('s3', `${method} ${key ? 'object' : 'bucket'}${strange ? ` with ?${strange}` : ''}`);
}

function permissions(call: AwsCall): NeededPermission[] {
  const { bucket, key } = addressOf(call.path);
  const arn = `arn:aws:s3:::${bucket}`;
  const operation = operationOf(call);
  switch (operation) {
    case 'ListObjectsV2': {
      const context = { 's3:prefix': [call.query.get('prefix') ?? ''] };
      return [{ action: 's3:ListBucket', resource: arn, context }];
    }
    case 'DeleteObjects': {
      const { keys } = readDeletion(readPayload(call).body.toString());
      return keys.map((each) => ({ action: 's3:DeleteObject', resource: `${arn}/${each}` }));
    }
    case 'CopyObject': {
      const source = sourceOf(call);
      return [
        { action: 's3:GetObject', resource: `arn:aws:s3:::${source.bucket}/${source.key}` },
        { action: 's3:PutObject', resource: `${arn}/${key}` },
      ];
    }
    case 'HeadObject':
      return [{ action: 's3:GetObject', resource: `${arn}/${key}` }];
    default:
      return [{ action: `s3:${operation}`, resource: `${arn}/${key}` }];
  }
}

function kept(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => keptHeaders.test(name));
  const stored = Object.fromEntries(entries);
  // The framing is taken off, so the object is not encoded that way any more.
  const encoding = (stored['content-encoding'] ?? '').replace(/\s*aws-chunked\s*,?/, '').trim();
  delete stored['content-encoding'];
  return {
    'content-type': 'binary/octet-stream',
    ...stored,
    ...(encoding && { 'content-encoding': encoding }),
  };
}

function headersOf(head: ObjectHead, call: AwsCall): Record<string, string> {
  const changed: Record<string, string> = {};
  for (const [parameter, header] of Object.entries(overrides)) {
    const value = call.query.get(parameter);
    if (value === null) continue;
    // S3 takes ISO-8859-1, whose upper half clients read as they like; other names belong into `filename*`.
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

function withoutChecksums(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-')));
}

/** First and last byte of `bytes=a-b`, `a-` or `-n`; null without a range. */
function rangeOf(header: string | undefined, bytes: number): [number, number] | null {
  if (header === undefined) return null;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? notImplemented(`Range: ${header}`);
  const first = from === '' ? Math.max(bytes - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (first > last) throw new AwsError('InvalidRange', 'The requested range is not satisfiable', 416);
  return [first, last];
}

/** Who may not list a bucket is not told whether a key is in it (S3 API reference, GetObject, "Permissions"). */
function noSuchKey(call: AwsCall, bucket: string): never {
  const mayList = call.isAllowed?.({ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}` }) ?? true;
  if (!mayList) throw new AwsError('AccessDenied', 'Access Denied', 403);
  throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
}

function notImplemented(what: string): never {
  throw new AwsError('NotImplemented', `The local cloud does not emulate ${what}.`, 501);
}
