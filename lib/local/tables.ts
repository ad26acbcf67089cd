/** The database of one local cloud in DynamoDB Local: the emulated service, and direct clients without gateway and policies. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { createDynamoDbService, type DynamoDbOptions, type DynamoDbService } from './aws/dynamodb.ts';
import { localSecret } from './aws/sigv4.ts';

export interface Tables {
  readonly service: DynamoDbService;
  readonly client: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  close(): Promise<void>;
}

/** @param options.isKept whether the tables outlive the process; else nobody else has the same database */
export function openTables({
  isKept,
  region,
  ...options
}: Omit<DynamoDbOptions, 'namespace' | 'account'> & {
  readonly isKept: boolean;
  readonly region: string;
}): Tables {
  // DynamoDB Local has one database per access key id: clouds that share the process do not share tables.
  const namespace = isKept ? 'kept' : `run${process.pid}x${Math.random().toString(36).slice(2)}`;
  const service = createDynamoDbService({ ...options, namespace });
  const direct = {
    endpoint: options.url,
    region,
    credentials: { accessKeyId: namespace, secretAccessKey: localSecret(namespace) },
  };
  const client = new DynamoDBClient(direct);
  const streams = new DynamoDBStreamsClient(direct);
  return {
    service,
    client,
    streams,
    async close() {
      client.destroy();
      streams.destroy();
      await service.close();
    },
  };
}
