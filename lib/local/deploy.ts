/** Creates the resources of the templates in the emulated services, as CloudFormation does. */
import { CreateTableCommand, type DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import type { Rate } from '../core/access/rate-bucket.ts';
import type { AccessControl } from './access-control.ts';
import type { Route } from './api.ts';
import { replicaOf } from './aws/dynamodb-index-lag.ts';
import { AwsError } from './aws/service.ts';
import type { Sns } from './aws/sns.ts';
import type { Sqs } from './aws/sqs.ts';
import type { LocalDns } from './dns/server.ts';
import type { FunctionSpec } from './function-thread.ts';
import { type EmulatedType, localApiId, localSocketApiId } from './resource-names.ts';
import * as shapes from './resource-shapes.ts';
import { lambdaAssumingRole } from './service-principals.ts';
import type { LocalServices } from './services.ts';
import type { LocalSes } from './ses/ses.ts';
import type { Deployment, Resource } from './template.ts';
import type { SocketApi } from './websocket-api.ts';

/** A resource that AWS would not create; the message names it and has AWS's error. */
export class DeploymentError extends Error {
  constructor({ stack, logicalId, type }: Resource, reason: string) {
    super(`${stack}/${logicalId} (${type}) cannot be created: ${reason}`);
    this.name = 'DeploymentError';
  }
}

/** The properties of a resource. @throws Error naming the resource when a property is not supported */
export function readProperties<S extends z.ZodType>(shape: S, resource: Resource): z.output<S> {
  const result = shape.safeParse(resource.properties);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new Error(
    `unsupported properties of ${resource.stack}/${resource.logicalId} (${resource.type}): ${issues}`,
  );
}

/** @throws DeploymentError with the AwsError of the creation */
function create(resource: Resource, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new DeploymentError(resource, `${error.code}: ${error.message}`);
  }
}

/** Creates all resources except functions, triggers and the API. */
export async function deployServices(
  deployment: Deployment,
  services: Pick<
    LocalServices,
    'dns' | 'dynamoDb' | 'indexLag' | 'kms' | 's3' | 'scheduler' | 'ses' | 'sns' | 'sqs'
  >,
): Promise<void> {
  const { kms, s3, scheduler, sns, sqs } = services;
  for (const key of deployment.ofType('AWS::KMS::Key')) kms.createKey(key.arn);
  for (const bucket of deployment.ofType('AWS::S3::Bucket')) {
    const { CorsConfiguration, LifecycleConfiguration } = readProperties(shapes.bucket, bucket);
    s3.createBucket(bucket.ref, { cors: CorsConfiguration?.CorsRules, lifecycle: LifecycleConfiguration });
  }
  for (const group of deployment.ofType('AWS::Scheduler::ScheduleGroup')) scheduler.createGroup(group.ref);
  for (const queue of deployment.ofType('AWS::SQS::Queue')) deployQueue(queue, sqs);
  for (const topic of deployment.ofType('AWS::SNS::Topic')) {
    sns.createTopic(topic.arn, readProperties(shapes.topic, topic).KmsMasterKeyId ?? null);
  }
  const queueArns = new Set(deployment.ofType('AWS::SQS::Queue').map(({ arn }) => arn));
  for (const subscription of deployment.ofType('AWS::SNS::Subscription')) {
    subscribe(subscription, sns, queueArns);
  }
  for (const table of deployment.ofType('AWS::DynamoDB::Table')) {
    await deployTable(table, services.dynamoDb);
    if (services.indexLag) await deployTable(table, services.dynamoDb, replicaOf(table.ref));
  }
  deploySending(deployment, services.ses, services.dns);
  deployReceiving(deployment, services.ses);
}

function deployQueue(resource: Resource, sqs: Sqs): void {
  const queue = readProperties(shapes.queue, resource);
  sqs.createQueue({
    name: queue.QueueName,
    region: resource.region,
    fifo: queue.FifoQueue,
    visibilitySeconds: queue.VisibilityTimeout,
    delaySeconds: queue.DelaySeconds,
    retentionSeconds: queue.MessageRetentionPeriod,
    contentBasedDeduplication: queue.ContentBasedDeduplication,
    deduplicationScope: queue.DeduplicationScope,
    ...(queue.RedrivePolicy && {
      redrive: {
        dlqArn: queue.RedrivePolicy.deadLetterTargetArn,
        maxReceiveCount: queue.RedrivePolicy.maxReceiveCount,
      },
    }),
  });
}

