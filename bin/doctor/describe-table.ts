/** The table of a deployment, or its copy in another region, as DynamoDB describes it. */
import { DescribeTableCommand, DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import type { Names } from '../../lib/constructs/names.ts';

/** @throws where there is no such table, or AWS does not answer */
export async function describeTable(
  { table, homeRegion }: Pick<Names, 'table' | 'homeRegion'>,
  region = homeRegion,
): Promise<TableDescription | undefined> {
  const client = new DynamoDBClient({ region, ...clientConfig() });
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  client.destroy();
  return Table;
}
