/** Queues with their consumers, those of the table's stream, and schedules. */
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type EventSourceMappingOptions,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { addClock } from '../constructs/clock.ts';
import { type WorkerConcurrency, workerConcurrency } from '../constructs/concurrency.ts';
import { FunctionGroup } from '../constructs/function-group.ts';
import {
  consumeStatement,
  deadLetterStatement,
  type GrantTargets,
  statementsOf,
  streamStatement,
} from '../constructs/grants.ts';
import { LiveApi } from '../constructs/live-api.ts';
import { type DeadLetterSource, isFifo, mailTopics } from '../constructs/names.ts';
import { snsPrincipals } from '../constructs/sns-principals.ts';
import { type QueueName, queues } from '../core/access/access.ts';
import type { WorkerContract } from '../core/work/worker.ts';
import { outboxAttribute } from '../storage/table/keys.ts';

/** Receives before a message goes to the dead-letter queue, unless the contract of its consumer says otherwise. */
const receivesMaxByDefault = 10;

/** What an idle standby keeps of the notifications that the home region gets, too: it works on all of them when it takes over. */
const idleRetention = Duration.hours(4);

/** Retries of the relay for a record, with Lambda's backoff in between. */
const relayRetriesMax = 20;

type Trigger<K extends WorkerContract['trigger']['kind']> = Extract<WorkerContract['trigger'], { kind: K }>;

export interface WorkersStackProps extends StackProps {
  readonly workers: readonly WorkerContract[];
  /** Concurrent executions of the account. */
  readonly lambdaConcurrency: number;
  readonly targets: GrantTargets;
  readonly environment: Readonly<Record<string, string>>;
  readonly code: string;
  readonly tableStreamArn: string;
  /** Of a standby; absent: the deployment has data of its own. */
  readonly standby?: { readonly works: boolean };
}

export class WorkersStack extends Stack {
  readonly functions: FunctionGroup;
  /** Failure destination of the relay's event source mapping. */
  readonly outboxDeadLetters: Queue;
  /** Dead-letter queue of the one-time schedules. */
  readonly scheduleDeadLetters: Queue;
  /** The WebSocket API. */
  readonly live: LiveApi;
  readonly #props: WorkersStackProps;
  readonly #concurrency: WorkerConcurrency;
  readonly #queues = new Map<QueueName, Queue>();

