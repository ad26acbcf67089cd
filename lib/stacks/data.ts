/** The data of a deployment: the table, the content bucket and the secrets key. */
import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { addBoundary } from '../constructs/boundary.ts';
import { contentBucket } from '../constructs/content-bucket.ts';
import { addCopies } from '../constructs/copies.ts';
import { type Names, tableIndexes } from '../constructs/names.ts';
import { warmProps } from '../constructs/prewarm.ts';

export interface DataStackProps extends StackProps {
  readonly names: Names;
  /** Days for which the table and deleted objects can be restored. */
  readonly backupDays: number;
  /** What the table is kept ready for. */
  readonly emailsPerSecond: number;
  /** Names of the region that gets copies; absent: there is none. */
  readonly standby?: Names;
}

export class DataStack extends Stack {
  readonly secretsKeyArn: string;
  readonly tableStreamArn: string;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    // No termination protection: it would keep the CDK CLI from deleting the stack after a failed creation
    // ("Protect CloudFormation stacks from being deleted"). Deletion policies keep the data.
    super(scope, id, props);
    const { names, backupDays, emailsPerSecond, standby } = props;
    const [gsi1, gsi2] = tableIndexes;

    // Another table is another resource: an update would replace the table, and cannot adopt one (docs/restoring.md#adopting).
    const table = new Table(this, names.table === names.prefix ? 'Table' : `Table-${names.table}`, {
      tableName: names.table,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      // A customer managed key would need a grant in every role. Secrets are encrypted item by item under the secrets key.
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: backupDays,
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      // A global table needs both images ("AWS::DynamoDB::GlobalTable StreamSpecification").
      stream: standby ? StreamViewType.NEW_AND_OLD_IMAGES : StreamViewType.NEW_IMAGE,
      timeToLiveAttribute: 'expiresAt',
      ...warmProps('table', emailsPerSecond),
    });
    // Keys only: a change of any other attribute writes no index ("Using Global Secondary Indexes in DynamoDB"), and the
    // content of items is stored once.
    table.addGlobalSecondaryIndex({
      indexName: gsi1,
      partitionKey: { name: 'g1pk', type: AttributeType.STRING },
      sortKey: { name: 'g1sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
      ...warmProps('index', emailsPerSecond),
    });
    table.addGlobalSecondaryIndex({
      indexName: gsi2,
      partitionKey: { name: 'g2pk', type: AttributeType.STRING },
      sortKey: { name: 'g2sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
      ...warmProps('index', emailsPerSecond),
    });

    const content = contentBucket(this, {
      names,
      backupDays,
      ...(standby && { replication: { bucketName: standby.contentBucket, prefix: 'w/' } }),
    });

    const secretsKey = new Key(this, 'Secrets', {
      alias: `${names.prefix}-secrets`,
      description: 'Encrypts webhook secrets, DKIM keys, and the secrets that sign links and cursors.',
      enableKeyRotation: true,
      // Fixed when the key is made ("Creating multi-Region keys"): CloudFormation refuses a change.
      ...(standby && { multiRegion: true }),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    // Created last: deletion protection would keep the table when the creation of the stack is rolled back.
    table.node.addDependency(content, secretsKey);

    if (standby) {
      addBoundary(this, names);
      const { replica } = addCopies(this, { names, region: standby.homeRegion, keyArn: secretsKey.keyArn });
      replica.node.addDependency(table);
    }

    this.secretsKeyArn = secretsKey.keyArn;
    this.tableStreamArn = table.tableStreamArn ?? '';
  }
}
