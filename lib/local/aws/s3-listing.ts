/** ListObjectsV2 of S3: pages of a bucket's keys. */
import type { ObjectStore } from './s3-store.ts';
import { elements, listEntry, xmlResponse } from './s3-xml.ts';
import type { AwsResponse } from './service.ts';

const listMax = 1000;

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
