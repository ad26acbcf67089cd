/** What each resource type is called locally: its `Ref` and its attributes. Also: which types matter here at all. */
import { createHash } from 'node:crypto';
import { localAccount } from './aws/service.ts';
import type { Json } from './intrinsics.ts';

/** What a name is made of. */
export interface Named {
  readonly stack: string;
  readonly region: string;
  readonly logicalId: string;
  /** An evaluated property, or null. */
  property(name: string): Json;
}

export interface Identity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Base URLs of the local run that names are built from. */
export interface LocalUrls {
  /** Endpoint of the emulated services. */
  readonly gateway: string;
  readonly api: string;
}

type Naming = (resource: Named, urls: LocalUrls) => Identity;

const arn = (service: string, region: string, resource: string): string =>
  `arn:aws:${service}:${region}:${localAccount}:${resource}`;

/** The given name, or one that CloudFormation would make up. */
const nameOf = (resource: Named, property: string): string =>
  String(resource.property(property) ?? `${resource.stack}-${resource.logicalId}`);

/** Resource types that the local cloud wires. */
export const namings = {
  'AWS::DynamoDB::Table': (table) => {
    const name = nameOf(table, 'TableName');
    const own = arn('dynamodb', table.region, `table/${name}`);
    return { ref: name, attributes: { Arn: own, StreamArn: `${own}/stream/local` } };
  },
  'AWS::S3::Bucket': (bucket) => {
    const name = nameOf(bucket, 'BucketName').toLowerCase();
    return { ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } };
  },
  'AWS::KMS::Key': (key) => {
    const digest = createHash('sha256').update(`${key.stack}/${key.logicalId}`).digest('hex');
    const id = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    return { ref: id, attributes: { Arn: arn('kms', key.region, `key/${id}`), KeyId: id } };
  },
  'AWS::SQS::Queue': (queue, urls) => {
    const name = nameOf(queue, 'QueueName');
    const url = `${urls.gateway}/${localAccount}/${name}`;
    return {
      ref: url,
      attributes: { Arn: arn('sqs', queue.region, name), QueueName: name, QueueUrl: url },
    };
  },
  'AWS::SNS::Topic': (topic) => {
    const name = nameOf(topic, 'TopicName');
    const own = arn('sns', topic.region, name);
    return { ref: own, attributes: { TopicArn: own, TopicName: name } };
  },
  'AWS::SNS::Subscription': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::IAM::Role': (role) => {
    const name = nameOf(role, 'RoleName');
    return { ref: name, attributes: { Arn: `arn:aws:iam::${localAccount}:role/${name}` } };
  },
  'AWS::IAM::Policy': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::Lambda::Function': (lambda) => {
    const name = nameOf(lambda, 'FunctionName');
    return { ref: name, attributes: { Arn: arn('lambda', lambda.region, `function:${name}`) } };
  },
  'AWS::Lambda::EventSourceMapping': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::ApiGatewayV2::Api': (_, urls) => ({
    ref: 'local',
    attributes: { ApiEndpoint: urls.api, ApiId: 'local' },
  }),
  'AWS::Scheduler::ScheduleGroup': (group) => {
    const name = nameOf(group, 'Name');
    return { ref: name, attributes: { Arn: arn('scheduler', group.region, `schedule-group/${name}`) } };
  },
  'AWS::Scheduler::Schedule': (resource) => ({ ref: nameOf(resource, 'Name'), attributes: {} }),
  'AWS::SES::EmailIdentity': (identity) => ({ ref: nameOf(identity, 'EmailIdentity'), attributes: {} }),
  'AWS::SES::ConfigurationSet': (set) => ({ ref: nameOf(set, 'Name'), attributes: {} }),
  'AWS::SES::ConfigurationSetEventDestination': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::SES::ReceiptRuleSet': (set) => ({ ref: nameOf(set, 'RuleSetName'), attributes: {} }),
  'AWS::SES::ReceiptRule': (rule) => ({ ref: rule.logicalId, attributes: {} }),
  /** A call to an AWS API made at deployment: the activation of the receipt rule set. */
  'Custom::ActiveReceiptRuleSet': (resource) => ({ ref: resource.logicalId, attributes: {} }),
} as const satisfies Record<string, Naming>;

export type WiredType = keyof typeof namings;

/** Types that change nothing that a program could notice locally. */
const irrelevant: Record<string, string> = {
  'AWS::CDK::Metadata': 'usage statistics of the CDK',
  'AWS::CloudWatch::Alarm': 'nobody is on call',
  'AWS::CloudWatch::Dashboard': 'nobody looks',
  'AWS::Logs::LogGroup': 'logs go to the terminal',
  'AWS::Logs::MetricFilter': 'there are no metrics',
  'AWS::KMS::Alias': 'keys are named by ARN',
  'AWS::S3::BucketPolicy': 'guards against other accounts and plain http',
  'AWS::SNS::TopicPolicy': 'lets AWS services in, which are emulated in process',
  'AWS::SQS::QueuePolicy': 'lets AWS services in, which are emulated in process',
  'AWS::ApiGatewayV2::Stage': 'the only stage is $default',
};

/** Whether a type is wired; an unknown one is an error, so that nothing is deployed that the local run lacks. */
export function isWired(type: string): type is WiredType {
  if (type in namings) return true;
  if (type in irrelevant) return false;
  throw new Error(`the local cloud knows no resource of type ${type}`);
}

/** The local identity of a resource. Irrelevant ones have one too, since others may name them. */
export function identityOf(type: string, resource: Named, urls: LocalUrls): Identity {
  if (isWired(type)) return (namings[type] as Naming)(resource, urls);
  const name = `${resource.stack}-${resource.logicalId}`;
  return { ref: name, attributes: { Arn: arn('local', resource.region, name) } };
}
