/** The bucket of files and large content, in the home region and in that of a standby. */
import { Duration } from 'aws-cdk-lib';
import { type Bucket, type CorsRule, HttpMethods } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { uploadPrefix } from '../core/attachments/attachment.ts';
import type { Names } from './names.ts';
import { accessLogBucket, privateBucket, type Replication } from './private-bucket.ts';

/** The console, and pages of customers, put files to upload links. A link is the permission, whatever page has it. */
const uploadRule: CorsRule = {
  allowedMethods: [HttpMethods.PUT],
  allowedOrigins: ['*'],
  allowedHeaders: ['content-type'],
  maxAge: 3600,
};

/**
 * @param props.names of the region of the bucket
 * @param props.backupDays days for which deleted objects can be restored
 * @param props.replication where its objects are copied; absent: nowhere
 */
export function contentBucket(
  scope: Construct,
  { names, backupDays, replication }: { names: Names; backupDays: number; replication?: Replication },
): Bucket {
  return privateBucket(scope, 'Content', {
    name: names.contentBucket,
    accessLogs: accessLogBucket(scope, names.accessLogBucket('content', names.homeRegion)),
    // Emails hold copies. S3 expires objects at the end of a day, so that an upload outlives its item.
    lifecycleRules: [
      {
        prefix: uploadPrefix,
        expiration: Duration.days(1),
        // Uploads are no part of a restore.
        noncurrentVersionExpiration: Duration.days(1),
      },
    ],
    cors: [uploadRule],
    backupDays,
    ...(replication && { replication }),
  });
}
