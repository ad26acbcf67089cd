/** S3 requests: bucket and key, operation, required permissions. */
import { unsupported } from './json-protocol.ts';
import { type AwsCall, AwsError, type NeededPermission } from './service.ts';

const operations = [
  'PutObject',
  'PutObjectTagging',
  'GetObject',
  'HeadObject',
  'DeleteObject',
  'CopyObject',
  'ListObjectsV2',
  'ListObjectVersions',
  'GetBucketPolicy',
] as const;
export type S3Operation = (typeof operations)[number];

/** Supported query parameters; others (`uploads`, `acl`, …) select unsupported operations. */
const supportedQuery =
  /^(x-id|x-amz-.+|response-.+|list-type|prefix|max-keys|continuation-token|policy|tagging|versions|versionId|(key|version-id)-marker)$/i;

export interface ObjectAddress {
  readonly bucket: string;
  /** Empty: the bucket. */
  readonly key: string;
}

/** The bucket and key in a path-style request. */
export function addressOf(path: string): ObjectAddress {
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return { bucket, key };
}

/** The source of a CopyObject. */
export function sourceOf(call: AwsCall): ObjectAddress {
  const source = decodeURIComponent(call.headers['x-amz-copy-source'] ?? '');
  return addressOf(source.startsWith('/') ? source : `/${source}`);
}

/** UTF-8 bytes of a key ("Naming Amazon S3 objects", Amazon S3 User Guide). */
const keyBytesMax = 1024;

/** @throws KeyTooLong */
export function checkKey(key: string): void {
  const size = Buffer.byteLength(key);
  if (size > keyBytesMax) throw new KeyTooLong(size);
}

/** S3 says by how much the key is too long. */
export class KeyTooLong extends AwsError {
  readonly details: Readonly<Record<string, number>>;

  constructor(size: number) {
    super('KeyTooLongError', 'Your key is too long');
    this.details = { Size: size, MaxSizeAllowed: keyBytesMax };
  }
}

/** @throws AwsError for an unsupported operation */
export function operationOf(call: AwsCall): S3Operation {
  const { method, query, path } = call;
  const { bucket, key } = addressOf(path);
  const unknown = [...query.keys()].find((name) => !supportedQuery.test(name));
  const known =
    unknown === undefined && bucket ? (key ? objectOperation(call) : bucketOperation(call)) : null;
  return (
    known ?? unsupported('s3', `${method} ${key ? 'object' : 'bucket'}${unknown ? ` with ?${unknown}` : ''}`)
  );
}

const objectOperations: Readonly<Record<string, S3Operation>> = {
  PUT: 'PutObject',
  GET: 'GetObject',
  HEAD: 'HeadObject',
  DELETE: 'DeleteObject',
};

function objectOperation({ method, headers, query }: AwsCall): S3Operation | null {
  if (query.has('tagging')) return method === 'PUT' ? 'PutObjectTagging' : null;
  if (query.has('versionId') && method !== 'DELETE') return null;
  if (method === 'PUT' && headers['x-amz-copy-source']) return 'CopyObject';
  return objectOperations[method] ?? null;
}

function bucketOperation({ method, query }: AwsCall): S3Operation | null {
  if (method !== 'GET') return null;
  if (query.has('policy')) return 'GetBucketPolicy';
  if (query.has('versions')) return 'ListObjectVersions';
  return query.get('list-type') === '2' ? 'ListObjectsV2' : null;
}

/** The required permissions of a request (S3 user guide, "Required permissions for Amazon S3 API operations"). */
export function permissions(call: AwsCall): NeededPermission[] {
  const { bucket, key } = addressOf(call.path);
  const arn = `arn:aws:s3:::${bucket}`;
  const operation = operationOf(call);
  switch (operation) {
    case 'ListObjectsV2': {
      const context = { 's3:prefix': [call.query.get('prefix') ?? ''] };
      return [{ action: 's3:ListBucket', resource: arn, context }];
    }
    case 'ListObjectVersions':
      return [{ action: 's3:ListBucketVersions', resource: arn }];
    case 'CopyObject': {
      const source = sourceOf(call);
      return [
        { action: 's3:GetObject', resource: `arn:aws:s3:::${source.bucket}/${source.key}` },
        { action: 's3:PutObject', resource: `${arn}/${key}` },
      ];
    }
    case 'GetBucketPolicy':
      return [{ action: 's3:GetBucketPolicy', resource: arn }];
    case 'DeleteObject': {
      const action = call.query.has('versionId') ? 's3:DeleteObjectVersion' : 's3:DeleteObject';
      return [{ action, resource: `${arn}/${key}` }];
    }
    case 'HeadObject':
      return [{ action: 's3:GetObject', resource: `${arn}/${key}` }];
    default:
      return [{ action: `s3:${operation}`, resource: `${arn}/${key}` }];
  }
}
