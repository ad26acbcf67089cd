/** Buckets without public access: TLS only, encrypted, with access logs. */
import { Aws, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type CorsRule,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
  type ReplicationRule,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** Where the objects of a versioned bucket are copied, as they are written and deleted. */
export interface Replication {
  readonly bucketName: string;
  /** Of the objects that are copied. */
  readonly prefix: string;
}

/**
 * Encrypted with S3 managed keys. A customer managed key would need a grant for SES ("Giving permissions to Amazon SES for
 * email receiving") and for presigned URLs. Kept when the stack is deleted, but not when its creation fails, so that the
 * creation can be repeated ("DeletionPolicy attribute", CloudFormation User Guide).
 *
 * @param props.backupDays days for which what was deleted or replaced can be restored; absent: it is gone at once
 */
export function privateBucket(
  scope: Construct,
  id: string,
  props: {
    name: string;
    accessLogs?: IBucket;
    lifecycleRules?: LifecycleRule[];
    cors?: CorsRule[];
    backupDays?: number;
    replication?: Replication;
  },
): Bucket {
  const bucket = new Bucket(scope, id, {
    bucketName: props.name,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    lifecycleRules: [
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      // Of overlapping rules the shorter one counts ("How Amazon S3 handles conflicts in lifecycle configurations").
      ...(props.backupDays === undefined ? [] : [backupRule(props.backupDays)]),
      ...(props.lifecycleRules ?? []),
    ],
    ...(props.cors && { cors: props.cors }),
    ...(props.backupDays !== undefined && { versioned: true }),
    ...(props.replication && { replicationRules: [replicationRule(scope, props.replication)] }),
    ...(props.accessLogs && { serverAccessLogsBucket: props.accessLogs, serverAccessLogsPrefix: `${id}/` }),
  });
  if (props.replication) acknowledgeReplication(bucket, props.replication);
  return bucket;
}

/** cdk-nag writes references and an unknown account this way. */
function acknowledgeReplication(bucket: Bucket, { bucketName }: Replication): void {
  const source = `<${Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>`;
  const copies = `arn:aws:s3:::${bucketName.replaceAll(Aws.ACCOUNT_ID, '<AWS::AccountId>')}`;
  for (const resource of [source, copies]) {
    Validations.of(bucket).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::${resource}/*]`,
      reason: 'S3 copies all objects of a prefix.',
    });
  }
}

const replicationRule = (scope: Construct, { bucketName, prefix }: Replication): ReplicationRule => ({
  destination: Bucket.fromBucketName(scope, 'Copies', bucketName),
  priority: 1,
  filter: { prefix },
  // What is deleted, an erasure among it, must be deleted in both.
  deleteMarkerReplication: true,
});

/** Also removes the delete markers that are left alone, which a rule with an expiration in days cannot. */
const backupRule = (days: number): LifecycleRule => ({
  noncurrentVersionExpiration: Duration.days(days),
  expiredObjectDeleteMarker: true,
});

/** Bucket for the access logs of the other buckets of the stack; logs expire after 90 days. */
export function accessLogBucket(scope: Construct, name: string): IBucket {
  const bucket = privateBucket(scope, 'AccessLogs', {
    name,
    lifecycleRules: [{ expiration: Duration.days(90) }],
  });
  // The types of the CDK library do not support exactOptionalPropertyTypes.
  return bucket as IBucket;
}
