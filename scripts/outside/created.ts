/** What the SDK tells of a created resource, in the shape of its template: one reader for each type. */
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetEventSourceMappingCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetBucketEncryptionCommand, S3Client } from '@aws-sdk/client-s3';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';

/** @param id of the resource: the physical one @returns what is there of its properties */
type Reader = (id: string, region: string) => Promise<Readonly<Record<string, unknown>>>;

/** By type; of the others, only that they were created is checked. */
export const readers: Readonly<Record<string, Reader>> = {
  'AWS::DynamoDB::Table': async (id, region) => {
    const { Table } = await new DynamoDBClient({ region }).send(new DescribeTableCommand({ TableName: id }));
    return { ...Table, ...Table?.BillingModeSummary };
  },
  'AWS::Lambda::EventSourceMapping': async (id, region) => {
    const mapping = await new LambdaClient({ region }).send(new GetEventSourceMappingCommand({ UUID: id }));
    return { ...mapping, FunctionName: mapping.FunctionArn };
  },
  'AWS::Lambda::Function': async (id, region) => ({
    ...(await new LambdaClient({ region }).send(new GetFunctionConfigurationCommand({ FunctionName: id }))),
  }),
  'AWS::S3::Bucket': async (id, region) => {
    const client = new S3Client({ region });
    const { ServerSideEncryptionConfiguration: { Rules = [] } = {} } = await client.send(
      new GetBucketEncryptionCommand({ Bucket: id }),
    );
    const rules = Rules.map((rule) => ({
      ServerSideEncryptionByDefault: rule.ApplyServerSideEncryptionByDefault,
    }));
    return { BucketName: id, BucketEncryption: { ServerSideEncryptionConfiguration: rules } };
  },
  'AWS::SNS::Topic': async (id, region) => {
    const { Attributes } = await new SNSClient({ region }).send(
      new GetTopicAttributesCommand({ TopicArn: id }),
    );
    return { ...Attributes, TopicName: id.split(':').at(-1) };
  },
  'AWS::SQS::Queue': async (id, region) => {
    // Queue URLs of moto have the host of AWS.
    const { Attributes = {} } = await new SQSClient({ region, useQueueUrlAsEndpoint: false }).send(
      new GetQueueAttributesCommand({ QueueUrl: id, AttributeNames: ['All'] }),
    );
    const { RedrivePolicy } = Attributes;
    return {
      ...Attributes,
      QueueName: id.split('/').at(-1),
      ...(RedrivePolicy && { RedrivePolicy: JSON.parse(RedrivePolicy) }),
    };
  },
};
