/** What metering reads from the table engine beside a call: the shapes of tables, and items before and after writes. */
import type { DescribeTableCommandOutput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { type Image, keyText, type TableShape } from './dynamodb-capacity.ts';
import type { DynamoDbOperation } from './dynamodb-operations.ts';
import type { AwsCall, AwsResponse } from './service.ts';

/** Sends a call with another body to the table engine. */
export type Forward = (call: AwsCall, body: Buffer | string) => Promise<AwsResponse & { body: Buffer }>;

export interface ItemOf {
  readonly table: string;
  readonly key: Image;
}

export interface Inspection {
  shapeOf(call: AwsCall, table: string): Promise<TableShape>;
  /** null: there is no such item. */
  imagesOf(call: AwsCall, items: readonly ItemOf[]): Promise<(Image | null)[]>;
}

export function createInspection(forward: Forward): Inspection {
  async function ask<T>(call: AwsCall, operation: DynamoDbOperation, input: unknown): Promise<T> {
    const headers = { ...call.headers, 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const response = await forward({ ...call, headers }, JSON.stringify(input));
    return JSON.parse(response.body.toString()) as T;
  }

  const shapes = new Map<string, Promise<TableShape>>();

  return {
    shapeOf(call, TableName) {
      const known =
        shapes.get(TableName) ?? ask<DescribedTable>(call, 'DescribeTable', { TableName }).then(tableShape);
      shapes.set(TableName, known);
      return known;
    },
    async imagesOf(call, items) {
      const TransactItems = items.map(({ table: TableName, key: Key }) => ({ Get: { TableName, Key } }));
      const found = await ask<{ Responses?: { Item?: Image }[] }>(call, 'TransactGetItems', {
        TransactItems,
      });
      return items.map((_, at) => found.Responses?.[at]?.Item ?? null);
    },
  };
}

/** The value of the partition key in a key. */
export function partitionOf(key: Image, [name = '']: readonly string[]): string {
  return keyText(key[name]);
}

/** Attribute of Time to Live (`lib/stacks/data.ts`). */
const expiryAttribute = 'expiresAt';

type DescribedTable = Pick<DescribeTableCommandOutput, 'Table'>;

function tableShape({ Table }: DescribedTable): TableShape {
  const namesOf = (schema: readonly KeySchemaElement[] = []) =>
    schema.map(({ AttributeName = '' }) => AttributeName);
  const keys = namesOf(Table?.KeySchema);
  const indexes = Table?.GlobalSecondaryIndexes ?? [];
  return {
    keys,
    expiry: expiryAttribute,
    indexes: indexes.map(({ IndexName: name = '', KeySchema, Projection }) => ({
      name,
      keys: namesOf(KeySchema),
      projected:
        Projection?.ProjectionType === 'ALL'
          ? null
          : [...keys, ...namesOf(KeySchema), ...(Projection?.NonKeyAttributes ?? [])],
    })),
  };
}
