/** Starts the emulated AWS services of one local cloud, without resources, behind one gateway. */
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { createDynamoDbService } from './aws/dynamodb.ts';
import { createFaults, type Faults } from './aws/faults.ts';
import { type Gateway, startGateway } from './aws/gateway.ts';
import { createKms, type Kms } from './aws/kms.ts';
import { createS3, type S3 } from './aws/s3.ts';
import { createScheduler, type Scheduler } from './aws/scheduler.ts';
import { localAccount, type NeededPermission } from './aws/service.ts';
import { localSecret } from './aws/sigv4.ts';
import { createSns, type Sns } from './aws/sns.ts';
import { createSqs, type Sqs } from './aws/sqs.ts';
import type { MovableClock } from './clock.ts';
import { type LocalDns, startDns } from './dns/server.ts';
import { createSes, type LocalSes } from './ses/ses.ts';

/** Clean-up functions, run in reverse order. */
export type Closers = (() => Promise<void> | void)[];

export interface LocalServices {
  readonly dns: LocalDns;
  /** Direct client of DynamoDB Local, without gateway and policies. */
  readonly dynamoDb: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  readonly faults: Faults;
  readonly gateway: Gateway;
  readonly kms: Kms;
  readonly s3: S3;
  readonly scheduler: Scheduler;
  readonly ses: LocalSes;
  readonly sns: Sns;
  readonly sqs: Sqs;
}

export interface ServicesOptions {
  readonly clock: MovableClock;
  readonly homeRegion: string;
  readonly mailRegions: readonly string[];
  readonly dynamoDbUrl: string;
  readonly dnsPort: number;
  readonly sesManagementRateLimited: boolean;
  /** Folder of the objects; default: in memory. */
  readonly dataFolder?: string | undefined;
  /** Whether the role of a function has a permission. */
  readonly authorize: (functionName: string, needed: NeededPermission) => boolean;
}

export async function startServices(options: ServicesOptions, closers: Closers): Promise<LocalServices> {
  const { clock, homeRegion, dynamoDbUrl, dataFolder } = options;
  const dns = await startDns({ port: options.dnsPort });
  closers.push(dns.close);
  const sqs = createSqs({ clock, account: localAccount, region: homeRegion });
  const sns = createSns({ sqs, clock });
  const s3 = createS3({ clock, directory: dataFolder && join(dataFolder, 'objects') });
  const kms = createKms();
  const scheduler = createScheduler({
    clock,
    deliver: (targetArn, body, fifo) => void sqs.send(targetArn, { body, ...fifo }),
  });
  const ses = createSes({
    clock,
    account: localAccount,
    regions: options.mailRegions,
    resolver: dns.resolver,
    publish: sns.publish,
    store: (bucket, key, body) => s3.put(bucket, key, body),
    strictRate: options.sesManagementRateLimited,
  });
  // DynamoDB Local has one database per access key id: clouds that share the process do not share tables.
  const namespace = dataFolder ? 'kept' : `run${process.pid}x${Math.random().toString(36).slice(2)}`;
  const proxy = createDynamoDbService({ url: dynamoDbUrl, namespace });
  closers.push(proxy.close);
  const faults = createFaults();
  const gateway = await startGateway({
    clock,
    services: [proxy, kms, s3, scheduler, ses, sqs],
    authorize: options.authorize,
    faults,
  });
  closers.push(gateway.close);
  const direct = {
    endpoint: dynamoDbUrl,
    region: homeRegion,
    credentials: { accessKeyId: namespace, secretAccessKey: localSecret(namespace) },
  };
  const dynamoDb = new DynamoDBClient(direct);
  const streams = new DynamoDBStreamsClient(direct);
  closers.push(
    () => dynamoDb.destroy(),
    () => streams.destroy(),
  );
  return { dns, dynamoDb, streams, faults, gateway, kms, s3, scheduler, ses, sns, sqs };
}
