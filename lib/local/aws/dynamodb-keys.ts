/** The items that DynamoDB writes change, by table and key. */
import type { AttributeValue, DescribeTableCommandOutput } from '@aws-sdk/client-dynamodb';
import type { DynamoDbOperation } from './dynamodb-operations.ts';

type Attributes = Readonly<Record<string, unknown>>;

export interface ItemKey {
  readonly table: string;
  readonly key: Attributes;
  /** Equal for equal keys. */
  readonly id: string;
}

/** A key for a listing: the values of its attributes, separated by a space. */
export function textOf({ key }: ItemKey): string {
  return Object.values(key)
    .map((attribute) => String(Object.values(attribute as Attributes)[0]))
    .join(' ');
}

export interface Write {
  readonly TableName?: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
}

/** Finds the keys of writes. `describe` returns a table's description; it is called once per table. */
export function createKeyReader(
  describe: (table: string) => Promise<Pick<DescribeTableCommandOutput, 'Table'>>,
): (operation: DynamoDbOperation, input: Attributes) => Promise<ItemKey[]> {
  const keyNames = new Map<string, Promise<readonly string[]>>();

  function namesOf(table: string): Promise<readonly string[]> {
    const names =
      keyNames.get(table) ??
      describe(table).then(({ Table }) =>
        (Table?.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName),
      );
    keyNames.set(table, names);
    return names;
  }

  return async (operation, input) =>
    await Promise.all(
      writesOf(operation, input).map(async ({ TableName: table = '', Key, Item }) => {
        const names = await namesOf(table);
        const key = Object.fromEntries(names.map((name) => [name, (Key ?? Item)?.[name]]));
        return { table, key, id: `${table} ${JSON.stringify(key)}` };
      }),
    );
}

/** The writes of a call, in its order; none of a read. */
export function writesOf(operation: DynamoDbOperation, input: Attributes): readonly Write[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [input as Write];
    case 'BatchWriteItem':
      return Object.entries(input.RequestItems as Record<string, Record<string, Write>[]>).flatMap(
        ([TableName, requests]) =>
          requests.flatMap((request) => Object.values(request).map((write) => ({ ...write, TableName }))),
      );
    case 'TransactWriteItems':
      return (input.TransactItems as Record<string, Write>[]).flatMap((item) => Object.values(item));
    default:
      return [];
  }
}
