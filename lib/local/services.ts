/** Starts the emulated AWS services of one local cloud, without resources, behind one gateway. */

import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { liveStage } from '../constructs/names.ts';
import type { AccessControl } from './access-control.ts';
import { type Anomalies, createRandom } from './anomalies.ts';
import { createTransactionConflicts } from './aws/dynamodb-conflicts.ts';
import { createIndexLag, type IndexLag } from './aws/dynamodb-index-lag.ts';
import { createThrottle } from './aws/dynamodb-throttle.ts';
import { createFaults, type Faults } from './aws/faults.ts';
import { type Gateway, startGateway } from './aws/gateway.ts';
import { createIamApi } from './aws/iam-api.ts';
import { createKms, type Kms } from './aws/kms.ts';
import { createLambdaApi } from './aws/lambda-api.ts';
import { createLogsApi } from './aws/logs-api.ts';
import { createS3, type S3 } from './aws/s3.ts';
import { createScheduler, type Schedule, type Scheduler } from './aws/scheduler.ts';
import { createSecretsManager } from './aws/secrets-manager.ts';
import { localAccount, type NeededPermission } from './aws/service.ts';
import { createSns, type Sns } from './aws/sns.ts';
import { createSnsApi } from './aws/sns-api.ts';
import { createSqs, type Sqs } from './aws/sqs.ts';
import { createConnectionsService, type OpenConnections } from './aws/websocket-connections.ts';
import { createXRay, type XRay } from './aws/xray.ts';
import type { MovableClock } from './clock.ts';
import type { MetricStore } from './cloudwatch/metric-store.ts';
import { type LocalDns, startDns } from './dns/server.ts';
import type { FunctionSpec } from './function-thread.ts';
import type { Functions } from './functions.ts';
import type { Journal } from './journal.ts';
import type { ServiceLimits } from './limits.ts';
import type { LogRing } from './logs.ts';
import { type MailboxProviders, startMailboxProviders } from './mailbox-providers/mailbox-providers.ts';
import type { PolicyVersions } from './policy-versions.ts';
import { localSocketApiId } from './resource-names.ts';
import { schedulerAssumingRole } from './service-principals.ts';
import type { ReceiveResult } from './ses/inbound-routing.ts';
import type { IncomingMail } from './ses/incoming-mail.ts';
import { createSes, type LocalSes } from './ses/ses.ts';
import { type ServiceCall, sesConnections } from './ses-connections.ts';
import { openTables } from './tables.ts';

/** Clean-up functions, run in reverse order. */
export type Closers = (() => Promise<void> | void)[];

export interface LocalServices {
  readonly dns: LocalDns;
  /** Direct client of the table engine, without gateway and policies. */
  readonly dynamoDb: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  readonly faults: Faults;
  readonly gateway: Gateway;
  /** null: indexes do not lag. */
  readonly indexLag: IndexLag | null;
  readonly kms: Kms;
  readonly mailboxProviders: MailboxProviders;
  readonly s3: S3;
  readonly scheduler: Scheduler;
  readonly ses: LocalSes;
  readonly sns: Sns;
  readonly sqs: Sqs;
  /** Open connections of the WebSocket API. */
  readonly socketConnections: OpenConnections;
  readonly xray: XRay;
  /** Calls a listener after each call that SES makes to another service, which the gateway does not see. */
  readonly onServiceCall: (listener: (call: ServiceCall) => void) => void;
  /** Calls a listener with each mail of an emulated mailbox to addresses without one, and what SES did with it. */
  readonly onMailboxMail: (listener: MailboxMailListener) => void;
}

export type MailboxMailListener = (mail: IncomingMail, result: ReceiveResult) => void;

export interface ServicesOptions {
  readonly clock: MovableClock;
  readonly homeRegion: string;
  readonly mailRegions: readonly string[];
  /** Of the table engine, which no other cloud uses. */
  readonly tablesUrl: string;
  /** Secrets of Secrets Manager by their ARN. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly dnsPort: number;
  readonly providerPorts: { readonly google: number; readonly microsoft: number };
  readonly limits: ServiceLimits;
  readonly anomalies: Anomalies;
  readonly metrics: Pick<MetricStore, 'put'>;
  readonly logLines: LogRing['lines'];
  /** Called after background work of a service. */
  readonly onProgress: () => void;
  /** Folder of the objects; default: in memory. */
  readonly dataFolder?: string | undefined;
  /** State that outlives the process; null: none does. */
  readonly journal: Journal | null;
  /** The policies of the deployment; they may be set after the start. */
  readonly access: AccessControl;
  /** Of the managed policies. */
  readonly boundaries: PolicyVersions;
  /** Called when a service drops a message because a policy denies its delivery. */
  readonly onDropped: (text: string) => void;
  /** A deployed function; null where there is none of that name. */
  readonly functionOf: (functionName: string) => FunctionSpec | null;
  /** Invokes a deployed function. */
  readonly invoke: Functions['invoke'];
  /** Whether the role of a function has a permission. */
  readonly authorize: (functionName: string, needed: NeededPermission) => boolean;
}

