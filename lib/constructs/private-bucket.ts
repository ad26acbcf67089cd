/** A bucket that nobody outside reaches: no public access, TLS only, encrypted, its accesses logged. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/**
 * Encrypted with S3's own keys: SES cannot write to a bucket under a customer's key without a share in that key, and
 * presigned links would need one too.
 */
export function privateBucket(
  scope: Construct,
  id: string,
  props: { name: string; accessLogs?: IBucket; lifecycleRules?: LifecycleRule[] },
): Bucket {
  return new Bucket(scope, id, {
    bucketName: props.name,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ...(props.lifecycleRules ?? []),
    ],
    ...(props.accessLogs && { serverAccessLogsBucket: props.accessLogs, serverAccessLogsPrefix: `${id}/` }),
  });
}

/** Takes the access logs of the other buckets of its stack, and keeps them for 90 days. */
export function accessLogBucket(scope: Construct, name: string): IBucket {
  const bucket = privateBucket(scope, 'AccessLogs', {
    name,
    lifecycleRules: [{ expiration: Duration.days(90) }],
  });
  // A Bucket is an IBucket, but the library's types are not written for exactOptionalPropertyTypes.
  return bucket as IBucket;
}
