/** What a standby region has of its own before the copies come: the bucket of the files, and the boundary of the functions (docs/regions.md). */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { addBoundary } from '../constructs/boundary.ts';
import { contentBucket } from '../constructs/content-bucket.ts';
import type { Names } from '../constructs/names.ts';

export class StandbyStack extends Stack {
  /** @param props.names of the region of the standby */
  constructor(scope: Construct, id: string, props: StackProps & { names: Names; backupDays: number }) {
    super(scope, id, props);
    contentBucket(this, props);
    addBoundary(this, props.names);
  }
}