export async function startServices(options: ServicesOptions, closers: Closers): Promise<LocalServices> {
  const { access, clock } = options;
  const random = createRandom(options.anomalies.seed);
  const dns = await startDns({ port: options.dnsPort, journal: options.journal });
  closers.push(dns.close);
  const { sqs, sns, scheduler } = createMessaging(options, random);
  const s3 = openObjects(options, random);
  const [kms, xray] = [createKms(), createXRay(clock)];
  const { ses, onServiceCall } = createMail(options, random, { dns, s3, sns }, (mail) =>
    // Nothing is sent before the services have started.
    mailboxProviders.receive(mail),
  );
  const { tables, indexLag } = openDatabase(options, random, closers);
  const faults = createFaults();
  const socketConnections: OpenConnections = new Map();
  const gateway = await startGateway({
    clock,
    services: [
      tables.service,
      createIamApi(options.boundaries),
      kms,
      createLogsApi(options.logLines),
      createLambdaApi({ ...options.limits.lambda, functionOf: options.functionOf, invoke: options.invoke }),
      s3,
      scheduler,
      createConnectionsService(socketConnections, { apiId: localSocketApiId, stage: liveStage }),
      createSecretsManager(options.secrets),
      ses,
      createSnsApi(sns, access.policyOf),
      sqs,
      xray,
    ],
    authorize: options.authorize,
    faults,
  });
  closers.push(gateway.close);
  const mailboxMail = createMailboxMail();
  const mailboxProviders: MailboxProviders = await openMailboxProviders(options, faults, gateway, (mail) =>
    ses.receive(mail).then((result) => mailboxMail.tell(mail, result)),
  );
  closers.push(mailboxProviders.close);
  return {
    dns,
    dynamoDb: tables.client,
    streams: tables.streams,
    faults,
    gateway,
    indexLag,
    kms,
    mailboxProviders,
    s3,
    scheduler,
    ses,
    sns,
    sqs,
    socketConnections,
    xray,
    onServiceCall,
    onMailboxMail: mailboxMail.add,
  };
}

function openObjects({ access, anomalies, clock, dataFolder }: ServicesOptions, random: Random) {
  return createS3({
    clock,
    directory: dataFolder && join(dataFolder, 'objects'),
    failsCopy: withProbability(anomalies.copyErrors, random),
    policyOf: access.policyOf,
  });
}

async function openMailboxProviders(
  { providerPorts, limits, clock, anomalies, onProgress }: ServicesOptions,
  faults: Faults,
  { recorder }: Gateway,
  deliverOutside: Parameters<typeof startMailboxProviders>[0]['deliverOutside'],
): Promise<MailboxProviders> {
  return await startMailboxProviders({
    ports: providerPorts,
    limits: limits.mailboxes,
    clock,
    faults,
    seed: anomalies.seed,
    record: recorder.note,
    onProgress,
    deliverOutside,
  });
}

function createMailboxMail() {
  const listeners: MailboxMailListener[] = [];
  return {
    add: (listener: MailboxMailListener) => void listeners.push(listener),
    tell: (...[mail, result]: Parameters<MailboxMailListener>) => {
      for (const listener of listeners) listener(mail, result);
    },
  };
}

type Random = ReturnType<typeof createRandom>;

/** Whether an anomaly happens, each time it could. */
function withProbability(fraction: number, random: Random): () => boolean {
  return () => fraction > 0 && random() < fraction;
}

/** Queues, topics that send to them, and schedules that do. */
function createMessaging(options: ServicesOptions, random: Random) {
  const { access, anomalies, clock } = options;
  const sqs = createSqs({
    clock,
    account: localAccount,
    region: options.homeRegion,
    fifoSearchDepth: options.limits.sqs.fifoSearchDepth,
    journal: options.journal,
    policyOf: access.policyOf,
  });
  const sns = createSns({
    sqs,
    serviceMay: access.serviceMay,
    duplicates: withProbability(anomalies.snsDuplicates, random),
    onDropped: options.onDropped,
  });
  const scheduler = createScheduler({
    clock,
    journal: options.journal,
    mayAssume: (roleArn, region, group) =>
      access.mayAssume(schedulerAssumingRole(region, localAccount, group), roleArn),
    deliver: (schedule, fifo) => deliverScheduled(schedule, fifo, sqs, options),
  });
  return { sqs, sns, scheduler };
}

