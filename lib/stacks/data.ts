/** The data of a deployment: the table, the content bucket and the secrets key. */
import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
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
import { type Names, tableIndexes } from '../constructs/names.ts';
import { warmThroughput } from '../constructs/prewarm.ts';
import { accessLogBucket, privateBucket } from '../constructs/private-bucket.ts';
import { uploadPrefix } from '../core/attachments/attachment.ts';

export class DataStack extends Stack {
  readonly secretsKeyArn: string;
  readonly tableStreamArn: string;

  constructor(scope: Construct, id: string, props: StackProps & { names: Names; emailsPerSecond: number }) {
    // No termination protection: it would keep the CDK CLI from deleting the stack after a failed creation
    // ("Protect CloudFormation stacks from being deleted"). Deletion policies keep the data.
    super(scope, id, props);
    const { names, emailsPerSecond } = props;
    const warm = (of: 'table' | 'index') => {
      const throughput = warmThroughput(of, emailsPerSecond);
      return throughput && { warmThroughput: throughput };
    };
    const [gsi1, gsi2] = tableIndexes;

    const table = new Table(this, 'Table', {
      tableName: names.table,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      // A customer managed key would need a grant in every role. Secrets are encrypted item by item under the secrets key.
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      stream: StreamViewType.NEW_IMAGE,
      timeToLiveAttribute: 'expiresAt',
      ...warm('table'),
    });
    // Keys only: a change of any other attribute writes no index ("Using Global Secondary Indexes in DynamoDB"), and the
    // content of items is stored once.
    table.addGlobalSecondaryIndex({
      indexName: gsi1,
      partitionKey: { name: 'g1pk', type: AttributeType.STRING },
      sortKey: { name: 'g1sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
      ...warm('index'),
    });
    table.addGlobalSecondaryIndex({
      indexName: gsi2,
      partitionKey: { name: 'g2pk', type: AttributeType.STRING },
      sortKey: { name: 'g2sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
      ...warm('index'),
    });

    const content = privateBucket(this, 'Content', {
      name: names.contentBucket,
      accessLogs: accessLogBucket(this, names.accessLogBucket('content', this.region)),
      // Emails hold copies. S3 expires objects at the end of a day, so that an upload outlives its item.
      lifecycleRules: [{ prefix: uploadPrefix, expiration: Duration.days(1) }],
    });

    const secretsKey = new Key(this, 'Secrets', {
      alias: `${names.table}-secrets`,
      description: 'Encrypts webhook secrets, DKIM keys, and the secrets that sign links and cursors.',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    // Created last: deletion protection would keep the table when the creation of the stack is rolled back.
    table.node.addDependency(content, secretsKey);

    this.secretsKeyArn = secretsKey.keyArn;
    this.tableStreamArn = table.tableStreamArn ?? '';
  }
}
