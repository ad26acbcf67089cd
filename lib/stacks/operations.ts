/** Monitoring of the home region: alarms, metric filters and the dashboard. */
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { CfnMetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { canaryWorker } from '../../functions/workers/canary.contract.ts';
import { Alarms, countMetric, queueMetric } from '../constructs/alarms.ts';
import { addCostAlarms } from '../constructs/cost-alarms.ts';
import { type Names, tableIndexes } from '../constructs/names.ts';
import { type QueueName, queues } from '../core/access/access.ts';
import { eventPattern, failurePattern } from '../observability/filter-pattern.ts';
import type { CounterName, DurationName } from '../observability/metrics.ts';
import type { Settings } from '../settings.ts';

/** Twice the longest SQS delay, which counts towards the age of a message. */
const queueAgeSecondsMax = 30 * 60;
/** Mail that waits longer than this is late. */
const mailAgeSecondsMax = 5 * 60;
/** The longest latency of 99 % of the requests. */
const apiLatencyMsMax = 5000;
/** Of all mailboxes: an outage of a provider, or a deployment that cannot reach it. */
const mailboxSyncsFailedPercentMax = 20;
/** The relay normally lags by less than a second. */
const outboxAgeMsMax = 60_000;

export interface OperationsStackProps extends StackProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly apiId: string;
  /** Contract id of the worker on the table's stream. */
  readonly relayId: string;
  /** Contract ids of the workers that run by the clock. */
  readonly periodicIds: readonly string[];
}

export class OperationsStack extends Stack {
  readonly #names: Names;
  readonly #alarms: Alarms;

