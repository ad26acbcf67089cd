/** The data that outlives everything else: the table, the content bucket, the key that seals secrets. */
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
import { accessLogBucket, privateBucket } from '../constructs/private-bucket.ts';
import { uploadPrefix } from '../core/upload.ts';

export class DataStack extends Stack {
  readonly secretsKeyArn: string;
  readonly tableStreamArn: string;

  constructor(scope: Construct, id: string, props: StackProps & { names: Names }) {
    super(scope, id, { ...props, terminationProtection: true });
    const { names } = props;
    const [gsi1, gsi2] = tableIndexes;

    const table = new Table(this, 'Table', {
      tableName: names.table,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Under a key of our own every role would need a share in it, and losing it would lose the table.
      // What is secret even from readers of the table is sealed under the secrets key, item by item.
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      stream: StreamViewType.NEW_IMAGE,
      timeToLiveAttribute: 'expiresAt',
    });
    table.addGlobalSecondaryIndex({
      indexName: gsi1,
      partitionKey: { name: 'g1pk', type: AttributeType.STRING },
      sortKey: { name: 'g1sk', type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    table.addGlobalSecondaryIndex({
      indexName: gsi2,
      partitionKey: { name: 'g2pk', type: AttributeType.STRING },
      sortKey: { name: 'g2sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });

    privateBucket(this, 'Content', {
      name: names.contentBucket,
      accessLogs: accessLogBucket(this, names.accessLogBucket('content', this.region)),
      // Emails have copies. S3 counts from the PUT, and to the end of a day: the bytes outlive the item that names them.
      lifecycleRules: [{ prefix: uploadPrefix, expiration: Duration.days(1) }],
    });

    const secretsKey = new Key(this, 'Secrets', {
      alias: `${names.table}-secrets`,
      description: 'Seals webhook secrets, DKIM keys and tokens.',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });

    this.secretsKeyArn = secretsKey.keyArn;
    this.tableStreamArn = table.tableStreamArn ?? '';
  }
}
