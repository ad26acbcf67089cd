/** S3 (REST-XML, path-style): objects with metadata, ranges, conditional writes, response overrides. */
import { headersOf, notImplemented, rangeOf, storedHeaders, withoutChecksums } from './s3-headers.ts';
import { readPayload } from './s3-payload.ts';
import {
  addressOf,
  type ObjectAddress,
  operationOf,
  permissions,
  type S3Operation,
  sourceOf,
} from './s3-request.ts';
import { createObjectStore, type ObjectHead, type StoredObject } from './s3-store.ts';
import { elements, listEntry, readDeletion, xmlError, xmlResponse } from './s3-xml.ts';
import { type AwsCall, AwsError, type AwsResponse, type AwsService, type LocalClock } from './service.ts';

export interface S3 extends AwsService {
  createBucket(bucket: string): void;
  put(bucket: string, key: string, body: Uint8Array, contentType?: string): Promise<void>;
  get(bucket: string, key: string): Promise<StoredObject | null>;
  /** Ordered by key. */
  list(bucket: string, prefix?: string): readonly ObjectHead[];
}

const listMax = 1000;
const deletionsMax = 1000;

/** Headers without an implementation. */
const unsupportedHeaders =
  /^(if-(match|modified-since|unmodified-since)|x-amz-(acl|grant-.+|tagging|server-side-encryption-customer-.+|object-lock-.+|copy-source-.+|metadata-directive|storage-class))$/;

/** @param options.directory default: in memory */
export function createS3(options: {
  clock: LocalClock;
  directory?: string | undefined;
  /** Whether the next CopyObject fails after its status was sent; default: never. */
  failsCopy?: () => boolean;
  /** The policy of a bucket; default: none. */
  policyOf?: (arn: string) => string | null;
}): S3 {
  const { clock, directory } = options;
  const store = createObjectStore(directory);

  const handlers: Readonly<Record<S3Operation, (call: AwsCall, at: ObjectAddress) => Promise<AwsResponse>>> =
    {
      async PutObject(call, { bucket, key }) {
        const condition = call.headers['if-none-match'];
        if (condition !== undefined && condition !== '*') notImplemented(`If-None-Match: ${condition}`);
        const { body, checksums } = readPayload(call);
        if (condition === '*' && store.head(bucket, key)) {
          throw new AwsError('PreconditionFailed', 'At least one of the pre-conditions did not hold', 412);
        }
        const head = await store.put(
          bucket,
          key,
          body,
          { ...storedHeaders(call.headers), ...checksums },
          clock.now(),
        );
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
          headers: {
            ...withoutChecksums(headers),
            'content-range': `bytes ${first}-${last}/${object.bytes}`,
          },
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
        // S3 API reference, "CopyObject": an error during the copy is in the body of a 200.
        if (options.failsCopy?.()) {
          const error = new AwsError('InternalError', 'We encountered an internal error. Please try again.');
          return { ...xmlError(error, call.path), status: 200 };
        }
        const head = await store.put(bucket, key, object.body, object.headers, clock.now());
        const result = { ETag: head.etag, LastModified: new Date(head.modifiedAt).toISOString() };
        return xmlResponse('CopyObjectResult', elements(result));
      },
      async DeleteObjects(call, { bucket }) {
        const { keys, quiet } = readDeletion(readPayload(call).body.toString());
        if (keys.length === 0 || keys.length > deletionsMax) {
          throw new AwsError('MalformedXML', `1 to ${deletionsMax} keys, not ${keys.length}.`);
        }
        for (const key of keys) await store.remove(bucket, key);
        return xmlResponse(
          'DeleteResult',
          quiet ? '' : keys.map((key) => `<Deleted>${elements({ Key: key })}</Deleted>`).join(''),
        );
      },
      async GetBucketPolicy(_call, { bucket }) {
        const policy = options.policyOf?.(`arn:aws:s3:::${bucket}`) ?? null;
        if (policy === null)
          throw new AwsError('NoSuchBucketPolicy', 'The bucket policy does not exist', 404);
        return { status: 200, headers: { 'content-type': 'application/json' }, body: policy };
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
    return xmlResponse('ListBucketResult', summary + contents.map(listEntry).join('') + common.join(''));
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
    errorResponse: (error, call) => xmlError(error, call.path),
    async handle(call) {
      const at = addressOf(call.path);
      checkBucket(at.bucket);
      for (const name of Object.keys(call.headers)) if (unsupportedHeaders.test(name)) notImplemented(name);
      return await handlers[operationOf(call)](call, at);
    },
  };
}

/** 404 for callers that may list the bucket, 403 for others (S3 API reference, "GetObject", Permissions). */
function noSuchKey(call: AwsCall, bucket: string): never {
  const mayList = call.isAllowed?.({ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}` }) ?? true;
  if (!mayList) throw new AwsError('AccessDenied', 'Access Denied', 403);
  throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
}