/** Queues of a standby are not there. */
function subscribe(resource: Resource, sns: Sns, queueArns: ReadonlySet<string>): void {
  const { TopicArn, Protocol, Endpoint, RedrivePolicy } = readProperties(shapes.subscription, resource);
  if (Protocol === 'email') {
    sns.subscribeEmail(TopicArn, Endpoint);
    return;
  }
  if (Protocol !== 'sqs') throw new Error(`unsupported subscription protocol ${Protocol}`);
  if (!queueArns.has(Endpoint)) return;
  sns.subscribe(TopicArn, Endpoint, RedrivePolicy && { redriveArn: RedrivePolicy.deadLetterTargetArn });
}

/** @param replica name of a replica to create instead, without a stream */
async function deployTable(resource: Resource, dynamoDb: DynamoDBClient, replica?: string): Promise<void> {
  const {
    StreamSpecification: stream,
    GlobalSecondaryIndexes,
    ...table
  } = readProperties(shapes.table, resource);
  try {
    await dynamoDb.send(
      new CreateTableCommand({
        ...table,
        GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(({ Projection, ...index }) => ({
          ...index,
          Projection: {
            ProjectionType: Projection.ProjectionType,
            ...(Projection.NonKeyAttributes && { NonKeyAttributes: Projection.NonKeyAttributes }),
          },
        })),
        BillingMode: 'PAY_PER_REQUEST',
        ...(replica && { TableName: replica }),
        ...(stream && !replica && { StreamSpecification: { StreamEnabled: true, ...stream } }),
      }),
    );
  } catch (error) {
    // An earlier run with `--data` created it.
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

function deploySending(deployment: Deployment, ses: LocalSes, dns: Pick<LocalDns, 'publish'>): void {
  for (const set of deployment.ofType('AWS::SES::ConfigurationSet')) {
    const destinations = deployment
      .ofType('AWS::SES::ConfigurationSetEventDestination')
      .filter(({ region }) => region === set.region)
      .map((resource) => ({ resource, ...readProperties(shapes.eventDestination, resource) }))
      .filter(({ ConfigurationSetName }) => ConfigurationSetName === set.ref);
    const [destination, ...more] = destinations;
    if (!destination || more.length > 0) {
      throw new Error(`the configuration set ${set.ref} needs exactly one event destination`);
    }
    const { SuppressionOptions } = readProperties(shapes.configurationSet, set);
    const { Enabled, MatchingEventTypes, SnsDestination } = destination.EventDestination;
    create(destination.resource, () =>
      ses.setConfigurationSet(set.region, set.ref, {
        topicArn: SnsDestination.TopicARN,
        eventTypes: Enabled ? MatchingEventTypes : [],
        ...(SuppressionOptions && { suppressedReasons: SuppressionOptions.SuppressedReasons }),
      }),
    );
  }
  for (const resource of deployment.ofType('AWS::SES::EmailIdentity')) {
    const name = readProperties(shapes.emailIdentity, resource).EmailIdentity;
    ses.addVerifiedIdentity(resource.region, name);
    // As the operator does with the outputs of the stack.
    const value = `inbound-smtp.${resource.region}.amazonaws.com`;
    dns.publish({ type: 'MX', name: `*.${name}`, value, priority: 10, ttl: 60 });
  }
}

/** CloudFormation cannot activate a rule set; a custom resource of the template does. */
function deployReceiving(deployment: Deployment, ses: LocalSes): void {
  const activated = new Map<string, unknown>();
  for (const resource of deployment.ofType('Custom::ActiveReceiptRuleSet')) {
    const { action, parameters } = readProperties(shapes.customCall, resource).Create;
    if (action.toLowerCase() !== 'setactivereceiptruleset') {
      throw new Error(`unsupported custom resource call ${action}`);
    }
    activated.set(resource.region, parameters.RuleSetName);
  }
  for (const set of deployment.ofType('AWS::SES::ReceiptRuleSet')) {
    const rules = deployment
      .ofType('AWS::SES::ReceiptRule')
      .filter(({ region }) => region === set.region)
      .map((resource) => readProperties(shapes.receiptRule, resource))
      .filter(({ RuleSetName }) => RuleSetName === set.ref);
    create(set, () =>
      ses.setReceiptRuleSet(set.region, {
        name: set.ref,
        active: activated.get(set.region) === set.ref,
        rules: rules.map(({ Rule }) => {
          const { BucketName, ObjectKeyPrefix, TopicArn } = Rule.Actions[0].S3Action;
          return {
            name: Rule.Name,
            enabled: Rule.Enabled,
            scanEnabled: Rule.ScanEnabled,
            s3: { bucket: BucketName, prefix: ObjectKeyPrefix, topicArn: TopicArn },
            ...(Rule.Recipients && { recipients: Rule.Recipients }),
          };
        }),
      }),
    );
  }
}

/** A function with the ARN of its role. */
export type DeployedFunction = FunctionSpec & { readonly roleArn: string };

/**
 * The Lambda functions of the templates.
 *
 * @throws DeploymentError when Lambda cannot assume an execution role
 */
export function functionsOf(
  deployment: Deployment,
  access: Pick<AccessControl, 'mayAssume'>,
): DeployedFunction[] {
  return deployment.ofType('AWS::Lambda::Function').map((resource) => {
    const lambda = readProperties(shapes.lambda, resource);
    if (!access.mayAssume(lambdaAssumingRole, lambda.Role)) {
      throw new DeploymentError(
        resource,
        'InvalidParameterValueException: The role defined for the function cannot be assumed by Lambda.',
      );
    }
    return {
      name: resource.ref,
      arn: resource.arn,
      codeFolder: resource.codeFolder ?? '',
      handler: lambda.Handler,
      timeoutSeconds: lambda.Timeout,
      memoryMb: lambda.MemorySize,
      environment: lambda.Environment.Variables,
      recursiveLoop: lambda.RecursiveLoop,
      roleArn: lambda.Role,
    };
  });
}

/** How many requests the stage of the HTTP API takes. */
export function stageRateOf(deployment: Deployment): Rate {
  const [stage] = deployment.ofType('AWS::ApiGatewayV2::Stage').filter(({ ref }) => ref === '$default');
  if (!stage) throw new Error('the API has no stage');
  const { DefaultRouteSettings } = readProperties(shapes.stage, stage);
  return {
    capacity: DefaultRouteSettings.ThrottlingBurstLimit,
    unitsPerSecond: DefaultRouteSettings.ThrottlingRateLimit,
  };
}

/** The routes of the HTTP API. */
export function routesOf(deployment: Deployment): Route[] {
  const apis = deployment.ofType('AWS::ApiGatewayV2::Api').filter(({ ref }) => ref === localApiId);
  return apis.flatMap((resource) =>
    Object.entries(readProperties(shapes.api, resource).Body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method === 'x-amazon-apigateway-any-method' ? '*' : method.toUpperCase(),
        path: operation.isDefaultRoute ? null : path,
        functionArn: functionArnIn(operation['x-amazon-apigateway-integration'].uri),
        credentialsArn: operation['x-amazon-apigateway-integration'].credentials ?? null,
      })),
    ),
  );
}

