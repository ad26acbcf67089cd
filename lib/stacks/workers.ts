/** The queues with their consumers, the relay on the table's stream, and the clock of what is due later. */
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { FunctionGroup } from '../constructs/function-group.ts';
import { consumeStatement, type GrantTargets, statementsOf, streamStatements } from '../constructs/grants.ts';
import { mailTopics } from '../constructs/names.ts';
import { snsPrincipals } from '../constructs/sns-principals.ts';
import { type QueueName, queues } from '../core/access.ts';
import type { WorkerContract } from '../core/worker.ts';
import { outboxPrefix } from '../storage/keys.ts';

/** A message is tried this often before it goes to the dead-letter queue, unless its consumer says otherwise. */
const receivesMaxByDefault = 10;

type Trigger<K extends WorkerContract['trigger']['kind']> = Extract<WorkerContract['trigger'], { kind: K }>;

export interface WorkersStackProps extends StackProps {
  readonly workers: readonly WorkerContract[];
  readonly targets: GrantTargets;
  readonly environment: Readonly<Record<string, string>>;
  readonly code: string;
  readonly tableStreamArn: string;
}

export class WorkersStack extends Stack {
  readonly functions: FunctionGroup;
  /** Takes the outbox items that the relay gave up on. */
  readonly outboxDeadLetters: Queue;
  readonly #props: WorkersStackProps;
  readonly #queues = new Map<QueueName, Queue>();

  constructor(scope: Construct, id: string, props: WorkersStackProps) {
    super(scope, id, props);
    this.#props = props;
    const { names } = props.targets;
    for (const name of Object.keys(queues) as QueueName[]) this.#queues.set(name, this.#queue(name));
    this.outboxDeadLetters = this.#deadLetterQueue('outbox');
    this.#schedules();
    const logGroupName = names.logGroup('workers');
    this.functions = new FunctionGroup(this, 'Functions', {
      code: props.code,
      environment: props.environment,
      logGroupName,
      logGroupArn: names.arn('logs', `log-group:${logGroupName}`),
    });
    for (const worker of props.workers) this.#worker(worker);
  }

  /** A queue with its dead-letter queue, shaped by its consumer. */
  #queue(name: QueueName): Queue {
    const { targets, workers } = this.#props;
    const consumer = workers.find(({ trigger }) => trigger.kind === 'queue' && trigger.queue === name);
    if (!consumer) throw new Error(`no worker consumes the queue ${name}`);
    const deadLetters = this.#deadLetterQueue(name);
    const queue = new Queue(this, `${pascal(name)}Queue`, {
      ...queueDefaults,
      queueName: targets.names.queue(name),
      // Six times the consumer's timeout, as Lambda advises: its own retries fit in.
      visibilityTimeout: Duration.seconds(6 * consumer.timeoutSeconds),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: consumer.receivesMax ?? receivesMaxByDefault },
      ...(queues[name].fifo && {
        fifo: true,
        deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
        fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      }),
    });
    const topic = mailTopics.find((topic) => topic === name);
    if (topic) {
      queue.addToResourcePolicy(
        new PolicyStatement({
          principals: snsPrincipals(targets.mailRegions, targets.names.homeRegion),
          actions: ['sqs:SendMessage'],
          resources: [queue.queueArn],
          conditions: {
            ArnEquals: {
              'aws:SourceArn': targets.mailRegions.map((region) => targets.names.topicArn(topic, region)),
            },
          },
        }),
      );
    }
    return queue;
  }

  #deadLetterQueue(name: QueueName | 'outbox'): Queue {
    return new Queue(this, `${pascal(name)}DeadLetters`, {
      ...queueDefaults,
      queueName: this.#props.targets.names.deadLetterQueue(name),
      ...(name !== 'outbox' && queues[name].fifo && { fifo: true }),
    });
  }

  /** The group of one-time schedules, and the role with which they put messages into the delay queue. */
  #schedules(): void {
    const { names } = this.#props.targets;
    new CfnScheduleGroup(this, 'ScheduleGroup', { name: names.scheduleGroup });
    new Role(this, 'SchedulerRole', {
      roleName: names.schedulerRole,
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': names.account },
          ArnLike: { 'aws:SourceArn': names.arn('scheduler', `schedule-group/${names.scheduleGroup}`) },
        },
      }),
      inlinePolicies: {
        wake: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [names.queueArn('delays')] }),
          ],
        }),
      },
    });
  }

  #worker(worker: WorkerContract): void {
    const { trigger } = worker;
    switch (trigger.kind) {
      case 'queue':
        this.#consumer(worker, trigger);
        break;
      case 'outbox':
        this.#relay(worker, trigger);
        break;
      case 'every':
        this.#clockwork(worker, trigger);
        break;
    }
  }

  #function(worker: WorkerContract, triggerStatements: readonly PolicyStatement[]): LambdaFunction {
    const { targets } = this.#props;
    return this.functions.add({
      ...worker,
      functionName: targets.names.workerFunction(worker.id),
      statements: [...triggerStatements, ...statementsOf(worker.access, targets)],
    });
  }

  #consumer(worker: WorkerContract, trigger: Trigger<'queue'>): void {
    const queue = this.#queues.get(trigger.queue);
    if (!queue) throw new Error(`${worker.id} consumes ${trigger.queue}, which is no queue`);
    new EventSourceMapping(this, `${pascal(worker.id)}Source`, {
      target: this.#function(worker, [consumeStatement(queue.queueArn)]),
      eventSourceArn: queue.queueArn,
      batchSize: trigger.batchSize,
      reportBatchItemFailures: true,
      ...(trigger.concurrency !== undefined && { maxConcurrency: trigger.concurrency }),
    });
  }

  #relay(worker: WorkerContract, trigger: Trigger<'outbox'>): void {
    const { tableStreamArn } = this.#props;
    const deadLetters = this.outboxDeadLetters;
    new EventSourceMapping(this, `${pascal(worker.id)}Source`, {
      target: this.#function(worker, streamStatements(tableStreamArn, deadLetters.queueArn)),
      eventSourceArn: tableStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: trigger.batchSize,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      parallelizationFactor: 10,
      // No limit on tries or age: until the records expire after a day. What is given up on still lies in the table.
      retryAttempts: -1,
      onFailure: new SqsDlq(deadLetters),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { Keys: { sk: { S: FilterRule.beginsWith(outboxPrefix) } } },
        }),
      ],
    });
  }

  #clockwork(worker: WorkerContract, trigger: Trigger<'every'>): void {
    const target = this.#function(worker, []);
    const role = new Role(this, `${pascal(worker.id)}ClockRole`, {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': this.#props.targets.names.account } },
      }),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [target.functionArn] }),
          ],
        }),
      },
    });
    new CfnSchedule(this, `${pascal(worker.id)}Clock`, {
      flexibleTimeWindow: { mode: 'OFF' },
      scheduleExpression: `rate(${trigger.minutes} minute${trigger.minutes === 1 ? '' : 's'})`,
      target: { arn: target.functionArn, roleArn: role.roleArn },
    });
  }
}

const queueDefaults = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const;

/** `provider-events` is `ProviderEvents`. */
function pascal(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