/** SES, with its calls to the other services. @param deliverOutside delivers to addresses of no verified domain */
function createMail(
  options: ServicesOptions,
  random: Random,
  { dns, s3, sns }: Pick<LocalServices, 'dns' | 's3' | 'sns'>,
  deliverOutside: (mail: IncomingMail) => void,
) {
  const { access, anomalies, clock, limits, mailRegions, onDropped } = options;
  const listeners: ((call: ServiceCall) => void)[] = [];
  const ses = createSes({
    clock,
    account: localAccount,
    regions: mailRegions,
    resolver: dns.resolver,
    journal: options.journal,
    ...sesConnections({
      access,
      s3,
      sns,
      duplicates: withProbability(anomalies.sesDuplicates, random),
      onCall: (call) => {
        for (const listener of listeners) listener(call);
      },
      onReceiptFailure: (ruleArn) => noteReceiptFailure(ruleArn, options),
      onDropped,
    }),
    limits: limits.ses,
    sendsSetupNotifications: anomalies.sesSetupNotifications,
    deliverOutside,
  });
  const onServiceCall: LocalServices['onServiceCall'] = (listener) => void listeners.push(listener);
  return { ses, onServiceCall };
}

/** SES tries again for hours before it gives up, which it counts as expired; here, the first failure loses the mail. */
const receiptExpiryMs = 4 * 3_600_000;

/** "Viewing metrics for Amazon SES email receiving", Amazon SES Developer Guide. */
function noteReceiptFailure(
  ruleArn: string,
  { clock, metrics }: Pick<ServicesOptions, 'clock' | 'metrics'>,
): void {
  const [, region = '', RuleSetName = ''] =
    /^arn:aws:ses:([^:]+):\d+:receipt-rule-set\/([^:]+):/.exec(ruleArn) ?? [];
  const note = (name: string) =>
    metrics.put({ region, namespace: 'AWS/SES', name, dimensions: { RuleSetName }, value: 1 });
  note('PublishFailure');
  clock.at(clock.now() + receiptExpiryMs, () => note('PublishExpired'));
}

/** The tables in their engine, with the anomalies and limits that it lacks. */
function openDatabase(options: ServicesOptions, random: Random, closers: Closers) {
  const { anomalies, clock, limits, onProgress, tablesUrl } = options;
  const { indexLagMsMax: lagMsMax, transactionConflicts } = anomalies;
  const indexLag = lagMsMax > 0 ? createIndexLag({ clock, lagMsMax, random, onProgress }) : null;
  const tables = openTables({
    url: tablesUrl,
    throttle: createThrottle(limits.dynamodb, clock.now),
    ...(indexLag && { indexLag }),
    ...(transactionConflicts > 0 && {
      conflicts: createTransactionConflicts(transactionConflicts, random),
    }),
  });
  closers.push(tables.close);
  if (indexLag) closers.push(indexLag.close);
  return { tables, indexLag };
}

/** Scheduler sends with the execution role; what the role may not send goes to the dead-letter queue, or is lost. */
function deliverScheduled(
  { name, group, roleArn, targetArn, deadLetterArn, input: body }: Schedule,
  fifo: { readonly groupId: string } | undefined,
  sqs: Sqs,
  { access, metrics, onDropped }: Pick<ServicesOptions, 'access' | 'metrics' | 'onDropped'>,
): void {
  const maySend = (resource: string) => access.roleMay(roleArn, { action: 'sqs:SendMessage', resource });
  if (maySend(targetArn)) {
    sqs.send(targetArn, { body, ...fifo });
    return;
  }
  // "Monitoring Amazon EventBridge Scheduler with Amazon CloudWatch": whether or not there is a dead-letter queue.
  metrics.put({
    namespace: 'AWS/Scheduler',
    name: 'InvocationDroppedCount',
    dimensions: { ScheduleGroup: group },
    value: 1,
  });
  if (deadLetterArn && maySend(deadLetterArn)) sqs.send(deadLetterArn, { body });
  else onDropped(`Scheduler dropped the schedule ${name}: ${roleArn} may not send to ${targetArn}`);
}
