/** The required permissions of each DynamoDB call: actions, tables or indexes, leading keys. */
import * as z from 'zod';
import type { DynamoDbOperation } from './dynamodb-operations.ts';
import { parseInput } from './json-protocol.ts';
import type { NeededPermission } from './service.ts';

/** Partition key of the table (`lib/storage/table/keys.ts`). */
const partitionKey = 'pk';

/** Attributes by name. Not validated one by one, as this is done for every call; the table engine validates them. */
const item = z.custom<Readonly<Record<string, Readonly<Record<string, unknown>>>>>(
  (value) => typeof value === 'object' && value !== null,
);
const itemWrite = z.looseObject({ TableName: z.string(), Key: item.optional(), Item: item.optional() });
const requestItems = z.looseObject({ RequestItems: z.record(z.string(), z.unknown()) });
const inputs = {
  item: itemWrite,
  query: z.looseObject({
    TableName: z.string(),
    IndexName: z.string().optional(),
    KeyConditionExpression: z.string().optional(),
    ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
    ExpressionAttributeValues: item.default({}),
  }),
  batchGet: requestItems.extend({
    RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(item) })),
  }),
  batchWrite: requestItems.extend({
    RequestItems: z.record(
      z.string(),
      z.array(
        z.looseObject({
          PutRequest: z.looseObject({ Item: item }).optional(),
          DeleteRequest: z.looseObject({ Key: item }).optional(),
        }),
      ),
    ),
  }),
  transaction: z.looseObject({ TransactItems: z.array(z.record(z.string(), itemWrite)) }),
  table: z.looseObject({ TableName: z.string() }),
  stream: z.looseObject({ StreamArn: z.string().optional() }),
};
type Item = z.output<typeof item>;

/** IAM actions of a transaction's items (DynamoDB developer guide, "Using IAM with DynamoDB transactions"). */
const transactionActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** The permissions of a call. @throws AwsError for an invalid input */
export function permissionsOf(
  operation: DynamoDbOperation,
  input: Record<string, unknown>,
  region: string,
  account: string,
): NeededPermission[] {
  const arn = (table: string) => `arn:aws:dynamodb:${region}:${account}:table/${table}`;
  const needed = (action: string, resource: string, leadingKeys: readonly string[]): NeededPermission => ({
    action: `dynamodb:${action}`,
    resource,
    ...(leadingKeys.length > 0 && { context: { 'dynamodb:LeadingKeys': leadingKeys } }),
  });
  switch (operation) {
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem': {
      const { TableName, Key, Item } = parseInput(inputs.item, input);
      return [needed(operation, arn(TableName), leadingKeys([Key ?? Item]))];
    }
    case 'Query':
    case 'Scan': {
      const query = parseInput(inputs.query, input);
      const resource = query.IndexName
        ? `${arn(query.TableName)}/index/${query.IndexName}`
        : arn(query.TableName);
      return [needed(operation, resource, keysOfCondition(query))];
    }
    case 'BatchGetItem':
      return Object.entries(parseInput(inputs.batchGet, input).RequestItems).map(([table, { Keys }]) =>
        needed(operation, arn(table), leadingKeys(Keys)),
      );
    case 'BatchWriteItem':
      return Object.entries(parseInput(inputs.batchWrite, input).RequestItems).map(([table, requests]) =>
        needed(
          operation,
          arn(table),
          leadingKeys(
            requests.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key),
          ),
        ),
      );
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return transactionParts(parseInput(inputs.transaction, input)).map(([action, table, keys]) =>
        needed(action, arn(table), keys),
      );
    case 'ListTables':
    case 'ListStreams':
    // A shard iterator is opaque.
    case 'GetRecords':
      return [needed(operation, '*', [])];
    case 'DescribeStream':
    case 'GetShardIterator':
      return [needed(operation, parseInput(inputs.stream, input).StreamArn ?? '*', [])];
    default:
      return [needed(operation, arn(parseInput(inputs.table, input).TableName), [])];
  }
}

/** Action, table and partition keys of a transaction, one row per action and table. */
function transactionParts(input: z.output<typeof inputs.transaction>): [string, string, string[]][] {
  const rows = new Map<string, [string, string, string[]]>();
  for (const [kind, part] of input.TransactItems.flatMap((parts) => Object.entries(parts))) {
    const action = transactionActions[kind] ?? kind;
    const row = rows.get(`${action} ${part.TableName}`) ?? [action, part.TableName, []];
    rows.set(`${action} ${part.TableName}`, row);
    row[2].push(...leadingKeys([part.Key ?? part.Item]));
  }
  return [...rows.values()];
}

function leadingKeys(items: readonly (Item | undefined)[]): string[] {
  return [...new Set(items.flatMap((each) => keyValue(each?.[partitionKey])))];
}

/** The partition key of a Query; none for a Scan. @throws AwsError for an invalid input */
export function queriedKeys(input: Record<string, unknown>): readonly string[] {
  return keysOfCondition(parseInput(inputs.query, input));
}

/** The partition key value of a key condition; on an index, the first equality. */
function keysOfCondition(query: z.output<typeof inputs.query>): string[] {
  const equalities = [...(query.KeyConditionExpression ?? '').matchAll(/(#?[\w.-]+)\s*=\s*(:[\w.-]+)/g)];
  const own = equalities.find(
    ([, name = '']) => (query.ExpressionAttributeNames[name] ?? name) === partitionKey,
  );
  const [, , placeholder = ''] = own ?? equalities[0] ?? [];
  return keyValue(query.ExpressionAttributeValues[placeholder]);
}

/** A key attribute's value as in `dynamodb:LeadingKeys`: text, number or base64. */
function keyValue(attribute: Readonly<Record<string, unknown>> | undefined): string[] {
  const value = attribute?.S ?? attribute?.N ?? attribute?.B;
  return typeof value === 'string' ? [value] : [];
}
