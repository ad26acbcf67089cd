/** S3 (REST-XML, path-style): buckets, and the calls on them. */
import { notImplemented } from './s3-headers.ts';
import { listObjects, listVersions } from './s3-listing.ts';
import {
  copyObject,
  deleteObject,
  getObject,
  headObject,
  type ObjectSpace,
  putObject,
} from './s3-objects.ts';
import {
  addressOf,
  checkKey,
  KeyTooLong,
  type ObjectAddress,
  operationOf,
  permissions,
  type S3Operation,
} from './s3-request.ts';
import { createObjectStore, type ObjectHead, type StoredObject } from './s3-store.ts';
import { xmlError } from './s3-xml.ts';
import { type AwsCall, AwsError, type AwsResponse, type AwsService, type LocalClock } from './service.ts';

export interface S3 extends AwsService {
  createBucket(bucket: string): void;
  put(bucket: string, key: string, body: Uint8Array, contentType?: string): Promise<void>;
  get(bucket: string, key: string): Promise<StoredObject | null>;
  /** Ordered by key. */
  list(bucket: string, prefix?: string): readonly ObjectHead[];
}

/** Headers without an implementation. */
const unsupportedHeaders =
  /^(if-(match|modified-since|unmodified-since)|x-amz-(acl|grant-.+|tagging|server-side-encryption-customer-.+|object-lock-.+|copy-source-.+|metadata-directive|storage-class))$/;

/** The operations on objects. */
const objectOperations: Readonly<
  Record<
    Exclude<S3Operation, 'ListObjectsV2' | 'ListObjectVersions' | 'GetBucketPolicy'>,
    (space: ObjectSpace, call: AwsCall, at: ObjectAddress) => Promise<AwsResponse>
  >
> = {
  PutObject: putObject,
  GetObject: getObject,
  HeadObject: headObject,
  DeleteObject: deleteObject,
  CopyObject: copyObject,
};

/** @param options.directory default: in memory */
export function createS3(options: {
  clock: LocalClock;
  directory?: string | undefined;
  /** Whether the next CopyObject fails after its status was sent; default: never. */
  failsCopy?: () => boolean;
  /** The policy of a bucket; default: none. */
  policyOf?: (arn: string) => string | null;
}): S3 {
  const { clock, directory, failsCopy = () => false, policyOf = () => null } = options;
  const store = createObjectStore(directory);
  const space: ObjectSpace = { store, clock, failsCopy };

  return {
    name: 's3',
    createBucket: store.createBucket,
    async put(bucket, key, body, contentType = 'application/octet-stream') {
      checkKey(key);
      await store.put(bucket, {
        key,
        body: Buffer.from(body),
        headers: { 'content-type': contentType },
        modifiedAt: clock.now(),
      });
    },
    get: store.get,
    list: (bucket, prefix = '') => store.list(bucket, prefix),
    action: operationOf,
    permissions,
    errorResponse: (error, call) =>
      xmlError(error, call.path, error instanceof KeyTooLong ? error.details : {}),
    async handle(call) {
      const at = addressOf(call.path);
      if (!store.hasBucket(at.bucket)) {
        throw new AwsError('NoSuchBucket', `The specified bucket does not exist: ${at.bucket}`, 404);
      }
      for (const name of Object.keys(call.headers)) if (unsupportedHeaders.test(name)) notImplemented(name);
      checkKey(at.key);
      const operation = operationOf(call);
      if (operation === 'ListObjectsV2') return listObjects(store, at.bucket, call.query);
      if (operation === 'ListObjectVersions') return listVersions(store, at.bucket, call.query);
      if (operation === 'GetBucketPolicy') return bucketPolicy(policyOf(`arn:aws:s3:::${at.bucket}`));
      return await objectOperations[operation](space, call, at);
    },
  };
}

function bucketPolicy(policy: string | null): AwsResponse {
  if (policy === null) throw new AwsError('NoSuchBucketPolicy', 'The bucket policy does not exist', 404);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: policy };
}
