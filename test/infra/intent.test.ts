import { describe, expect, it } from 'vitest';
import { workers } from '../../functions/workers.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import { type QueueName, queues } from '../../lib/core/access/access.ts';
import { uploadPrefix } from '../../lib/core/attachments/attachment.ts';
import { rawMailPrefix } from '../../lib/core/receiving/raw-mail.ts';
import { slugPattern } from '../../lib/core/workspaces/workspace.ts';
import { environmentNames } from '../../lib/env.ts';
import { account, type Properties, settings, templates } from './templates.ts';

const names = namesOf(settings);
const queueNames = Object.keys(queues) as QueueName[];
const queueOf = (name: string): Properties | undefined =>
  templates()
    .of('AWS::SQS::Queue')
    .find(({ properties }) => properties.QueueName === name)?.properties;

describe('queues', () => {
  it.each(queueNames)(
    '%s has a dead-letter queue of its kind, and a visibility timeout of six times the timeout of its consumer',
    (name) => {
      const consumer = workers.find(({ trigger }) => trigger.kind === 'queue' && trigger.queue === name);
      const queue = queueOf(names.queue(name));
      expect(queue?.VisibilityTimeout).toBeGreaterThanOrEqual(6 * (consumer?.timeoutSeconds ?? Infinity));
      expect(queue?.MessageRetentionPeriod).toBe(14 * 24 * 3600);
      expect(queue?.RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(3);
      const deadLetters = queueOf(names.deadLetterQueue(name));
      expect(deadLetters?.MessageRetentionPeriod).toBe(14 * 24 * 3600);
      expect(deadLetters?.FifoQueue).toBe(queue?.FifoQueue);
    },
  );

  it('have an alarm in their own region, with a link to the runbook, when they take dead letters', () => {
    const taking = templates()
      .of('AWS::SQS::Queue')
      .filter(({ properties }) => !properties.RedrivePolicy);
    expect(taking).toHaveLength(queueNames.length + 2 + settings.mailRegions.length);
    for (const { region, properties } of taking) {
      const alarm = templates()
        .of('AWS::CloudWatch::Alarm')
        .find(
          (alarm) =>
            alarm.region === region &&
            alarm.properties.MetricName === 'ApproximateNumberOfMessagesVisible' &&
            alarm.properties.Dimensions[0].Value === properties.QueueName,
        );
      expect(alarm?.properties, properties.QueueName).toMatchObject({
        Threshold: 1,
        AlarmActions: [expect.anything()],
        AlarmDescription: expect.stringMatching(
          /docs\/runbook\.md#(dead-letter-queue-not-empty|undelivered-notifications|outbox-dead-letters|schedules-dropped)$/,
        ),
      });
    }
  });

  it('report partial batch failures and have a maximum concurrency when a worker consumes them', () => {
    const sources = templates()
      .of('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => properties.MaximumRetryAttempts !== 0);
    expect(sources).toHaveLength(
      workers.filter(({ trigger }) => trigger.kind === 'queue' || trigger.kind === 'outbox').length,
    );
    for (const { properties } of sources) {
      expect(properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
    const limits = sources.flatMap(({ properties }) => properties.ScalingConfig?.MaximumConcurrency ?? []);
    expect(limits).toHaveLength(queueNames.length);
    // Half of the concurrency that an account has by default is left to the API.
    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(500);
    expect(Math.min(...limits)).toBe(2);
  });
});

/** Of a consumer of the table's stream, by its logical id. */
const streamSourceOf = (worker: string): Properties =>
  templates()
    .of('AWS::Lambda::EventSourceMapping')
    .find(({ logicalId, properties }) => logicalId.startsWith(worker) && properties.StartingPosition)
    ?.properties;

const patternsOf = ({ FilterCriteria }: Properties) =>
  FilterCriteria.Filters.map(({ Pattern }: Properties) => JSON.parse(Pattern));

const newMessages = [
  { eventName: ['INSERT'], dynamodb: { NewImage: { outbox: { S: [{ exists: true }] } } } },
];

describe('the stream of the table', () => {
  it('has two consumers, as many as AWS allows of a shard', () => {
    const sources = templates()
      .of('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => properties.StartingPosition);
    expect(sources.map(({ logicalId }) => logicalId.replace(/Source.*/, ''))).toEqual([
      'Relay',
      'CountUsage',
    ]);
  });
});

describe('the counting of usage', () => {
  it('gathers items with messages for a minute, and tries a batch once, without a dead-letter queue', () => {
    const source = streamSourceOf('CountUsage');
    expect(source).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1000,
      MaximumBatchingWindowInSeconds: 60,
      MaximumRetryAttempts: 0,
    });
    for (const name of ['BisectBatchOnFunctionError', 'DestinationConfig', 'FunctionResponseTypes'])
      expect(source[name]).toBeUndefined();
    expect(patternsOf(source)).toEqual(newMessages);
  });
});

describe('the relay', () => {
  it('reads items with messages only, retries a bounded number of times, and sends failures to its dead-letter queue', () => {
    const source = streamSourceOf('Relay');
    expect(source).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 20,
      DestinationConfig: { OnFailure: { Destination: expect.anything() } },
    });
    expect(patternsOf(source)).toEqual(newMessages);
  });
});

describe('stored data', () => {
  it('of the table has point-in-time recovery and deletion protection', () => {
    const [table] = templates().of('AWS::DynamoDB::Table');
    expect(table).toMatchObject({
      deletionPolicy: 'RetainExceptOnCreate',
      properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    });
    expect(
      table?.properties.GlobalSecondaryIndexes.map(({ IndexName, Projection }: Properties) => [
        IndexName,
        Projection.ProjectionType,
      ]),
    ).toEqual([
      ['GSI1', 'KEYS_ONLY'],
      ['GSI2', 'KEYS_ONLY'],
    ]);
  });

  it('of buckets is retained, encrypted, not public, and accessible over TLS only', () => {
    const buckets = templates().of('AWS::S3::Bucket');
    expect(buckets).toHaveLength(2 + 2 * settings.mailRegions.length);
    const policies = templates().of('AWS::S3::BucketPolicy');
    for (const { stack, logicalId, deletionPolicy, properties } of buckets) {
      expect(deletionPolicy).toBe('RetainExceptOnCreate');
      expect(properties.BucketEncryption).toBeDefined();
      expect(properties.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      expect(properties.OwnershipControls.Rules).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }]);
      const policy = policies.find(
        (policy) => policy.stack === stack && policy.properties.Bucket.Ref === logicalId,
      );
      expect(JSON.stringify(policy?.properties)).toContain('"aws:SecureTransport":"false"');
    }
  });

  it('of mail never expires, while access logs, unused uploads and mail with the tag of dropped mail do', () => {
    for (const { properties } of templates().of('AWS::S3::Bucket')) {
      const rules: Properties[] = properties.LifecycleConfiguration.Rules;
      const expiring = rules.filter(({ ExpirationInDays }) => ExpirationInDays);
      const prefixes = expiring.map(({ Prefix, TagFilters }) =>
        [
          Prefix ?? 'everything',
          ...(TagFilters ?? []).map(({ Key, Value }: Properties) => `${Key}=${Value}`),
        ].join(' '),
      );
      const name: string = properties.BucketName;
      const ofMail = name === names.contentBucket ? [uploadPrefix] : [`${rawMailPrefix} dropped=true`];
      expect(prefixes, name).toEqual(name.includes('-logs-') ? ['everything'] : ofMail);
    }
  });

  it('of queues and topics is encrypted and accessible over TLS only', () => {
    for (const { properties } of templates().of('AWS::SQS::Queue')) {
      expect(properties.SqsManagedSseEnabled, properties.QueueName).toBe(true);
    }
    for (const { properties } of templates().of('AWS::SNS::Topic')) {
      expect(properties.KmsMasterKeyId, properties.TopicName).toBeDefined();
    }
    const policies = ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'].flatMap((type) =>
      templates().of(type),
    );
    const holders = ['AWS::SQS::Queue', 'AWS::SNS::Topic'].flatMap((type) => templates().of(type));
    expect(policies).toHaveLength(holders.length);
    for (const { properties } of policies) {
      expect(JSON.stringify(properties)).toContain('"aws:SecureTransport":"false"');
    }
  });

  it('is encrypted with rotated keys, and the key of secrets is retained', () => {
    const keys = templates().of('AWS::KMS::Key');
    for (const { properties } of keys) expect(properties.EnableKeyRotation).toBe(true);
    const kept = keys.filter(({ deletionPolicy }) => deletionPolicy === 'RetainExceptOnCreate');
    expect(kept.map(({ stack, logicalId }) => [stack, logicalId.slice(0, 7)])).toEqual([
      ['Parley-Data', 'Secrets'],
    ]);
  });
});

