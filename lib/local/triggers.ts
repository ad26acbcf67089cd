/** Starts the event source mappings and schedules of the templates. */

import type { DynamoDBRecord } from 'aws-lambda';
import type { AccessControl } from './access-control.ts';
import { type LocalClock, localAccount, type NeededPermission } from './aws/service.ts';
import type { BackgroundTask } from './background-task.ts';
import { type DeployedFunction, DeploymentError, readProperties } from './deploy.ts';
import type { Functions } from './functions.ts';
import type { Journal } from './journal.ts';
import * as shapes from './resource-shapes.ts';
import { startSchedules } from './schedules.ts';
import { schedulerAssumingRole } from './service-principals.ts';
import type { LocalServices } from './services.ts';
import { startQueueSource } from './sqs-event-source.ts';
import { type StreamSource, startStreamSource } from './stream-event-source.ts';
import type { StreamPosition } from './stream-partitions.ts';
import { createStreamReader, streamArnOf } from './stream-reader.ts';
import type { Deployment, Resource } from './template.ts';

export interface Triggers {
  readonly tasks: readonly BackgroundTask[];
  /** Call after a write to a table. */
  wakeStreams(): void;
  /** Call after the clock was moved. */
  catchUp(): void;
  close(): Promise<void>;
}

export interface TriggerOptions {
  readonly deployment: Deployment;
  readonly functions: Functions;
  readonly deployed: readonly DeployedFunction[];
  /** At the time of a call. */
  readonly access: Pick<AccessControl, 'roleMay'>;
  /** When a mapping or a schedule was made. */
  readonly accessOfTemplates: Pick<AccessControl, 'mayAssume' | 'roleMay'>;
  readonly services: Pick<LocalServices, 'dynamoDb' | 'streams' | 'sqs'>;
  readonly clock: Pick<LocalClock, 'at' | 'now'>;
  /** Whether the concurrency of queue mappings grows with their backlog. */
  readonly scalesPollers: boolean;
  /** Whether queue mappings wait for their batching windows. Those of streams always do. */
  readonly waitsForBatches: boolean;
  /** null: positions in streams do not outlive the process. */
  readonly journal: Journal | null;
  readonly onProgress: () => void;
  /** Called before each invocation for a stream, with the age of the last record. */
  readonly onStreamBatch: (functionName: string, ageMs: number) => void;
}

export async function startTriggers(options: TriggerOptions): Promise<Triggers> {
  const { deployment, functions, clock } = options;
  const queues: BackgroundTask[] = [];
  const streams: StreamSource[] = [];
  for (const mapping of deployment.ofType('AWS::Lambda::EventSourceMapping')) {
    const source = String(mapping.properties.EventSourceArn);
    if (source.includes(':sqs:')) queues.push(startQueue(mapping, options));
    else streams.push(await startStream(mapping, options));
  }
  const schedules = startSchedules({
    schedules: deployment.ofType('AWS::Scheduler::Schedule').map((resource) => {
      const { ScheduleExpression, Target } = readProperties(shapes.schedule, resource);
      checkScheduleRole(resource, options.accessOfTemplates);
      return {
        expression: ScheduleExpression,
        functionArn: Target.Arn,
        input: Target.Input,
        mayInvoke: () =>
          options.access.roleMay(Target.RoleArn, { action: 'lambda:InvokeFunction', resource: Target.Arn }),
      };
    }),
    clock,
    invoke: functions.invoke,
  });
  const tasks = [...queues, ...streams];
  return {
    tasks,
    wakeStreams: () => {
      for (const stream of streams) stream.wake();
    },
    catchUp: schedules.catchUp,
    async close() {
      schedules.close();
      await Promise.all(tasks.map((task) => task.close()));
    },
  };
}

function startQueue(mapping: Resource, options: TriggerOptions): BackgroundTask {
  const source = readProperties(shapes.queueMapping, mapping);
  const { ProvisionedPollerConfig: pollers } = source;
  const { arn, roleArn } = functionOf(source.FunctionName, options);
  checkSourcePermissions(
    source,
    ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    options,
  );
  return startQueueSource({
    spec: {
      functionArn: arn,
      queueArn: source.EventSourceArn,
      batchSize: source.BatchSize ?? 10,
      windowSeconds: options.waitsForBatches ? source.MaximumBatchingWindowInSeconds : 0,
      reportsFailures: source.FunctionResponseTypes.length > 0,
      ...(source.ScalingConfig && { concurrency: source.ScalingConfig.MaximumConcurrency }),
      ...(pollers && { pollers: { minimum: pollers.MinimumPollers, maximum: pollers.MaximumPollers } }),
    },
    queue: options.services.sqs.queue(source.EventSourceArn),
    region: mapping.region,
    invoke: options.functions.invoke,
    mayReceive: () =>
      options.access.roleMay(roleArn, { action: 'sqs:ReceiveMessage', resource: source.EventSourceArn }),
    clock: options.clock,
    scales: options.scalesPollers,
    onProgress: options.onProgress,
  });
}

