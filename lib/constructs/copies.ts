/** The calls that make copies of table and secrets key in the region of the standby. They stay when the setting is removed. */
import { Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import type { Names } from './names.ts';

/** What the creation of a replica does in both regions ("IAM permissions required to create global tables"). */
const replicaActions = [
  ...['CreateTable', 'CreateTableReplica', 'UpdateTable', 'DescribeTable', 'Query', 'Scan'],
  ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
].map((action) => `dynamodb:${action}`);

/** @param props.region that of the standby */
export function addCopies(
  stack: Stack,
  { names, region, keyArn }: { names: Names; region: string; keyArn: string },
): { readonly replica: AwsCustomResource } {
  const logGroup = new LogGroup(stack, 'CopyLogs', {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const call = (
    id: string,
    create: { service: string; action: string; parameters: object },
    statements: PolicyStatement[],
  ) => {
    const resource = new AwsCustomResource(stack, id, {
      resourceType: `Custom::${id.split('-')[0]}`,
      onCreate: { ...create, physicalResourceId: PhysicalResourceId.of(id) },
      installLatestAwsSdk: false,
      timeout: Duration.minutes(1),
      policy: AwsCustomResourcePolicy.fromStatements(statements),
      logGroup,
    });
    Validations.of(resource).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason:
        'kms:CreateKey and the service-linked role of replication take no resource that is known before.',
    });
    return resource;
  };
  call(
    `CopyOfKey-${region}`,
    { service: 'KMS', action: 'replicateKey', parameters: { KeyId: keyArn, ReplicaRegion: region } },
    [
      new PolicyStatement({ actions: ['kms:ReplicateKey'], resources: [keyArn] }),
      new PolicyStatement({ actions: ['kms:CreateKey'], resources: ['*'] }),
    ],
  );
  // DynamoDB makes it in minutes to hours, after the call; `npm run doctor` says when it is there.
  const replica = call(
    `CopyOfTable-${names.table}-${region}`,
    {
      service: 'DynamoDB',
      action: 'updateTable',
      parameters: { TableName: names.table, ReplicaUpdates: [{ Create: { RegionName: region } }] },
    },
    [
      new PolicyStatement({
        actions: replicaActions,
        resources: [names.homeRegion, region].map((one) =>
          names.arn('dynamodb', `table/${names.table}`, one),
        ),
      }),
      new PolicyStatement({
        actions: ['iam:CreateServiceLinkedRole'],
        resources: ['*'],
        conditions: { StringEquals: { 'iam:AWSServiceName': 'replication.dynamodb.amazonaws.com' } },
      }),
    ],
  );
  Validations.of(stack).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    reason: 'Role of the CDK custom resource function that makes the copies.',
  });
  return { replica };
}
