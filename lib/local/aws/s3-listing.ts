/** ListObjectsV2 of S3: pages of a bucket's keys, grouped by folder with a delimiter. */
import type { ObjectHead, ObjectStore } from './s3-store.ts';
import { elements, listEntry, xmlResponse } from './s3-xml.ts';
import type { AwsResponse } from './service.ts';

interface ListRequest {
  readonly prefix: string;
  /** Empty: none. */
  readonly delimiter: string;
  /** The last key of the page before; null: from the start. */
  readonly after: string | null;
  readonly max: number;
}

interface Page {
  readonly contents: readonly ObjectHead[];
  readonly folders: readonly string[];
  /** The last key that was read. */
  readonly last: string;
  readonly isTruncated: boolean;
}

const listMax = 1000;

export function listObjects(
  store: Pick<ObjectStore, 'list'>,
  bucket: string,
  query: URLSearchParams,
): AwsResponse {
  const request = readRequest(query);
  const { contents, folders, last, isTruncated } = pageOf(store.list(bucket, request.prefix), request);
  const summary = elements({
    Name: bucket,
    Prefix: request.prefix,
    Delimiter: request.delimiter || undefined,
    MaxKeys: request.max,
    KeyCount: contents.length + folders.length,
    IsTruncated: isTruncated,
    NextContinuationToken: isTruncated ? Buffer.from(last).toString('base64url') : undefined,
  });
  const common = folders.map((folder) => `<CommonPrefixes>${elements({ Prefix: folder })}</CommonPrefixes>`);
  return xmlResponse('ListBucketResult', summary + contents.map(listEntry).join('') + common.join(''));
}

function readRequest(query: URLSearchParams): ListRequest {
  const token = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString();
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    after: token || query.get('start-after'),
    max: Math.min(Number(query.get('max-keys') ?? listMax), listMax),
  };
}

/** @param heads ordered by key, with the prefix */
function pageOf(heads: readonly ObjectHead[], { prefix, delimiter, after, max }: ListRequest): Page {
  const contents: ObjectHead[] = [];
  const folders = new Set<string>();
  let last = '';
  for (const head of heads) {
    if (after && Buffer.compare(Buffer.from(head.key), Buffer.from(after)) <= 0) continue;
    const cut = delimiter ? head.key.indexOf(delimiter, prefix.length) : -1;
    const folder = cut < 0 ? null : head.key.slice(0, cut + delimiter.length);
    if (folder === null || !folders.has(folder)) {
      if (contents.length + folders.size >= max) {
        return { contents, folders: [...folders], last, isTruncated: true };
      }
      if (folder === null) contents.push(head);
      else folders.add(folder);
    }
    last = head.key;
  }
  return { contents, folders: [...folders], last, isTruncated: false };
}