  constructor(scope: Construct, id: string, props: WorkersStackProps) {
    super(scope, id, props);
    this.live = new LiveApi(this, 'Live', props.targets.names);
    this.#props = {
      ...props,
      targets: { ...props.targets, liveConnectionsArn: this.live.connectionsArn },
    };
    this.#concurrency = workerConcurrency(props.workers, props.lambdaConcurrency);
    const { names } = props.targets;
    for (const name of Object.keys(queues) as QueueName[]) this.#queues.set(name, this.#queue(name));
    this.outboxDeadLetters = this.#deadLetterQueue('outbox');
    this.scheduleDeadLetters = this.#deadLetterQueue('schedules');
    this.#schedules();
    const logGroupName = names.logGroup('workers');
    this.functions = new FunctionGroup(this, 'Functions', {
      code: props.code,
      environment: { ...props.environment, LIVE_URL: this.live.url },
      logGroupName,
      logGroupArn: names.arn('logs', `log-group:${logGroupName}`),
    });
    for (const worker of props.workers) this.#worker(worker);
  }

  /** A queue with its dead-letter queue; its consumer determines the visibility timeout. */
  #queue(name: QueueName): Queue {
    const { targets, workers } = this.#props;
    const consumer = workers.find(({ trigger }) => trigger.kind === 'queue' && trigger.queue === name);
    if (!consumer) throw new Error(`no worker consumes the queue ${name}`);
    const deadLetters = this.#deadLetterQueue(name);
    const topic = mailTopics.find((topic) => topic === name);
    const queue = new Queue(this, `${pascal(name)}Queue`, {
      ...queueDefaults,
      queueName: targets.names.queue(name),
      ...(topic && this.#isIdle() && { retentionPeriod: idleRetention }),
      visibilityTimeout: Duration.seconds(visibilitySecondsOf(consumer)),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: consumer.receivesMax ?? receivesMaxByDefault },
      ...(queues[name].fifo && {
        fifo: true,
        deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
        fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      }),
    });
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

  #deadLetterQueue(name: DeadLetterSource): Queue {
    return new Queue(this, `${pascal(name)}DeadLetters`, {
      ...queueDefaults,
      queueName: this.#props.targets.names.deadLetterQueue(name),
      ...(isFifo(name) && { fifo: true }),
    });
  }

  /** The group of one-time schedules, and the role with which they send messages to the delay queue. */
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
        send: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['sqs:SendMessage'],
              resources: [names.queueArn('delays'), names.deadLetterQueueArn('schedules')],
            }),
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
      case 'gathered-outbox':
        this.#gatherer(worker, trigger);
        break;
      case 'every':
        this.#periodic(worker, trigger);
        break;
      case 'socket':
        this.live.leadTo(this.#function(worker, []), this.#props.targets.names.homeRegion);
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
      ...(trigger.batchWindowSeconds !== undefined && {
        maxBatchingWindow: Duration.seconds(trigger.batchWindowSeconds),
      }),
      reportBatchItemFailures: true,
      ...this.#unlessIdle(),
      ...this.#scaling(worker),
    });
  }

  /** One excludes the other ("Configuring scaling behavior for SQS event source mappings", AWS Lambda Developer Guide). */
  #scaling(
    worker: WorkerContract,
  ): Pick<EventSourceMappingOptions, 'maxConcurrency' | 'provisionedPollerConfig'> {
    const pollers = this.#concurrency.pollersOf(worker);
    if (!pollers) return { maxConcurrency: this.#concurrency.maximumOf(worker) };
    return { provisionedPollerConfig: { minimumPollers: pollers.minimum, maximumPollers: pollers.maximum } };
  }

  #relay(worker: WorkerContract, trigger: Trigger<'outbox'>): void {
    const deadLetters = this.outboxDeadLetters;
    const statements = [
      streamStatement(this.#props.tableStreamArn),
      deadLetterStatement(deadLetters.queueArn),
    ];
    new EventSourceMapping(this, `${pascal(worker.id)}Source`, {
      target: this.#function(worker, statements),
      ...this.#newMessages(),
      batchSize: trigger.batchSize,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      parallelizationFactor: this.#concurrency.relayFactor,
      // A record that always fails would block its shard until it expires after 24 hours. The messages of a record that is
      // given up stay in the table, for `npm run admin -- outbox replay`.
      retryAttempts: relayRetriesMax,
      onFailure: new SqsDlq(deadLetters),
    });
  }

  /** A function may have done a part of a batch that fails: it is not tried again (docs/decisions/0089-usage-counted-apart.md). */
  #gatherer(worker: WorkerContract, trigger: Trigger<'gathered-outbox'>): void {
    new EventSourceMapping(this, `${pascal(worker.id)}Source`, {
      target: this.#function(worker, [streamStatement(this.#props.tableStreamArn)]),
      ...this.#newMessages(),
      batchSize: trigger.batchSize,
      maxBatchingWindow: Duration.seconds(trigger.batchWindowSeconds),
      retryAttempts: 0,
    });
  }

  /** New items of the table that carry messages. */
  #newMessages() {
    return {
      eventSourceArn: this.#props.tableStreamArn,
      // The stream of a copy has what the other region has sent; `restore replay` sends what it may not have sent.
      startingPosition: this.#props.standby ? StartingPosition.LATEST : StartingPosition.TRIM_HORIZON,
      ...this.#unlessIdle(),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { [outboxAttribute]: { S: FilterRule.exists() } } },
        }),
      ],
    };
  }

  /** Whether this is a standby that has not taken over. */
  #isIdle(): boolean {
    return this.#props.standby?.works === false;
  }

  #unlessIdle(): { readonly enabled?: boolean } {
    return this.#isIdle() ? { enabled: false } : {};
  }

  #periodic(worker: WorkerContract, trigger: Trigger<'every'>): void {
    const target = this.#function(worker, []);
    // The stack of the API has the clock of a worker that is told its URL.
    if (trigger.isToldApi) return;
    addClock(this, `${pascal(worker.id)}Clock`, {
      functionArn: target.functionArn,
      minutes: trigger.minutes,
      account: this.#props.targets.names.account,
      isIdle: this.#isIdle(),
    });
  }
}

/** Six times the timeout of the consumer, and its batching window ("Creating and configuring an Amazon SQS event source mapping"). */
function visibilitySecondsOf({ timeoutSeconds, trigger }: WorkerContract): number {
  const windowSeconds = trigger.kind === 'queue' ? (trigger.batchWindowSeconds ?? 0) : 0;
  return 6 * timeoutSeconds + windowSeconds;
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
