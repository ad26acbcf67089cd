/**
 * The names of the resources of a deployment, derived from the settings alone, so that a stack can name resources of another
 * stack or region: CloudFormation exports lock the exporting stack and do not work across regions. Only ARNs that AWS
 * generates (secrets key, table stream) are passed as references.
 */
import { type QueueName, queueSuffix, queues } from '../core/access/access.ts';
import { functionName } from '../http/contract.ts';
import type { Settings } from '../settings.ts';

/** The queues that topics of the mail regions send to; a topic has the name of its queue. */
export const mailTopics = ['inbound', 'provider-events'] as const satisfies readonly QueueName[];
export type MailTopic = (typeof mailTopics)[number];

/** Sources of dead letters: each queue, the stream of the outbox, and EventBridge Scheduler. */
export type DeadLetterSource = QueueName | 'outbox' | 'schedules';

/** The stage of the WebSocket API, a part of its URL. */
export const liveStage = 'live';

/** The indexes of the table. They project keys only. */
export const tableIndexes = ['GSI1', 'GSI2'] as const;

export interface Names {
  /** Twelve digits, or the pseudo parameter `AWS::AccountId` when the account is not known at synthesis. */
  readonly account: string;
  readonly homeRegion: string;
  /** What all names begin with; the name of the deployment. */
  readonly prefix: string;
  readonly table: string;
  readonly contentBucket: string;
  readonly configurationSet: string;
  readonly receiptRuleSet: string;
  readonly receiptRule: string;
  readonly scheduleGroup: string;
  /** Namespace of the metrics of the functions. */
  readonly metricsNamespace: string;
  readonly schedulerRole: string;
  /** The permissions boundary of the functions' roles: it ends their work when the standby has taken over. */
  readonly boundary: string;
  /** Bucket for the server access logs of the buckets of one stack. */
  accessLogBucket(of: 'content' | 'mail', region: string): string;
  rawMailBucket(region: string): string;
  queue(name: QueueName): string;
  deadLetterQueue(name: DeadLetterSource): string;
  /** Dead-letter queue of the topic subscriptions of a mail region. */
  undeliveredQueue: string;
  topic(name: MailTopic): string;
  /** The WebSocket API. */
  readonly liveApi: string;
  alarmTopic(of: 'home' | 'mail'): string;
  logGroup(of: 'api' | 'workers' | 'traces'): string;
  apiFunction(id: string): string;
  workerFunction(id: string): string;
  readonly tracesFunction: string;
  /** An ARN in this account; default region: the home region. */
  arn(service: string, resource: string, region?: string): string;
  queueArn(name: QueueName): string;
  deadLetterQueueArn(name: DeadLetterSource): string;
  /** The URL of a queue without its `queueSuffix`. */
  readonly queueUrlPrefix: string;
  topicArn(name: MailTopic, region: string): string;
}

/** Without CDK, for what looks at a deployment. @param settings `account` is known, or what stands for it */
export function namesOf(
  settings: Pick<Settings, 'prefix' | 'account' | 'homeRegion'> &
    Partial<Pick<Settings, 'tableName' | 'standbyOf'>>,
): Names {
  const prefix = settings.prefix.toLowerCase();
  const { account } = settings;
  const arn = (service: string, resource: string, region = settings.homeRegion) =>
    `arn:aws:${service}:${region}:${account}:${resource}`;
  const queue = (name: QueueName) => `${prefix}-${queueSuffix(name)}`;
  const deadLetterQueue = (name: DeadLetterSource) =>
    `${prefix}-${name}-dead-letters${isFifo(name) ? '.fifo' : ''}`;
  const topic = (name: MailTopic) => `${prefix}-${name}`;
  return {
    account,
    homeRegion: settings.homeRegion,
    prefix,
    table: settings.tableName || prefix,
    contentBucket: `${prefix}-content-${account}-${settings.homeRegion}`,
    configurationSet: prefix,
    receiptRuleSet: prefix,
    receiptRule: 'catch-all',
    scheduleGroup: prefix,
    metricsNamespace: prefix,
    // Names of IAM are those of all regions.
    schedulerRole: settings.standbyOf ? `${prefix}-scheduler-${settings.homeRegion}` : `${prefix}-scheduler`,
    boundary: `${prefix}-functions-${settings.homeRegion}`,
    // Within the 63 characters of S3 for the longest prefix and region.
    accessLogBucket: (of, region) => `${prefix}-${of}-logs-${account}-${region}`,
    rawMailBucket: (region) => `${prefix}-raw-mail-${account}-${region}`,
    queue,
    deadLetterQueue,
    undeliveredQueue: `${prefix}-undelivered`,
    topic,
    liveApi: `${prefix}-live`,
    alarmTopic: (of) => `${prefix}-${of}-alarms`,
    logGroup: (of) => `/${prefix}/${of}`,
    apiFunction: (id) => `${prefix}-api-${functionName(id)}`,
    workerFunction: (id) => `${prefix}-worker-${functionName(id)}`,
    tracesFunction: `${prefix}-traces`,
    arn,
    queueArn: (name) => arn('sqs', queue(name)),
    deadLetterQueueArn: (name) => arn('sqs', deadLetterQueue(name)),
    queueUrlPrefix: `https://sqs.${settings.homeRegion}.amazonaws.com/${account}/${prefix}-`,
    topicArn: (name, region) => arn('sns', topic(name), region),
  };
}

/** Whether the dead-letter queue is a FIFO queue, as the dead-letter queue of a FIFO queue must be. */
export function isFifo(name: DeadLetterSource): boolean {
  return name !== 'outbox' && name !== 'schedules' && queues[name].fifo;
}
