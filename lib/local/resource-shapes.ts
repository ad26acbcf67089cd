/**
 * Schemas of the resource properties that the local cloud reads. Strict schemas reject properties that AWS would honour
 * and the local cloud would not.
 */
import * as z from 'zod';
import { lifecycleShape } from './aws/s3-lifecycle.ts';
import { recursiveLoopSettings } from './function-thread.ts';
import { eventTypes } from './ses/events.ts';

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const ignored = z.unknown().optional();
const text = z.string();

const keySchema = z.array(z.object({ AttributeName: text, KeyType: z.enum(['HASH', 'RANGE']) }));

export const table = z.object({
  TableName: text,
  KeySchema: keySchema,
  AttributeDefinitions: z.array(z.object({ AttributeName: text, AttributeType: z.enum(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: text,
        KeySchema: keySchema,
        Projection: z.object({
          ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: z.array(text).optional(),
        }),
      }),
    )
    .default([]),
  StreamSpecification: z
    .object({ StreamViewType: z.enum(['NEW_IMAGE', 'NEW_AND_OLD_IMAGES', 'OLD_IMAGE', 'KEYS_ONLY']) })
    .optional(),
});

export const queue = z.strictObject({
  QueueName: text,
  FifoQueue: flag.default(false),
  VisibilityTimeout: z.number().default(30),
  DelaySeconds: z.number().default(0),
  MessageRetentionPeriod: z.number().default(345_600),
  ContentBasedDeduplication: flag.default(false),
  DeduplicationScope: z.enum(['queue', 'messageGroup']).default('queue'),
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: text, maxReceiveCount: z.number() }).optional(),
  // Throughput and encryption are not emulated.
  FifoThroughputLimit: ignored,
  SqsManagedSseEnabled: ignored,
  KmsMasterKeyId: ignored,
  Tags: ignored,
});

export const subscription = z.strictObject({
  TopicArn: text,
  Protocol: text,
  Endpoint: text,
  RawMessageDelivery: flag.pipe(z.literal(true)),
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: text }).optional(),
});

const texts = z.union([text, z.array(text)]);

export const policyDocument = z.object({
  Statement: z.array(
    z
      .strictObject({
        Effect: z.enum(['Allow', 'Deny']),
        Principal: z.union([z.literal('*'), z.record(text, texts)]).optional(),
        Action: texts,
        Resource: texts.optional(),
        Condition: z.record(text, z.record(text, z.union([text, z.number(), z.array(text)]))).optional(),
        Sid: ignored,
      })
      // The types of statements tell absent elements from undefined ones.
      .transform(({ Effect, Action, Principal, Resource, Condition }) => ({
        Effect,
        Action,
        ...(Principal !== undefined && { Principal }),
        ...(Resource !== undefined && { Resource }),
        ...(Condition !== undefined && { Condition }),
      })),
  ),
});

export const role = z.object({
  AssumeRolePolicyDocument: policyDocument,
  Policies: z.array(z.object({ PolicyName: text, PolicyDocument: policyDocument })).default([]),
  PermissionsBoundary: text.optional(),
});

export const managedPolicy = z.object({ PolicyDocument: policyDocument });

export const policy = z.object({ PolicyDocument: policyDocument, Roles: z.array(text).default([]) });

export const queuePolicy = z.strictObject({ Queues: z.array(text), PolicyDocument: policyDocument });
export const topicPolicy = z.strictObject({ Topics: z.array(text), PolicyDocument: policyDocument });
export const bucket = z.object({
  LifecycleConfiguration: lifecycleShape.optional(),
  CorsConfiguration: z
    .strictObject({
      CorsRules: z.array(
        z.strictObject({
          AllowedOrigins: z.array(text),
          AllowedMethods: z.array(text),
          AllowedHeaders: z.array(text).optional(),
          ExposedHeaders: z.array(text).optional(),
          MaxAge: z.number().optional(),
        }),
      ),
    })
    .optional(),
});

export const bucketPolicy = z.strictObject({ Bucket: text, PolicyDocument: policyDocument });
export const key = z.object({ KeyPolicy: policyDocument });
export const topic = z.object({ KmsMasterKeyId: text.optional() });

export const lambdaPermission = z.strictObject({
  Action: text,
  FunctionName: text,
  Principal: text,
  SourceArn: text.optional(),
  SourceAccount: text.optional(),
});

export const lambda = z.object({
  FunctionName: text.optional(),
  Handler: text,
  Role: text,
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  Environment: z.object({ Variables: z.record(text, text) }).default({ Variables: {} }),
  RecursiveLoop: z.enum(recursiveLoopSettings).default('Terminate'),
});

export const subscriptionFilter = z.strictObject({
  LogGroupName: text,
  FilterPattern: text,
  DestinationArn: text.regex(/^arn:aws:lambda:/),
});

