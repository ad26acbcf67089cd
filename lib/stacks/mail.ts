/** The resources of one mail region: SES configuration set and receipt rule, raw mail bucket, and topics that send to queues of the home region. */
import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  CfnConfigurationSet,
  CfnConfigurationSetEventDestination,
  CfnEmailIdentity,
  CfnReceiptRule,
  CfnReceiptRuleSet,
} from 'aws-cdk-lib/aws-ses';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import type { Construct } from 'constructs';
import { Alarms, countMetric } from '../constructs/alarms.ts';
import { dependOnPolicies } from '../constructs/dependencies.ts';
import { type MailTopic, mailTopics, type Names } from '../constructs/names.ts';
import { accessLogBucket, privateBucket } from '../constructs/private-bucket.ts';
import { droppedTag, rawMailPrefix } from '../core/receiving/raw-mail.ts';
import type { Settings } from '../settings.ts';

/**
 * Events that SES publishes. Without OPEN and CLICK, which make SES rewrite links and add a pixel to every message; such
 * events are recorded all the same if an operator adds them. SUBSCRIPTION concerns contact lists of SES, which are not used.
 */
const eventTypes = [
  'SEND',
  'REJECT',
  'BOUNCE',
  'COMPLAINT',
  'DELIVERY',
  'RENDERING_FAILURE',
  'DELIVERY_DELAY',
];

/** Shorter than a slug, so that no workspace receives mail there: SES needs a MAIL FROM domain that is for nothing else. */
const returnPathLabel = 'rp';

export interface MailStackProps extends StackProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly region: string;
}

export class MailStack extends Stack {
  /** Custom resource that activates the receipt rule set. */
  readonly activation: AwsCustomResource;
  /** Dead-letter queue of the topic subscriptions. */
  readonly undelivered: Queue;
  readonly #names: Names;
  readonly #settings: Settings;
  readonly #region: string;

  constructor(scope: Construct, id: string, props: MailStackProps) {
    super(scope, id, props);
    this.#names = props.names;
    this.#settings = props.settings;
    this.#region = props.region;
    this.undelivered = this.#undelivered();
    const topics = this.#topics(this.undelivered);
    this.#sending(topics['provider-events']);
    this.activation = this.#receiving(topics.inbound);
    this.#alarms();
  }

