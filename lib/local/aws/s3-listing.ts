/** ListObjectsV2 and ListObjectVersions of S3: pages of a bucket's keys. */
import type { ObjectStore } from './s3-store.ts';
import { elements, listEntry, markerEntry, xmlResponse } from './s3-xml.ts';
import type { AwsResponse } from './service.ts';

const listMax = 1000;

/** The delete markers of keys without a current version; the other versions are not listed. */
export function listVersions(
  store: Pick<ObjectStore, 'listDeleted'>,
  bucket: string,
  query: URLSearchParams,
): AwsResponse {
  const prefix = query.get('prefix') ?? '';
  const after = Buffer.from(query.get('key-marker') ?? '');
  const markers = store
    .listDeleted(bucket, prefix)
    .filter(({ key }) => Buffer.compare(Buffer.from(key), after) > 0);
  const page = markers.slice(0, listMax);
  const last = page.at(-1);
  const isTruncated = markers.length > listMax;
  const summary = elements({
    Name: bucket,
    Prefix: prefix,
    MaxKeys: listMax,
    IsTruncated: isTruncated,
    NextKeyMarker: isTruncated ? last?.key : undefined,
    NextVersionIdMarker: isTruncated ? last?.versionId : undefined,
  });
  return xmlResponse('ListVersionsResult', summary + page.map(markerEntry).join(''));
}

export function listObjects(
  store: Pick<ObjectStore, 'list'>,
  bucket: string,
  query: URLSearchParams,
): AwsResponse {
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const max = Math.min(Number(query.get('max-keys') ?? listMax), listMax);
  // The last key of the page before.
  const after = Buffer.from(token ?? '', 'base64url');
  const heads = store.list(bucket, prefix).filter(({ key }) => Buffer.compare(Buffer.from(key), after) > 0);
  const page = heads.slice(0, max);
  const isTruncated = heads.length > max;
  const summary = elements({
    Name: bucket,
    Prefix: prefix,
    ContinuationToken: token ?? undefined,
    MaxKeys: max,
    KeyCount: page.length,
    IsTruncated: isTruncated,
    NextContinuationToken: isTruncated
      ? Buffer.from(page.at(-1)?.key ?? '').toString('base64url')
      : undefined,
  });
  return xmlResponse('ListBucketResult', summary + page.map(listEntry).join(''));
}