/** The WebSocket API; null: the deployment has none. */
export function socketApiOf(deployment: Deployment): SocketApi | null {
  const api = deployment.ofType('AWS::ApiGatewayV2::Api').find(({ ref }) => ref === localSocketApiId);
  if (!api) return null;
  readProperties(shapes.socketApi, api);
  const ofApi = <T extends { readonly ApiId: string }>(type: EmulatedType, shape: z.ZodType<T>) =>
    deployment
      .ofType(type)
      .filter(({ properties }) => properties.ApiId === api.ref)
      .map((resource) => ({ ref: resource.ref, ...readProperties(shape, resource) }));
  const integrations = new Map(
    ofApi('AWS::ApiGatewayV2::Integration', shapes.socketIntegration).map(({ ref, IntegrationUri }) => [
      `integrations/${ref}`,
      functionArnIn(IntegrationUri),
    ]),
  );
  const [stage] = ofApi('AWS::ApiGatewayV2::Stage', shapes.socketStage);
  if (!stage) throw new Error('the WebSocket API has no stage');
  const routes = ofApi('AWS::ApiGatewayV2::Route', shapes.socketRoute).map(({ RouteKey, Target }) => [
    RouteKey,
    integrations.get(Target) ?? '',
  ]);
  return { apiId: api.ref, stage: stage.StageName, routes: Object.fromEntries(routes) };
}

/** `arn:…:lambda:path/2015-03-31/functions/<ARN>/invocations`. */
function functionArnIn(uri: string): string {
  const arn = /\/functions\/(.+)\/invocations$/.exec(uri)?.[1];
  if (!arn) throw new Error(`${uri} names no function`);
  return arn;
}
