/** A table as it was at a moment: copied, lost, and restored under another name, as a point-in-time restore does it. */
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ScanCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';

export type TableCopy = readonly Readonly<Record<string, AttributeValue>>[];

/** All items of a table. Changes meanwhile may be in it, as a restore has whole seconds. */
export async function copyTable(client: DynamoDBClient, table: string): Promise<TableCopy> {
  const items: Record<string, AttributeValue>[] = [];
  let start: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

/**
 * Makes the table of a restore, without a stream: "Restore a table in DynamoDB" has what is not restored.
 *
 * @param like the table whose keys and indexes it has
 */
export async function restoreTable(
  client: DynamoDBClient,
  { like, table, copy }: { readonly like: string; readonly table: string; readonly copy: TableCopy },
): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: like }));
  if (!Table) throw new Error(`there is no table ${like}`);
  await client.send(
    new CreateTableCommand({
      TableName: table,
      KeySchema: Table.KeySchema,
      AttributeDefinitions: Table.AttributeDefinitions,
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: Table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  );
  for (let start = 0; start < copy.length; start += 25) {
    const requests = copy.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('the table engine has left items out');
  }
}

/** The stream of a restored table begins when it is turned on. */
export async function turnOnStream(client: DynamoDBClient, table: string): Promise<void> {
  const stream = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } as const;
  await client.send(new UpdateTableCommand({ TableName: table, StreamSpecification: stream }));
}
