/** CloudWatch alarms of one region: their notification topic and their common form. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { RunbookHeading } from '../observability/runbook.ts';

export interface AlarmSpec {
  readonly metric: IMetric;
  /** The alarm fires at this value and above; default 1. */
  readonly threshold?: number;
  /** Fires below the threshold instead, also where there are no data. */
  readonly isMinimum?: boolean;
  /** Keeps its state where there are no data. */
  readonly keepsState?: boolean;
  /** Consecutive periods over the threshold; default 1. */
  readonly periods?: number;
  /** One sentence: what is wrong, for whom. */
  readonly meaning: string;
  /** Heading of docs/runbook.md that says what to do. */
  readonly runbook: RunbookHeading;
}

/** The alarms of one region: an alarm cannot use metrics or topics of another region. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #action: SnsAction;
  readonly #runbook: string;

  constructor(scope: Construct, id: string, props: { topicName: string; email: string; docsUrl: string }) {
    super(scope, id);
    // CloudWatch cannot publish to a topic that is encrypted under an AWS managed key.
    const key = new Key(this, 'Key', {
      description: `Encrypts the alarm notifications of ${props.topicName}.`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const cloudwatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudwatch],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
      }),
    );
    const topic = new Topic(this, 'Topic', { topicName: props.topicName, masterKey: key, enforceSSL: true });
    topic.grantPublish(cloudwatch);
    if (props.email) topic.addSubscription(new EmailSubscription(props.email));
    this.#action = new SnsAction(topic);
    this.#runbook = props.docsUrl ? `${props.docsUrl.replace(/\/$/, '')}/runbook` : 'docs/runbook.md';
  }

  add(id: string, spec: AlarmSpec): Alarm {
    const alarm = new Alarm(this, id, {
      metric: spec.metric,
      threshold: spec.threshold ?? 1,
      evaluationPeriods: spec.periods ?? 1,
      comparisonOperator: spec.isMinimum
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: missingDataOf(spec),
      alarmDescription: `${spec.meaning} What to do: ${this.#runbook}#${spec.runbook}`,
    });
    alarm.addAlarmAction(this.#action);
    alarm.addOkAction(this.#action);
    this.all.push(alarm);
    return alarm;
  }

  /** Adds the alarm of a dead-letter queue, which fires at the first message. */
  addDeadLetters(id: string, queueName: string, meaning: string, runbook: RunbookHeading): Alarm {
    return this.add(id, {
      metric: queueMetric(queueName, 'ApproximateNumberOfMessagesVisible', 'Maximum'),
      // SQS publishes metrics of a queue for six hours after its last message or call ("Monitoring Amazon SQS queues using
      // CloudWatch"): the message is still there.
      keepsState: true,
      meaning,
      runbook,
    });
  }
}

function missingDataOf({ isMinimum, keepsState }: AlarmSpec): TreatMissingData {
  if (keepsState) return TreatMissingData.IGNORE;
  // Other metrics have no data points while there is no traffic.
  return isMinimum ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING;
}

/** Events of five minutes. */
export function countMetric(
  namespace: string,
  metricName: string,
  dimensionsMap: Readonly<Record<string, string>> = {},
): Metric {
  return new Metric({
    namespace,
    metricName,
    dimensionsMap,
    statistic: 'Sum',
    period: Duration.minutes(5),
  });
}

/** A metric of a queue, in periods of one minute. */
export function queueMetric(queueName: string, metricName: string, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/SQS',
    metricName,
    dimensionsMap: { QueueName: queueName },
    statistic,
    period: Duration.minutes(1),
  });
}