const mappingOfAny = {
  FunctionName: text,
  EventSourceArn: text,
  Enabled: flag.default(true),
  BatchSize: z.number().optional(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  Tags: ignored,
};

export const queueMapping = z
  .strictObject({
    ...mappingOfAny,
    MaximumBatchingWindowInSeconds: z.number().default(0),
    ScalingConfig: z.strictObject({ MaximumConcurrency: z.int().min(2).max(1000) }).optional(),
    ProvisionedPollerConfig: z
      .strictObject({
        MinimumPollers: z.int().min(2).max(200).default(2),
        MaximumPollers: z.int().min(2).max(10_000).default(200),
      })
      .refine(({ MinimumPollers, MaximumPollers }) => MinimumPollers <= MaximumPollers, {
        error: 'MinimumPollers must not be above MaximumPollers',
      })
      .optional(),
  })
  .refine(({ ScalingConfig, ProvisionedPollerConfig }) => !ScalingConfig || !ProvisionedPollerConfig, {
    error: 'ScalingConfig and ProvisionedPollerConfig exclude each other',
  });

export const streamMapping = z.strictObject({
  ...mappingOfAny,
  StartingPosition: z.literal('TRIM_HORIZON'),
  MaximumBatchingWindowInSeconds: z.int().min(0).max(300).default(0),
  ParallelizationFactor: z.number().default(1),
  BisectBatchOnFunctionError: flag.default(false),
  MaximumRetryAttempts: z.number().default(-1),
  MaximumRecordAgeInSeconds: z.number().default(-1),
  FilterCriteria: z
    .strictObject({
      Filters: z.array(z.strictObject({ Pattern: text.transform((json): unknown => JSON.parse(json)) })),
    })
    .default({ Filters: [] }),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: text }) }).optional(),
});

const integration = z.object({
  type: z.literal('AWS_PROXY'),
  payloadFormatVersion: z.literal('2.0'),
  uri: text,
  credentials: text.optional(),
});

export const api = z.object({
  Body: z.object({
    paths: z.record(
      text,
      z.record(
        text,
        z.object({
          isDefaultRoute: z.boolean().default(false),
          'x-amazon-apigateway-integration': integration,
        }),
      ),
    ),
  }),
});

export const socketApi = z.strictObject({
  Name: ignored,
  ProtocolType: z.literal('WEBSOCKET'),
  RouteSelectionExpression: z.literal('$request.body.action'),
  Tags: ignored,
});

export const socketIntegration = z.strictObject({
  ApiId: text,
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: text,
});

export const socketRoute = z.strictObject({
  ApiId: text,
  RouteKey: text,
  AuthorizationType: z.literal('NONE'),
  Target: text,
});

export const socketStage = z.strictObject({
  ApiId: text,
  StageName: text,
  AutoDeploy: flag.pipe(z.literal(true)),
  // Not emulated.
  DefaultRouteSettings: ignored,
  AccessLogSettings: ignored,
  Tags: ignored,
});

export const stage = z.strictObject({
  ApiId: text,
  StageName: z.literal('$default'),
  AutoDeploy: flag,
  DefaultRouteSettings: z.strictObject({ ThrottlingBurstLimit: z.number(), ThrottlingRateLimit: z.number() }),
  AccessLogSettings: ignored,
  Tags: ignored,
});

export const schedule = z.strictObject({
  Name: text.optional(),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  ScheduleExpression: text,
  GroupName: text.default('default'),
  Target: z.strictObject({
    Arn: text,
    RoleArn: text,
    DeadLetterConfig: z.strictObject({ Arn: text }).optional(),
    RetryPolicy: ignored,
    Input: text.transform((json): unknown => JSON.parse(json)).optional(),
  }),
});

export const configurationSet = z.strictObject({
  Name: text,
  ReputationOptions: ignored,
  SendingOptions: z.strictObject({ SendingEnabled: z.literal(true) }).optional(),
  SuppressionOptions: z
    .strictObject({ SuppressedReasons: z.array(z.enum(['BOUNCE', 'COMPLAINT'])) })
    .optional(),
  Tags: ignored,
});

export const eventDestination = z.strictObject({
  ConfigurationSetName: text,
  EventDestination: z.strictObject({
    Name: ignored,
    Enabled: flag,
    MatchingEventTypes: z.array(z.enum(Object.keys(eventTypes) as (keyof typeof eventTypes)[])),
    SnsDestination: z.strictObject({ TopicARN: text }),
  }),
});

export const emailIdentity = z.object({ EmailIdentity: text });

export const receiptRule = z.strictObject({
  RuleSetName: text,
  Rule: z.strictObject({
    Name: text,
    Enabled: flag,
    ScanEnabled: flag,
    TlsPolicy: ignored,
    Recipients: z.array(text).optional(),
    Actions: z.tuple([
      z.strictObject({
        S3Action: z.strictObject({ BucketName: text, ObjectKeyPrefix: text.default(''), TopicArn: text }),
      }),
    ]),
  }),
});

/** The call of an AwsCustomResource, as JSON text. */
export const customCall = z.object({
  Create: text
    .transform((json): unknown => JSON.parse(json))
    .pipe(
      z.object({
        service: text,
        action: text,
        parameters: z.record(text, z.unknown()).default({}),
      }),
    ),
});
