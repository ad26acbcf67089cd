/** `Ref` and attributes of each resource type, and which types the local cloud emulates. */
import { createHash } from 'node:crypto';
import { localAccount } from './aws/service.ts';
import type { Json } from './intrinsics.ts';

/** The inputs of a resource's name. */
export interface NamedResource {
  readonly stack: string;
  readonly region: string;
  readonly logicalId: string;
  /** An evaluated property; null: absent. */
  property(name: string): Json;
}

export interface ResourceIdentity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Base URLs that occur in names. */
export interface LocalUrls {
  /** Endpoint of the emulated services. */
  readonly gateway: string;
  readonly api: string;
}

/** Ids of the HTTP API and of the WebSocket API. */
export const localApiId = 'local';
export const localSocketApiId = 'local-live';

type NamingRule = (resource: NamedResource, urls: LocalUrls) => ResourceIdentity;

const arn = (service: string, region: string, resource: string): string =>
  `arn:aws:${service}:${region}:${localAccount}:${resource}`;

/** The name in a property, or a generated one. */
const nameFrom = (resource: NamedResource, property: string): string =>
  String(resource.property(property) ?? `${resource.stack}-${resource.logicalId}`);

/** Emulated resource types. */
export const namingRules = {
  'AWS::DynamoDB::Table': (table) => {
    const name = nameFrom(table, 'TableName');
    const own = arn('dynamodb', table.region, `table/${name}`);
    return { ref: name, attributes: { Arn: own, StreamArn: `${own}/stream/local` } };
  },
  'AWS::S3::Bucket': (bucket) => {
    const name = nameFrom(bucket, 'BucketName').toLowerCase();
    return { ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } };
  },
  'AWS::KMS::Key': (key) => {
    const digest = createHash('sha256').update(`${key.stack}/${key.logicalId}`).digest('hex');
    const id = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    return { ref: id, attributes: { Arn: arn('kms', key.region, `key/${id}`), KeyId: id } };
  },
  'AWS::SQS::Queue': (queue, urls) => {
    const name = nameFrom(queue, 'QueueName');
    const url = `${urls.gateway}/${localAccount}/${name}`;
    return {
      ref: url,
      attributes: { Arn: arn('sqs', queue.region, name), QueueName: name, QueueUrl: url },
    };
  },
  'AWS::SNS::Topic': (topic) => {
    const name = nameFrom(topic, 'TopicName');
    const own = arn('sns', topic.region, name);
    return { ref: own, attributes: { TopicArn: own, TopicName: name } };
  },
  // `Value` is what the template gives it.
  'AWS::SSM::Parameter': (parameter) => ({
    ref: nameFrom(parameter, 'Name'),
    attributes: { Value: String(parameter.property('Value')) },
  }),
  'AWS::SNS::Subscription': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::IAM::Role': (role) => {
    const name = nameFrom(role, 'RoleName');
    return { ref: name, attributes: { Arn: `arn:aws:iam::${localAccount}:role/${name}` } };
  },
  'AWS::IAM::Policy': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::IAM::ManagedPolicy': (policy) => {
    const own = `arn:aws:iam::${localAccount}:policy/${nameFrom(policy, 'ManagedPolicyName')}`;
    return { ref: own, attributes: { PolicyArn: own } };
  },
  'AWS::Lambda::Function': (lambda) => {
    const name = nameFrom(lambda, 'FunctionName');
    return { ref: name, attributes: { Arn: arn('lambda', lambda.region, `function:${name}`) } };
  },
  'AWS::Lambda::Permission': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::SQS::QueuePolicy': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::SNS::TopicPolicy': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::S3::BucketPolicy': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::Lambda::EventSourceMapping': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::ApiGatewayV2::Api': (api, urls) => {
    const isSocket = api.property('ProtocolType') === 'WEBSOCKET';
    const id = isSocket ? localSocketApiId : localApiId;
    const endpoint = isSocket ? urls.api.replace(/^http/, 'ws') : urls.api;
    return { ref: id, attributes: { ApiEndpoint: endpoint, ApiId: id } };
  },
  'AWS::ApiGatewayV2::Integration': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::ApiGatewayV2::Route': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::ApiGatewayV2::Stage': (stage) => ({ ref: nameFrom(stage, 'StageName'), attributes: {} }),
  'AWS::Scheduler::ScheduleGroup': (group) => {
    const name = nameFrom(group, 'Name');
    return { ref: name, attributes: { Arn: arn('scheduler', group.region, `schedule-group/${name}`) } };
  },
  'AWS::Scheduler::Schedule': (resource) => ({ ref: nameFrom(resource, 'Name'), attributes: {} }),
  'AWS::SES::EmailIdentity': (identity) => ({ ref: nameFrom(identity, 'EmailIdentity'), attributes: {} }),
  'AWS::SES::ConfigurationSet': (set) => ({ ref: nameFrom(set, 'Name'), attributes: {} }),
  'AWS::SES::ConfigurationSetEventDestination': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::SES::ReceiptRuleSet': (set) => ({ ref: nameFrom(set, 'RuleSetName'), attributes: {} }),
  'AWS::SES::ReceiptRule': (rule) => ({ ref: rule.logicalId, attributes: {} }),
  'AWS::CloudWatch::Alarm': (alarm) => {
    const name = nameFrom(alarm, 'AlarmName');
    return { ref: name, attributes: { Arn: arn('cloudwatch', alarm.region, `alarm:${name}`) } };
  },
  'AWS::Logs::MetricFilter': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  'AWS::Logs::SubscriptionFilter': (resource) => ({ ref: resource.logicalId, attributes: {} }),
  /** A call to an AWS API made at deployment: the activation of the receipt rule set. */
  'Custom::ActiveReceiptRuleSet': (resource) => ({ ref: resource.logicalId, attributes: {} }),
} as const satisfies Record<string, NamingRule>;

export type EmulatedType = keyof typeof namingRules;

/** Types without effect on local behaviour, with the reason. */
const ignoredTypes: Record<string, string> = {
  'AWS::CDK::Metadata': 'usage statistics of the CDK',
  'AWS::CloudWatch::Dashboard': 'nothing looks at it',
  'AWS::Budgets::Budget': 'nothing costs anything',
  'AWS::CE::AnomalyMonitor': 'nothing costs anything',
  'AWS::CE::AnomalySubscription': 'nothing costs anything',
  'AWS::Logs::LogGroup': 'logs are kept in memory',
  'AWS::KMS::Alias': 'keys are named by ARN',
  'Custom::CopyOfKey': 'there is one region of data',
  'Custom::CopyOfTable': 'there is one region of data',
};

/** Whether a type is emulated. @throws Error for an unknown type */
export function isEmulated(type: string): type is EmulatedType {
  if (type in namingRules) return true;
  if (type in ignoredTypes) return false;
  throw new Error(`unsupported resource type ${type}`);
}

/** `Ref` and attributes of a resource; ignored types have them too, because others may refer to them. */
export function identityOf(type: string, resource: NamedResource, urls: LocalUrls): ResourceIdentity {
  if (isEmulated(type)) return (namingRules[type] as NamingRule)(resource, urls);
  const name = `${resource.stack}-${resource.logicalId}`;
  return { ref: name, attributes: { Arn: arn('local', resource.region, name) } };
}
