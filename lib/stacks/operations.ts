/** What watches over the home region: alarms with their runbook, and one dashboard. */
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
import { Alarms, queueMetric } from '../constructs/alarms.ts';
import type { Names } from '../constructs/names.ts';
import { type QueueName, queues } from '../core/access.ts';
import type { Settings } from '../settings.ts';

/** Work that waits longer than this is late. Twice the longest delay of SQS, which counts as waiting. */
const queueAgeSecondsMax = 30 * 60;
/** The relay normally runs within a second. */
const outboxAgeMsMax = 60_000;

export interface OperationsStackProps extends StackProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly apiId: string;
  /** Contract id of the worker on the table's stream. */
  readonly relayId: string;
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
    const errors = [this.#functionErrors('api'), this.#functionErrors('workers')];
    this.#handOffs();
    const throttles = this.#throttles();
    const requests = this.#apiAlarms(props.apiId);
    const table = this.#tableAlarms();
    this.#outboxAlarms(props.relayId);
    new Dashboard(this, 'Dashboard', {
      dashboardName: names.table,
      defaultInterval: Duration.hours(12),
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: this.#alarms.all, width: 24 })],
        [
          graph('Requests', requests.counts),
          graph('Latency, ms', requests.latencies),
          graph('Errors and throttles', [...errors, throttles]),
        ],
        [
          graph('Messages waiting', this.#ofEachQueue('ApproximateNumberOfMessagesVisible')),
          graph('Age of the oldest message, s', this.#ofEachQueue('ApproximateAgeOfOldestMessage')),
          graph('Table throttling', table),
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
        `Messages of the queue ${name} could not be worked off.`,
      );
      this.#alarms.add(`Age-${name}`, {
        metric: queueMetric(this.#names.queue(name), 'ApproximateAgeOfOldestMessage', 'Maximum'),
        threshold: queueAgeSecondsMax,
        periods: 5,
        meaning: `Work in the queue ${name} is ${queueAgeSecondsMax / 60} minutes late.`,
        runbook: 'queue-age',
      });
    }
  }

  /**
   * Failed invocations of a stack's functions, counted in their common log: metrics of the single functions would
   * need an alarm for every ten of them.
   */
  #functionErrors(of: 'api' | 'workers'): Metric {
    // An error that the function logged, or an invocation that the platform reports as failed or timed out.
    const pattern =
      '{ ($.level = "ERROR") || (($.type = "platform.report") && ($.record.status != "success")) }';
    const metric = this.#logged(of, `errors-${of}`, pattern);
    this.#alarms.add(`Errors-${of}`, {
      metric,
      threshold: 1,
      meaning: `Functions of ${this.#names.logGroup(of)} failed.`,
      runbook: 'function-errors',
    });
    return metric;
  }

  /** SES takes nothing: mail waits, and nothing but this says so. Too many mails in a second are no reason to wake anybody. */
  #handOffs(): void {
    const delayed = '"hand-off later" -"sending_rate" -"network"';
    this.#alarms.add('HandOffs', {
      metric: this.#logged('workers', 'hand-offs-held', delayed),
      threshold: 1,
      meaning: 'SES takes no mail of this account: its quota is used up, or it is paused.',
      runbook: 'hand-offs',
    });
    this.#alarms.add('Sandbox', {
      metric: this.#logged('workers', 'hand-offs-sandbox', '"hand-off refused" "sandbox"'),
      threshold: 1,
      meaning: 'SES refused mail because the account is in the sandbox of the region.',
      runbook: 'hand-offs',
    });
  }

  /** Lines of a stack's common log that match, by five minutes. */
  #logged(of: 'api' | 'workers', metricName: string, filterPattern: string): Metric {
    const metricNamespace = `${this.#names.table}/functions`;
    new CfnMetricFilter(this, `Filter-${metricName}`, {
      logGroupName: this.#names.logGroup(of),
      filterPattern,
      metricTransformations: [{ metricNamespace, metricName, metricValue: '1' }],
    });
    return new Metric({
      namespace: metricNamespace,
      metricName,
      label: metricName.replaceAll('-', ' '),
      statistic: 'Sum',
      period: Duration.minutes(5),
    });
  }

  /** Of the whole account: it is the account's concurrency that functions are throttled by. */
  #throttles(): Metric {
    const metric = new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Throttles',
      statistic: 'Sum',
      period: Duration.minutes(5),
    });
    this.#alarms.add('Throttles', {
      metric,
      threshold: 1,
      meaning: "Functions were refused for want of concurrency; the account's limit is too low.",
      runbook: 'throttling',
    });
    return metric;
  }

  #apiAlarms(apiId: string): { counts: Metric[]; latencies: Metric[] } {
    const metric = (metricName: string, statistic: string) =>
      new Metric({
        namespace: 'AWS/ApiGateway',
        metricName,
        dimensionsMap: { ApiId: apiId },
        statistic,
        period: Duration.minutes(5),
      });
    const failures = metric('5xx', 'Sum');
    this.#alarms.add('ApiErrors', {
      metric: failures,
      threshold: 1,
      meaning: 'Requests were answered with a 5xx status.',
      runbook: 'api-errors',
    });
    return {
      counts: [metric('Count', 'Sum'), metric('4xx', 'Sum'), failures],
      latencies: [metric('Latency', 'p50'), metric('Latency', 'p99')],
    };
  }

  #tableAlarms(): IMetric[] {
    const metric = (metricName: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: this.#names.table },
        statistic: 'Sum',
        period: Duration.minutes(5),
      });
    const throttled = new MathExpression({
      expression: 'FILL(reads, 0) + FILL(writes, 0)',
      usingMetrics: { reads: metric('ReadThrottleEvents'), writes: metric('WriteThrottleEvents') },
      label: 'throttled',
      period: Duration.minutes(5),
    });
    this.#alarms.add('TableThrottling', {
      metric: throttled,
      threshold: 1,
      meaning: 'The table throttled requests; a partition is hot.',
      runbook: 'table',
    });
    return [throttled];
  }

  /** What is owed and not yet in a queue. */
  #outboxAlarms(relayId: string): void {
    this.#alarms.addDeadLetters(
      'DeadLetters-outbox',
      this.#names.deadLetterQueue('outbox'),
      'Outbox items could not be turned into messages before the stream forgot them.',
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
      meaning: 'The relay lags behind the table; work that is owed is not being done.',
      runbook: 'outbox',
    });
    this.#alarms.add('SchedulesDropped', {
      metric: new Metric({
        namespace: 'AWS/Scheduler',
        metricName: 'InvocationDroppedCount',
        dimensionsMap: { ScheduleGroup: this.#names.scheduleGroup },
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      meaning: 'Schedules came due and their messages did not reach the delay queue.',
      runbook: 'schedules',
    });
  }
}

const queueNames = Object.keys(queues) as QueueName[];

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}