describe('each mail region', () => {
  it.each(settings.mailRegions)('%s stores all received mail and notifies the home region', (region) => {
    const here = (type: string) =>
      templates()
        .of(type)
        .filter(({ stack }) => stack === `Parley-Mail-${region}`);
    const [rule] = here('AWS::SES::ReceiptRule');
    expect(rule?.properties.Rule).toEqual({
      Name: 'catch-all',
      Enabled: true,
      ScanEnabled: true,
      TlsPolicy: 'Optional',
      Actions: [
        {
          S3Action: {
            BucketName: { Ref: expect.stringMatching(/^RawMail/) },
            ObjectKeyPrefix: 'inbound/',
            TopicArn: { Ref: expect.stringMatching(/^InboundTopic/) },
          },
        },
      ],
    });
    const [activation] = here('Custom::ActiveReceiptRuleSet');
    expect(JSON.stringify(activation?.properties.Create)).toContain('setActiveReceiptRuleSet');
    expect(activation?.properties.Delete).toContain('"parameters":{}');
    const subscriptions = here('AWS::SNS::Subscription').map(({ properties }) => properties);
    expect(subscriptions.map(({ Endpoint }) => Endpoint)).toEqual([
      `arn:aws:sqs:${settings.homeRegion}:${account}:parley-inbound`,
      `arn:aws:sqs:${settings.homeRegion}:${account}:parley-provider-events`,
    ]);
    for (const { RawMessageDelivery, RedrivePolicy } of subscriptions) {
      expect(RawMessageDelivery).toBe(true);
      expect(RedrivePolicy.deadLetterTargetArn).toBeDefined();
    }
  });

  it.each(settings.mailRegions)('%s publishes the events of sent mail, except opens and clicks', (region) => {
    const [destination] = templates()
      .of('AWS::SES::ConfigurationSetEventDestination')
      .filter((resource) => resource.region === region);
    expect(destination?.properties.EventDestination).toMatchObject({
      Enabled: true,
      SnsDestination: { TopicARN: { Ref: expect.stringMatching(/^ProviderEventsTopic/) } },
    });
    expect(destination?.properties.EventDestination.MatchingEventTypes).toEqual([
      'SEND',
      'REJECT',
      'BOUNCE',
      'COMPLAINT',
      'DELIVERY',
      'RENDERING_FAILURE',
      'DELIVERY_DELAY',
    ]);
  });

  it('may send to the queues of the home region', () => {
    for (const name of ['inbound', 'provider-events'] as const) {
      const policy = templates()
        .of('AWS::SQS::QueuePolicy')
        .find(
          ({ stack, logicalId }) =>
            stack === 'Parley-Workers' && logicalId.startsWith(`${pascal(name)}QueuePolicy`),
        );
      const allowed = policy?.properties.PolicyDocument.Statement.find(
        ({ Effect }: Properties) => Effect === 'Allow',
      );
      expect(allowed.Condition.ArnEquals['aws:SourceArn']).toEqual(
        settings.mailRegions.map((region) => names.topicArn(name, region)),
      );
    }
  });

  it('has the identity of the provided domain and outputs its records only when it is the default region', () => {
    const identities = templates().of('AWS::SES::EmailIdentity');
    expect(identities.map(({ region, properties }) => [region, properties.EmailIdentity])).toEqual([
      [settings.defaultRegion, settings.providedDomain],
    ]);
    const outputs = JSON.parse(templates().texts.get(`Parley-Mail-${settings.defaultRegion}`) ?? '').Outputs;
    expect(outputs.ProvidedDomainRecord4.Value).toBe(
      `*.${settings.providedDomain} MX 10 inbound-smtp.${settings.defaultRegion}.amazonaws.com`,
    );
    const [identity] = identities;
    const returnPath = identity?.properties.MailFromAttributes.MailFromDomain;
    expect(returnPath).toBe(`rp.${settings.providedDomain}`);
    // No workspace can have it.
    expect('rp').not.toMatch(slugPattern);
    expect([5, 6, 7].map((number) => outputs[`ProvidedDomainRecord${number}`].Value)).toEqual([
      `${returnPath} MX 10 feedback-smtp.${settings.defaultRegion}.amazonses.com`,
      `${returnPath} TXT "v=spf1 include:amazonses.com ~all"`,
      `_dmarc.${settings.providedDomain} TXT "v=DMARC1; p=none;"`,
    ]);
  });
});