  constructor(scope: Construct, id: string, props: OperationsStackProps) {
    super(scope, id, props);
    const { names, settings } = props;
    this.#names = names;
    this.#alarms = new Alarms(this, 'Alarms', {
      topicName: names.alarmTopic('home'),
      email: settings.alarmEmail,
      docsUrl: settings.docsUrl,
    });
    this.#queueAlarms();
    this.#oldestMail();
    const errors = [this.#functionErrors('api'), this.#functionErrors('workers')];
    this.#submissions();
    this.#mailboxes();
    const throttles = this.#throttles();
    this.#recursiveLoops();
    const requests = this.#apiAlarms(props.apiId);
    const table = this.#tableAlarms();
    this.#outboxAlarms(props.relayId);
    this.#periodicChecks(props.periodicIds);
    this.#canary(settings, props.periodicIds);
    addCostAlarms(this, settings);
    this.#queueDashboard();
    new Dashboard(this, 'Dashboard', {
      dashboardName: names.prefix,
      defaultInterval: Duration.hours(12),
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: this.#alarms.all, width: 24 })],
        [
          graph('Requests', requests.counts),
          graph('Latency, ms', requests.latencies),
          graph('Errors and throttles', [...errors, throttles]),
        ],
        [
          graph('Table throttling', table),
          graph('Canary: back after ms, announced after ms', [
            this.#published('CanaryReceived').with({ statistic: 'Maximum' }),
            this.#published('CanaryAnnounced').with({ statistic: 'Maximum' }),
          ]),
        ],
        this.#mailGraphs(),
      ],
    });
  }

  #mailGraphs(): GraphWidget[] {
    return [
      graph(
        'Emails',
        this.#publishedAll('EmailsAccepted', 'EmailsReceived', 'EmailsBounced', 'EmailsComplained'),
      ),
      graph(
        'Submissions',
        this.#publishedAll(
          'SubmissionsAccepted',
          'SubmissionsRefused',
          'SubmissionsThrottled',
          'SubmissionsBlocked',
        ),
      ),
      graph(
        'Webhook attempts',
        this.#publishedAll('WebhookAttemptsSucceeded', 'WebhookAttemptsFailed', 'WebhookDeliveriesFailed'),
      ),
    ];
  }

  /** A dashboard of its own: three of up to 50 metrics are free in an account ("Amazon CloudWatch pricing"). */
  #queueDashboard(): void {
    new Dashboard(this, 'QueueDashboard', {
      dashboardName: `${this.#names.prefix}-queues`,
      defaultInterval: Duration.hours(12),
      widgets: [
        [
          graph('Messages waiting', this.#ofEachQueue('ApproximateNumberOfMessagesVisible')),
          graph('Age of the oldest message, s', this.#ofEachQueue('ApproximateAgeOfOldestMessage')),
        ],
      ],
    });
  }

  #ofEachQueue(metricName: string): Metric[] {
    return queueNames.map((name) => queueMetric(this.#names.queue(name), metricName, 'Maximum'));
  }

  #queueAlarms(): void {
    for (const name of queueNames) {
      this.#alarms.addDeadLetters(
        `DeadLetters-${name}`,
        this.#names.deadLetterQueue(name),
        `Messages of the queue ${name} failed repeatedly.`,
        'dead-letter-queue-not-empty',
      );
      this.#alarms.add(`Age-${name}`, {
        metric: queueMetric(this.#names.queue(name), 'ApproximateAgeOfOldestMessage', 'Maximum'),
        threshold: queueAgeSecondsMax,
        periods: 5,
        meaning: `Messages in the queue ${name} wait for more than ${queueAgeSecondsMax / 60} minutes.`,
        runbook: 'queue-backlog',
      });
    }
  }

  #oldestMail(): void {
    this.#alarms.add('OldestMail', {
      metric: queueMetric(this.#names.queue('outgoing'), 'ApproximateAgeOfOldestMessage', 'Maximum'),
      threshold: mailAgeSecondsMax,
      periods: 3,
      meaning: `The oldest email waits for submission for more than ${mailAgeSecondsMax / 60} minutes.`,
      runbook: 'oldest-mail',
    });
  }

  /**
   * Failures of a stack's functions, counted in their common log group. The metrics of the functions would need an
   * alarm for every ten functions, since an alarm takes ten metrics at most.
   */
  #functionErrors(of: 'api' | 'workers'): Metric {
    const metric = this.#logged(of, `errors-${of}`, failurePattern('ERROR'));
    this.#alarms.add(`Errors-${of}`, {
      metric,
      meaning: `Functions that log to ${this.#names.logGroup(of)} failed.`,
      runbook: of === 'api' ? 'api-function-errors' : 'worker-function-errors',
    });
    return metric;
  }

  /** Submissions that need an operator. A short throttling is not one: the submission is retried. */
  #submissions(): void {
    this.#alarms.add('SubmissionsBlocked', {
      metric: this.#published('SubmissionsBlocked'),
      meaning: 'SES takes no mail of this account: quota used up, account paused, or no permission.',
      runbook: 'submissions-blocked',
    });
    this.#alarms.add('SubmissionsThrottled', {
      metric: this.#published('SubmissionsThrottled'),
      periods: 6,
      meaning: 'SES throttles submissions for 30 minutes; the sending rate of the account is too low.',
      runbook: 'submissions-throttled',
    });
    this.#alarms.add('WorkspacesSuspended', {
      metric: this.#published('WorkspacesSuspended'),
      meaning: 'The sending of a workspace was suspended: too many bounces or complaints, or by an operator.',
      runbook: 'suspended-workspaces',
    });
    this.#alarms.add('SubmissionsSandbox', {
      metric: this.#logged(
        'workers',
        'submissions-sandbox',
        eventPattern('submission.refused', { cause: 'sandbox' }),
      ),
      meaning: 'SES refused mail because the account is in the sandbox of the region.',
      runbook: 'submissions-refused',
    });
  }

  /** Many that fail: a share, since each is tried again. One that keeps failing: it is tried every quarter of an hour. */
  #mailboxes(): void {
    const [done, failed] = [this.#published('MailboxesSynchronized'), this.#published('MailboxSyncsFailed')];
    this.#alarms.add('MailboxSyncsFailed', {
      metric: new MathExpression({
        expression: '100 * FILL(failed, 0) / (FILL(failed, 0) + FILL(done, 0))',
        usingMetrics: { done, failed },
        label: 'failed, %',
        period: Duration.minutes(5),
      }),
      threshold: mailboxSyncsFailedPercentMax,
      periods: 6,
      meaning: `${mailboxSyncsFailedPercentMax} % of the synchronizations of mailboxes fail for 30 minutes.`,
      runbook: 'mailboxes',
    });
    this.#alarms.add('MailboxesNotSynchronized', {
      metric: this.#published('MailboxesNotSynchronized').with({ period: Duration.minutes(30) }),
      meaning: 'A mailbox has not been synchronized for an hour: its mail is not received.',
      runbook: 'mailboxes-not-synchronized',
    });
  }

  /** A metric that the functions publish themselves, in periods of five minutes. */
  #published(metricName: CounterName | DurationName): Metric {
    return countMetric(this.#names.metricsNamespace, metricName);
  }

  #publishedAll(...names: readonly CounterName[]): Metric[] {
    return names.map((name) => this.#published(name));
  }

  /** Number of matching lines in a stack's log group, in periods of five minutes. */
  #logged(of: 'api' | 'workers', metricName: string, filterPattern: string): Metric {
    const metricNamespace = this.#names.metricsNamespace;
    new CfnMetricFilter(this, `Filter-${metricName}`, {
      logGroupName: this.#names.logGroup(of),
      filterPattern,
      metricTransformations: [{ metricNamespace, metricName, metricValue: '1' }],
    });
    return countMetric(metricNamespace, metricName).with({ label: metricName.replaceAll('-', ' ') });
  }

  /** Throttles of the whole account, because functions share the concurrency of the account. */
  #throttles(): Metric {
    const metric = countMetric('AWS/Lambda', 'Throttles');
    this.#alarms.add('Throttles', {
      metric,
      meaning: 'Lambda throttled functions; the concurrency of the account is used up.',
      runbook: 'lambda-throttling',
    });
    return metric;
  }

  /** Of the whole account: an alarm takes ten metrics at most, and no function of the deployment may be in a loop. */
  #recursiveLoops(): void {
    this.#alarms.add('RecursiveLoops', {
      metric: countMetric('AWS/Lambda', 'RecursiveInvocationsDropped'),
      meaning: 'Lambda stopped a function that was invoked 16 times in one chain of requests.',
      runbook: 'recursive-loops',
    });
  }

  #apiAlarms(apiId: string): { counts: Metric[]; latencies: Metric[] } {
    const metric = (metricName: string, statistic: string) =>
      countMetric('AWS/ApiGateway', metricName, { ApiId: apiId }).with({ statistic });
    const failures = metric('5xx', 'Sum');
    this.#alarms.add('ApiErrors', {
      metric: failures,
      meaning: 'The API answered requests with a 5xx status.',
      runbook: 'api-5xx-responses',
    });
    this.#alarms.add('ApiLatency', {
      metric: metric('Latency', 'p99'),
      threshold: apiLatencyMsMax,
      periods: 3,
      meaning: `1 % of the API requests take ${apiLatencyMsMax / 1000} s or more.`,
      runbook: 'api-latency',
    });
    return {
      counts: [metric('Count', 'Sum'), metric('4xx', 'Sum'), failures],
      latencies: [metric('Latency', 'p50'), metric('Latency', 'p99')],
    };
  }

  #tableAlarms(): IMetric[] {
    const metric = (metricName: string, index?: string) =>
      countMetric('AWS/DynamoDB', metricName, {
        TableName: this.#names.table,
        ...(index && { GlobalSecondaryIndexName: index }),
      });
    const throttled = new MathExpression({
      expression: 'FILL(reads, 0) + FILL(writes, 0)',
      usingMetrics: { reads: metric('ReadThrottleEvents'), writes: metric('WriteThrottleEvents') },
      label: 'throttled',
      period: Duration.minutes(5),
    });
    this.#alarms.add('TableThrottling', {
      metric: throttled,
      meaning: 'DynamoDB throttled requests to the table: a partition is hot, or its quota is used up.',
      runbook: 'table-throttling',
    });
    // An index that throttles makes writes to its table fail ("DynamoDB Metrics and dimensions").
    for (const index of tableIndexes) {
      this.#alarms.add(`IndexThrottling-${index}`, {
        metric: metric('WriteThrottleEvents', index),
        meaning: `DynamoDB throttled writes to the index ${index}; a partition of the index is hot.`,
        runbook: 'index-throttling',
      });
    }
    return [throttled];
  }

  /** Two emails in a row that did not come back, also where the canary does not run. */
  #canary({ canaryMinutes }: Settings, periodicIds: readonly string[]): void {
    if (!periodicIds.includes(canaryWorker.id)) return;
    this.#alarms.add('CanaryMissed', {
      metric: this.#published('CanaryArrived').with({ period: Duration.minutes(canaryMinutes) }),
      isMinimum: true,
      periods: 2,
      meaning:
        'Two emails in a row that the deployment sent to itself did not come back, or were not announced.',
      runbook: 'canary-missed',
    });
  }

  /** What periodic workers find, and that they run. */
  #periodicChecks(ids: readonly string[]): void {
    this.#alarms.add('ReceiptRuleSet', {
      metric: this.#published('ReceiptRuleSetsInactive'),
      // A check runs every five minutes; a deployment may change the rule set in between.
      periods: 2,
      meaning: 'A mail region receives no mail: its active receipt rule set is not that of the deployment.',
      runbook: 'receipt-rule-set-inactive',
    });
    for (const id of ids) {
      if (id === canaryWorker.id) continue;
      this.#alarms.add(`Stopped-${id}`, {
        metric: countMetric('AWS/Lambda', 'Invocations', { FunctionName: this.#names.workerFunction(id) }),
        isMinimum: true,
        // The longest interval is the period.
        periods: 3,
        meaning: `The worker ${id}, which runs by the clock, did not run for 15 minutes.`,
        runbook: 'periodic-worker-stopped',
      });
    }
  }

  /** Outbox messages that are not in a queue yet. */
  #outboxAlarms(relayId: string): void {
    this.#alarms.addDeadLetters(
      'DeadLetters-outbox',
      this.#names.deadLetterQueue('outbox'),
      'The relay gave up on outbox items.',
      'outbox-dead-letters',
    );
    this.#alarms.add('OutboxAge', {
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'IteratorAge',
        dimensionsMap: { FunctionName: this.#names.workerFunction(relayId) },
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: outboxAgeMsMax,
      periods: 5,
      meaning: 'The relay lags behind the table; committed work waits.',
      runbook: 'outbox-lag',
    });
    this.#alarms.addDeadLetters(
      'DeadLetters-schedules',
      this.#names.deadLetterQueue('schedules'),
      'EventBridge Scheduler could not deliver messages.',
      'schedules-dropped',
    );
    this.#alarms.add('SchedulesDropped', {
      metric: countMetric('AWS/Scheduler', 'InvocationDroppedCount', {
        ScheduleGroup: this.#names.scheduleGroup,
      }),
      meaning: 'EventBridge Scheduler dropped messages for the delay queue.',
      runbook: 'schedules-dropped',
    });
  }
}

const queueNames = Object.keys(queues) as QueueName[];

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}
