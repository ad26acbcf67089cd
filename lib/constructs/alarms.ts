/** Alarms: where they go, and the form that all of them have. */
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

export interface AlarmSpec {
  readonly metric: IMetric;
  /** The alarm goes off at this value and above. */
  readonly threshold: number;
  /** How many periods in a row; default 1. */
  readonly periods?: number;
  /** One sentence: what is wrong for whom. */
  readonly meaning: string;
  /** Heading of the runbook that says what to do. */
  readonly runbook: RunbookHeading;
}

/** The headings of docs/runbook.md that alarms link to. */
export type RunbookHeading =
  | 'dead-letters'
  | 'queue-age'
  | 'function-errors'
  | 'throttling'
  | 'api-errors'
  | 'table'
  | 'outbox'
  | 'schedules'
  | 'hand-offs'
  | 'reputation';

/** The alarms of one region: an alarm can neither watch nor notify another region. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #action: SnsAction;
  readonly #runbook: string;

  constructor(scope: Construct, id: string, props: { topicName: string; email: string; docsUrl: string }) {
    super(scope, id);
    // CloudWatch cannot publish to a topic under the keys that AWS manages.
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
      threshold: spec.threshold,
      evaluationPeriods: spec.periods ?? 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // None of these metrics is written while nothing goes on.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${spec.meaning} What to do: ${this.#runbook}#${spec.runbook}`,
    });
    alarm.addAlarmAction(this.#action);
    alarm.addOkAction(this.#action);
    this.all.push(alarm);
    return alarm;
  }

  /** One alarm for a dead-letter queue: any message in it is work that is owed and not done. */
  addDeadLetters(id: string, queueName: string, meaning: string): Alarm {
    return this.add(id, {
      metric: queueMetric(queueName, 'ApproximateNumberOfMessagesVisible', 'Maximum'),
      threshold: 1,
      meaning,
      runbook: 'dead-letters',
    });
  }
}

/** A metric of a queue, by the minute. */
export function queueMetric(queueName: string, metricName: string, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/SQS',
    metricName,
    dimensionsMap: { QueueName: queueName },
    statistic,
    period: Duration.minutes(1),
  });
}