describe('functions', () => {
  it('run on the Node.js version of the repo, on arm64, with JSON logs in the log group of their stack', () => {
    for (const { properties } of templates().of('AWS::Lambda::Function')) {
      if (!properties.FunctionName) continue;
      expect(properties).toMatchObject({
        Runtime: `nodejs${process.versions.node.split('.')[0]}.x`,
        Architectures: ['arm64'],
        LoggingConfig: { LogFormat: 'JSON', LogGroup: expect.anything() },
      });
      expect(properties.Timeout).toBeLessThanOrEqual(
        properties.FunctionName.startsWith('parley-api') ? 29 : 900,
      );
    }
  });

  it('have exactly the environment that they read', () => {
    const shared = templates().of('AWS::SSM::Parameter');
    expect(shared.map(({ stack }) => stack)).toEqual(['Parley-Workers', 'Parley-Api']);
    for (const { properties } of shared) {
      const [, parts] = properties.Value['Fn::Join'];
      const text = parts.map((part: unknown) => (typeof part === 'string' ? part : 'imported')).join('');
      expect(Object.keys(JSON.parse(text)).sort()).toEqual([...environmentNames].sort());
    }
  });

  it('log to groups with a retention period', () => {
    for (const { logicalId, properties } of templates().of('AWS::Logs::LogGroup')) {
      expect(properties.RetentionInDays, logicalId).toBe(30);
    }
  });
});

function pascal(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