  /** The dead-letter queue of the subscriptions, which must be in the region of the topics. */
  #undelivered(): Queue {
    const queue = new Queue(this, 'Undelivered', {
      queueName: this.#names.undeliveredQueue,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('sns.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: {
          ArnEquals: { 'aws:SourceArn': mailTopics.map((name) => this.#names.topicArn(name, this.#region)) },
        },
      }),
    );
    return queue;
  }

  /** A topic for each queue of the home region that SES sends to, with raw message delivery. */
  #topics(undelivered: Queue): Record<MailTopic, Topic> {
    const ses = new ServicePrincipal('ses.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': this.#names.account } },
    });
    const key = new Key(this, 'TopicKey', {
      description: 'Encrypts notifications of mail, which contain addresses and subjects.',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        // Without a condition, as in SES's samples for encrypted topics: SES sends KMS no source. The topic policy has one.
        principals: [new ServicePrincipal('ses.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
      }),
    );
    const topicOf = (name: MailTopic) => {
      const id = name === 'inbound' ? 'Inbound' : 'ProviderEvents';
      const topic = new Topic(this, `${id}Topic`, {
        topicName: this.#names.topic(name),
        masterKey: key,
        enforceSSL: true,
      });
      topic.grantPublish(ses);
      for (const [region, suffix] of this.#homes()) {
        new CfnSubscription(this, `${id}Subscription${suffix}`, {
          topicArn: topic.topicArn,
          protocol: 'sqs',
          endpoint: this.#names.arn('sqs', this.#names.queue(name), region),
          rawMessageDelivery: true,
          redrivePolicy: { deadLetterTargetArn: undelivered.queueArn },
        });
      }
      return topic;
    };
    return { inbound: topicOf('inbound'), 'provider-events': topicOf('provider-events') };
  }

  /**
   * The regions whose queues get notifications, with the end of the ids of their subscriptions: the standby has what comes from its loss of the
   * home region on, and the home region what SNS tries again for 23 days ("Amazon SNS message delivery retries").
   */
  #homes(): readonly (readonly [region: string, suffix: string])[] {
    const { homeRegion, standbyOf, standbyRegion } = this.#settings;
    const standby = standbyOf ? homeRegion : standbyRegion;
    return [[standbyOf || homeRegion, ''] as const, ...(standby ? [[standby, `-${standby}`] as const] : [])];
  }

  #sending(events: Topic): void {
    const set = new CfnConfigurationSet(this, 'ConfigurationSet', {
      name: this.#names.configurationSet,
      reputationOptions: { reputationMetricsEnabled: true },
      sendingOptions: { sendingEnabled: true },
      // The account-level list is shared by all workspaces; the suppression lists of the workspaces decide.
      suppressionOptions: { suppressedReasons: [] },
    });
    const destination = new CfnConfigurationSetEventDestination(this, 'Events', {
      configurationSetName: set.ref,
      eventDestination: {
        name: 'provider-events',
        enabled: true,
        matchingEventTypes: eventTypes,
        snsDestination: { topicArn: events.topicArn },
      },
    });
    // SES publishes a test message when the destination is created.
    dependOnPolicies(destination, events);
    const { providedDomain, defaultRegion } = this.#settings;
    if (providedDomain && this.#region === defaultRegion) {
      this.#providedDomain(providedDomain);
    }
  }

  /** One identity for the provided domains of all workspaces, which are its subdomains. The operator publishes its records. */
  #providedDomain(name: string): void {
    const mailFromDomain = `${returnPathLabel}.${name}`;
    const identity = new CfnEmailIdentity(this, 'ProvidedDomain', {
      emailIdentity: name,
      mailFromAttributes: { mailFromDomain, behaviorOnMxFailure: 'USE_DEFAULT_VALUE' },
    });
    const dkim = [
      [identity.attrDkimDnsTokenName1, identity.attrDkimDnsTokenValue1],
      [identity.attrDkimDnsTokenName2, identity.attrDkimDnsTokenValue2],
      [identity.attrDkimDnsTokenName3, identity.attrDkimDnsTokenValue3],
    ];
    const records = [
      ...dkim.map(([token, value]) => `${token} CNAME ${value}`),
      `*.${name} MX 10 inbound-smtp.${this.#region}.amazonaws.com`,
      `${mailFromDomain} MX 10 feedback-smtp.${this.#region}.amazonses.com`,
      `${mailFromDomain} TXT "v=spf1 include:amazonses.com ~all"`,
      `_dmarc.${name} TXT "v=DMARC1; p=none;"`,
    ];
    for (const [index, value] of records.entries()) {
      new CfnOutput(this, `ProvidedDomainRecord${index + 1}`, {
        value,
        description: 'DNS record to publish',
      });
    }
  }

  /** One rule for all verified domains; a rule set has 200 rules at most ("Service quotas in Amazon SES"). */
  #receiving(notifications: Topic): AwsCustomResource {
    const names = this.#names;
    const bucket = privateBucket(this, 'RawMail', {
      name: names.rawMailBucket(this.#region),
      accessLogs: accessLogBucket(this, names.accessLogBucket('mail', this.#region)),
      // Counted from the receipt ("Lifecycle configuration elements", Amazon S3 User Guide).
      lifecycleRules: [
        {
          prefix: rawMailPrefix,
          tagFilters: { [droppedTag.key]: droppedTag.value },
          expiration: Duration.days(this.#settings.droppedMailDays),
        },
      ],
      backupDays: this.#settings.backupDays,
    });
    bucket.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('ses.amazonaws.com')],
        actions: ['s3:PutObject'],
        resources: [bucket.arnForObjects(`${rawMailPrefix}*`)],
        conditions: {
          StringEquals: { 'aws:SourceAccount': names.account },
          ArnEquals: {
            'aws:SourceArn': names.arn(
              'ses',
              `receipt-rule-set/${names.receiptRuleSet}:receipt-rule/${names.receiptRule}`,
              this.#region,
            ),
          },
        },
      }),
    );
    const ruleSet = new CfnReceiptRuleSet(this, 'ReceiptRuleSet', { ruleSetName: names.receiptRuleSet });
    const rule = new CfnReceiptRule(this, 'ReceiptRule', {
      ruleSetName: ruleSet.ref,
      rule: {
        name: names.receiptRule,
        enabled: true,
        scanEnabled: true,
        tlsPolicy: 'Optional',
        actions: [
          {
            s3Action: {
              bucketName: bucket.bucketName,
              objectKeyPrefix: rawMailPrefix,
              topicArn: notifications.topicArn,
            },
          },
        ],
      },
    });
    // SES writes a test object and a test notification when the rule is created.
    dependOnPolicies(rule, bucket, notifications);
    return this.#activate(ruleSet, rule);
  }

  /** CloudFormation cannot activate a rule set. An account has one active rule set in each region. */
  #activate(ruleSet: CfnReceiptRuleSet, rule: CfnReceiptRule): AwsCustomResource {
    const activate = {
      service: 'SES',
      action: 'setActiveReceiptRuleSet',
      parameters: { RuleSetName: ruleSet.ref },
      physicalResourceId: PhysicalResourceId.of('active-receipt-rule-set'),
    };
    const activation = new AwsCustomResource(this, 'ActiveReceiptRuleSet', {
      resourceType: 'Custom::ActiveReceiptRuleSet',
      onCreate: activate,
      onUpdate: activate,
      onDelete: { service: 'SES', action: 'setActiveReceiptRuleSet', parameters: {} },
      installLatestAwsSdk: false,
      timeout: Duration.minutes(1),
      policy: AwsCustomResourcePolicy.fromStatements([
        // The action supports no resource ("Actions, resources, and condition keys for Amazon SES").
        new PolicyStatement({ actions: ['ses:SetActiveReceiptRuleSet'], resources: ['*'] }),
      ]),
      logGroup: new LogGroup(this, 'ActivationLogs', {
        retention: RetentionDays.ONE_MONTH,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
    activation.node.addDependency(rule);
    return activation;
  }

  #alarms(): void {
    const alarms = new Alarms(this, 'Alarms', {
      topicName: this.#names.alarmTopic('mail'),
      email: this.#settings.alarmEmail,
      docsUrl: this.#settings.docsUrl,
    });
    alarms.addDeadLetters(
      'Undelivered',
      this.#names.undeliveredQueue,
      `Notifications of mail in ${this.#region} did not reach the home region.`,
      'undelivered-notifications',
    );
    const receiving = (metricName: string) =>
      countMetric('AWS/SES', metricName, { RuleSetName: this.#names.receiptRuleSet });
    // "Viewing metrics for Amazon SES email receiving", Amazon SES Developer Guide.
    for (const metricName of ['PublishFailure', 'PublishExpired']) {
      alarms.add(`Receipt${metricName}`, {
        metric: receiving(metricName),
        meaning: `SES could not store or announce mail received in ${this.#region}.`,
        runbook: 'receipt-rule-failures',
      });
    }
    const reputation = (metricName: string) =>
      new Metric({ namespace: 'AWS/SES', metricName, statistic: 'Average', period: Duration.hours(1) });
    // SES reviews accounts at these rates ("Amazon SES Sending review process FAQs"), and reports them while mail is sent: a region that
    // it has paused must not look well ("Creating reputation monitoring alarms using CloudWatch").
    alarms.add('BounceRate', {
      metric: reputation('Reputation.BounceRate'),
      threshold: 0.05,
      keepsState: true,
      meaning: `5 % or more of the mail from ${this.#region} bounces; SES may pause sending.`,
      runbook: 'bounce-rate',
    });
    alarms.add('ComplaintRate', {
      metric: reputation('Reputation.ComplaintRate'),
      threshold: 0.001,
      keepsState: true,
      meaning: `0.1 % or more of the mail from ${this.#region} is complained about; SES may pause sending.`,
      runbook: 'complaint-rate',
    });
  }
}
