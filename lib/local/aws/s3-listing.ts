/** ListObjectsV2 of S3: pages of a bucket's keys, grouped by folder with a delimiter. */
import type { ObjectHead, ObjectStore } from './s3-store.ts';
import { elements, listEntry, xmlResponse } from './s3-xml.ts';
import { AwsError, type AwsResponse } from './service.ts';

interface ListRequest {
  readonly prefix: string;
  /** Empty: none. */
  readonly delimiter: string;
  /** The last key of the page before; null: from the start. */
  readonly after: string | null;
  /** As in the request, null where it has none. */
  readonly token: string | null;
  readonly startAfter: string | null;
  /** How names are written in the response. */
  readonly isUrlEncoded: boolean;
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
  const encoded = request.isUrlEncoded ? urlEncoded : (text: string) => text;
  const summary = elements({
    Name: bucket,
    Prefix: encoded(request.prefix),
    Delimiter: encoded(request.delimiter) || undefined,
    StartAfter: request.startAfter === null ? undefined : encoded(request.startAfter),
    ContinuationToken: request.token ?? undefined,
    EncodingType: request.isUrlEncoded ? 'url' : undefined,
    MaxKeys: request.max,
    KeyCount: contents.length + folders.length,
    IsTruncated: isTruncated,
    NextContinuationToken: isTruncated ? Buffer.from(last).toString('base64url') : undefined,
  });
  const entries = contents.map((head) => listEntry(head, encoded(head.key)));
  const common = folders.map(
    (folder) => `<CommonPrefixes>${elements({ Prefix: encoded(folder) })}</CommonPrefixes>`,
  );
  return xmlResponse('ListBucketResult', summary + entries.join('') + common.join(''));
}

function readRequest(query: URLSearchParams): ListRequest {
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  const encoding = query.get('encoding-type');
  if (encoding !== null && encoding !== 'url') {
    throw new AwsError('InvalidArgument', 'Invalid Encoding Method specified in Request');
  }
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    after: Buffer.from(token ?? '', 'base64url').toString() || startAfter,
    token,
    startAfter,
    isUrlEncoded: encoding === 'url',
    max: Math.min(Number(query.get('max-keys') ?? listMax), listMax),
  };
}

/** Percent-encoded as UTF-8, `test_file(3).png` as `test_file%283%29.png`, but for slashes ("ListObjectsV2", Amazon S3 API Reference). */
function urlEncoded(text: string): string {
  const encoded = encodeURIComponent(text).replaceAll('%2F', '/');
  return encoded.replace(/[!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
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
