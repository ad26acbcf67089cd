/** The object operations of S3. */
import { headersOf, notImplemented, rangeOf, storedHeaders, withoutChecksums } from './s3-headers.ts';
import { readPayload } from './s3-payload.ts';
import { checkKey, type ObjectAddress, sourceOf } from './s3-request.ts';
import type { ObjectStore } from './s3-store.ts';
import { elements, tagsIn, xmlError, xmlResponse } from './s3-xml.ts';
import { type AwsCall, AwsError, type AwsResponse, type LocalClock } from './service.ts';

/** What the operations act on. */
export interface ObjectSpace {
  readonly store: ObjectStore;
  readonly clock: Pick<LocalClock, 'now'>;
  /** Whether the next CopyObject fails after its status was sent. */
  failsCopy(): boolean;
}

export async function putObject(
  { store, clock }: ObjectSpace,
  call: AwsCall,
  { bucket, key }: ObjectAddress,
): Promise<AwsResponse> {
  const condition = call.headers['if-none-match'];
  if (condition !== undefined && condition !== '*') notImplemented(`If-None-Match: ${condition}`);
  const { body, checksums } = readPayload(call);
  if (condition === '*' && store.head(bucket, key)) {
    throw new AwsError('PreconditionFailed', 'At least one of the pre-conditions did not hold', 412);
  }
  const headers = { ...storedHeaders(call.headers), ...checksums };
  const head = await store.put(bucket, { key, body, headers, modifiedAt: clock.now() });
  return { status: 200, headers: { etag: head.etag, ...checksums } };
}

/** Replaces all tags of an object. */
export async function putObjectTagging(
  { store }: ObjectSpace,
  call: AwsCall,
  { bucket, key }: ObjectAddress,
): Promise<AwsResponse> {
  const { body, checksums } = readPayload(call);
  // "Checking object integrity" and "PutObjectTagging", Amazon S3: one of them is required.
  if (!call.headers['content-md5'] && Object.keys(checksums).length === 0) {
    throw new AwsError('InvalidRequest', 'Missing required header for this request: Content-MD5');
  }
  if (!store.head(bucket, key)) noSuchKey(call, bucket);
  await store.tag(bucket, key, tagsIn(body.toString()));
  return { status: 200 };
}

export async function getObject(
  { store }: ObjectSpace,
  call: AwsCall,
  { bucket, key }: ObjectAddress,
): Promise<AwsResponse> {
  const object = (await store.get(bucket, key)) ?? noSuchKey(call, bucket);
  if (call.headers['if-none-match'] === object.etag) return { status: 304, headers: { etag: object.etag } };
  const range = rangeOf(call.headers.range, object.bytes);
  const headers = headersOf(object, call);
  if (!range) return { status: 200, headers, body: object.body };
  const [first, last] = range;
  return {
    status: 206,
    headers: { ...withoutChecksums(headers), 'content-range': `bytes ${first}-${last}/${object.bytes}` },
    body: object.body.subarray(first, last + 1),
  };
}

export async function headObject(
  { store }: ObjectSpace,
  call: AwsCall,
  { bucket, key }: ObjectAddress,
): Promise<AwsResponse> {
  const head = store.head(bucket, key) ?? noSuchKey(call, bucket);
  return { status: 200, headers: { ...headersOf(head, call), 'content-length': String(head.bytes) } };
}

/** A marker takes the place of the object; the deletion of a marker by its version brings the object back. */
export async function deleteObject(
  { store, clock }: ObjectSpace,
  call: AwsCall,
  { bucket, key }: ObjectAddress,
): Promise<AwsResponse> {
  const versionId = call.query.get('versionId');
  if (versionId === null) await store.remove(bucket, key, clock.now());
  else await store.bringBack(bucket, key, versionId);
  return { status: 204 };
}

export async function copyObject(
  { store, clock, failsCopy }: ObjectSpace,
  call: AwsCall,
  { bucket, key }: ObjectAddress,
): Promise<AwsResponse> {
  const source = sourceOf(call);
  checkKey(source.key);
  const object = (await store.get(source.bucket, source.key)) ?? noSuchKey(call, source.bucket);
  // S3 API reference, "CopyObject": an error during the copy is in the body of a 200.
  if (failsCopy()) {
    const error = new AwsError('InternalError', 'We encountered an internal error. Please try again.');
    return { ...xmlError(error, call.path), status: 200 };
  }
  const head = await store.put(bucket, { ...object, key, modifiedAt: clock.now() });
  // The default copies tags ("CopyObject", x-amz-tagging-directive), and needs permissions for them.
  if (object.tags && call.headers['x-amz-tagging-directive'] !== 'REPLACE') {
    notImplemented('copies of tags');
  }
  const result = { ETag: head.etag, LastModified: new Date(head.modifiedAt).toISOString() };
  return xmlResponse('CopyObjectResult', elements(result));
}

/** 404 for callers that may list the bucket, 403 for others (S3 API reference, "GetObject", Permissions). */
function noSuchKey(call: AwsCall, bucket: string): never {
  const mayList = call.isAllowed?.({ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}` }) ?? true;
  if (!mayList) throw new AwsError('AccessDenied', 'Access Denied', 403);
  throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
}