async function startStream(mapping: Resource, options: TriggerOptions): Promise<StreamSource> {
  const source = readProperties(shapes.streamMapping, mapping);
  const { arn, name, roleArn } = functionOf(source.FunctionName, options);
  checkSourcePermissions(
    source,
    ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    options,
  );
  const destination = source.DestinationConfig?.OnFailure.Destination;
  if (destination !== undefined) {
    checkRolePermission(source.FunctionName, { action: 'sqs:SendMessage', resource: destination }, options);
  }
  const table = options.deployment
    .ofType('AWS::DynamoDB::Table')
    .find((resource) => source.EventSourceArn.startsWith(`${resource.arn}/stream/`));
  if (!table)
    throw new Error(
      `${mapping.logicalId} reads ${source.EventSourceArn}, which is not a stream of the templates`,
    );
  const { KeySchema } = readProperties(shapes.table, table);
  const { dynamoDb, streams } = options.services;
  return startStreamSource({
    spec: {
      functionArn: arn,
      streamArn: source.EventSourceArn,
      partitionKey: KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '',
      batchSize: source.BatchSize ?? 100,
      windowSeconds: source.MaximumBatchingWindowInSeconds,
      parallelization: source.ParallelizationFactor,
      patterns: source.FilterCriteria.Filters.map(({ Pattern }) => Pattern),
      retriesMax: source.MaximumRetryAttempts,
      recordAgeSecondsMax: source.MaximumRecordAgeInSeconds,
      bisects: source.BisectBatchOnFunctionError,
      reportsFailures: source.FunctionResponseTypes.length > 0,
      onFailureArn: destination ?? null,
    },
    read: createStreamReader({
      client: streams,
      streamArn: await streamArnOf(dynamoDb, table.ref),
      sourceArn: source.EventSourceArn,
      region: mapping.region,
    }),
    invoke: (functionArn, event) => {
      options.onStreamBatch(name, ageOfLast(event, options.clock.now()));
      return options.functions.invoke(functionArn, event);
    },
    deadLetter: (queueArn, body) => void options.services.sqs.send(queueArn, { body }),
    mayRead: () =>
      options.access.roleMay(roleArn, { action: 'dynamodb:GetRecords', resource: source.EventSourceArn }),
    clock: options.clock,
    ...(source.ParallelizationFactor === 1 && { position: positionOf(name, options) }),
    onProgress: options.onProgress,
    onError: (error) => console.error(`the stream of ${name} could not be read:`, error),
  });
}

/** undefined: it does not outlive the process. */
function positionOf(functionName: string, { journal }: TriggerOptions): StreamPosition | undefined {
  const positions = journal?.map<string>('stream positions');
  return (
    positions && {
      get: () => positions.get(functionName),
      set: (sequenceNumber) => positions.set(functionName, sequenceNumber),
    }
  );
}

/** `IteratorAge` ("Types of metrics for Lambda functions"). */
function ageOfLast(event: { readonly Records: readonly DynamoDBRecord[] }, nowMs: number): number {
  const createdAt = event.Records.at(-1)?.dynamodb?.ApproximateCreationDateTime;
  return createdAt === undefined ? 0 : nowMs - createdAt * 1000;
}

function functionOf(nameOrArn: string, { deployed }: TriggerOptions): DeployedFunction {
  const found = deployed.find(({ name, arn }) => name === nameOrArn || arn === nameOrArn);
  if (!found) throw new Error(`there is no function ${nameOrArn}`);
  return found;
}

/** Lambda polls with the function's role and rejects a mapping whose role lacks the permissions. */
function checkSourcePermissions(
  source: { FunctionName: string; EventSourceArn: string },
  actions: readonly string[],
  options: TriggerOptions,
): void {
  for (const action of actions) {
    checkRolePermission(source.FunctionName, { action, resource: source.EventSourceArn }, options);
  }
}

function checkRolePermission(functionName: string, needed: NeededPermission, options: TriggerOptions): void {
  const { roleArn, name } = functionOf(functionName, options);
  if (options.accessOfTemplates.roleMay(roleArn, needed)) return;
  throw new Error(`the role of ${name} does not allow ${needed.action} on ${needed.resource}`);
}

/** Scheduler checks the trust policy on creation; the permission to invoke the target only counts when it fires. */
function checkScheduleRole(resource: Resource, access: TriggerOptions['accessOfTemplates']): void {
  const { GroupName, Target } = readProperties(shapes.schedule, resource);
  if (!access.mayAssume(schedulerAssumingRole(resource.region, localAccount, GroupName), Target.RoleArn)) {
    const reason = 'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.';
    throw new DeploymentError(resource, `ValidationException: ${reason}`);
  }
  if (!access.roleMay(Target.RoleArn, { action: 'lambda:InvokeFunction', resource: Target.Arn })) {
    throw new DeploymentError(resource, `${Target.RoleArn} may not invoke ${Target.Arn}`);
  }
}
