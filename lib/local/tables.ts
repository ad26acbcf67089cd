/** The tables of one local cloud in its engine: the emulated service, and direct clients without gateway and policies. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { createDynamoDbService, type DynamoDbOptions, type DynamoDbService } from './aws/dynamodb.ts';
import { engineCredentials, engineRegion } from './aws/table-engine.ts';

export interface Tables {
  readonly service: DynamoDbService;
  readonly client: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  close(): Promise<void>;
}

export function openTables(options: Omit<DynamoDbOptions, 'account'>): Tables {
  const service = createDynamoDbService(options);
  const direct = { endpoint: options.url, region: engineRegion, credentials: engineCredentials };
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
