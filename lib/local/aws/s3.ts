/** S3 (REST-XML, path-style): buckets, and the calls on them. */
import { type CorsRule, corsHeaders } from './s3-cors.ts';
import { notImplemented } from './s3-headers.ts';
import { isExpiredBy, type Lifecycle } from './s3-lifecycle.ts';
import { listObjects, listVersions } from './s3-listing.ts';
import {
  copyObject,
  deleteObject,
  getObject,
  headObject,
  type ObjectSpace,
  putObject,
  putObjectTagging,
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

export interface BucketSettings {
  /** Default: pages of other origins may not call it. */
  readonly cors?: readonly CorsRule[] | undefined;
  /** Which objects expire; default: none. */
  readonly lifecycle?: Lifecycle | undefined;
}

export interface S3 extends AwsService {
  createBucket(bucket: string, settings?: BucketSettings): void;
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
  PutObjectTagging: putObjectTagging,
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
  const buckets = new Map<string, BucketSettings>();
  const store = createObjectStore(directory, (bucket, head) => {
    const lifecycle = buckets.get(bucket)?.lifecycle;
    return lifecycle !== undefined && isExpiredBy(lifecycle, head, clock.now());
  });
  const space: ObjectSpace = { store, clock, failsCopy };

  return {
    name: 's3',
    createBucket(bucket, settings = {}) {
      store.createBucket(bucket);
      buckets.set(bucket, settings);
    },
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
    corsHeaders: (call) => corsHeaders(buckets.get(addressOf(call.path).bucket)?.cors ?? [], call),
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
