/** Calls of DynamoDB, with plain values instead of DynamoDB's JSON. `table.ts` decides what is tried again. */
import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  DeleteCommandInput,
  DeleteCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '../adapters/aws-http.ts';
import { jsonCaller } from '../adapters/aws-json.ts';
import { fromAttributes, toAttributes } from './attribute-values.ts';

/** The actions in use with their input and output ("Actions", Amazon DynamoDB API Reference). */
interface Actions {
  readonly BatchGetItem: readonly [BatchGetCommandInput, BatchGetCommandOutput];
  readonly BatchWriteItem: readonly [BatchWriteCommandInput, BatchWriteCommandOutput];
  readonly DeleteItem: readonly [DeleteCommandInput, DeleteCommandOutput];
  readonly GetItem: readonly [GetCommandInput, GetCommandOutput];
  readonly PutItem: readonly [PutCommandInput, PutCommandOutput];
  readonly Query: readonly [QueryCommandInput, QueryCommandOutput];
  readonly Scan: readonly [ScanCommandInput, ScanCommandOutput];
  readonly TransactWriteItems: readonly [TransactWriteCommandInput, TransactWriteCommandOutput];
  readonly UpdateItem: readonly [UpdateCommandInput, UpdateCommandOutput];
}

const call = jsonCaller({
  name: 'dynamodb',
  prefix: 'DynamoDB_20120810',
  version: '1.0',
  // As in the SDK's client.
  options: { maxAttempts: 4 },
  retryDelayMs: 25,
});

/** Calls DynamoDB. @throws ServiceError; errors of the connection */
export async function dynamodb<A extends keyof Actions>(
  action: A,
  input: Actions[A][0],
): Promise<Omit<Actions[A][1], '$metadata'>> {
  const output = await call(action, converted(input, toAttributes) as object);
  return converted(output ?? {}, fromAttributes) as Omit<Actions[A][1], '$metadata'>;
}

/** Whether DynamoDB refused a write because its own condition failed. */
export function isConditionFailed(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.name === 'ConditionalCheckFailedException';
}

/** The item that did not meet the condition; null where there is none, or none was asked for. */
export function itemOfFailure({ fields }: ServiceError): Record<string, unknown> | null {
  return typeof fields.Item === 'object' && fields.Item !== null ? fromAttributes({ ...fields.Item }) : null;
}

/** The reasons for which DynamoDB cancelled a transaction, one for each of its writes; null where it did not. */
export function cancellationReasons(error: unknown): readonly string[] | null {
  if (!(error instanceof ServiceError) || error.name !== 'TransactionCanceledException') return null;
  const { CancellationReasons: reasons } = error.fields;
  return (Array.isArray(reasons) ? reasons : []).map(({ Code = 'None' }: { Code?: string }) => Code);
}

/** Fields that hold attributes, and those that hold a list of them. */
const attributeFields = new Set([
  'Attributes',
  'ExclusiveStartKey',
  'ExpressionAttributeValues',
  'Item',
  'Key',
  'LastEvaluatedKey',
]);
const listFields = new Set(['Items', 'Keys']);
/** The fields around them, beside those that name tables. */
const outerFields = new Set([
  'ConditionCheck',
  'Delete',
  'DeleteRequest',
  'Put',
  'PutRequest',
  'TransactItems',
  'Update',
]);
/** Requests by table. */
const requestFields = new Set(['RequestItems', 'UnprocessedItems', 'UnprocessedKeys']);

type Convert = (attributes: Readonly<Record<string, unknown>>) => Record<string, unknown>;
type Fields = Readonly<Record<string, unknown>>;

/** A copy of an input or an output in which all attributes are converted. */
function converted(fields: object, convert: Convert): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) copy[name] = convertedField(name, value, convert);
  return copy;
}

function convertedField(name: string, value: unknown, convert: Convert): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (attributeFields.has(name)) return convert(value as Fields);
  if (listFields.has(name)) return (value as readonly Fields[]).map(convert);
  if (name === 'Responses') return ofEachTable(value, (items) => (items as readonly Fields[]).map(convert));
  if (requestFields.has(name)) return ofEachTable(value, (requests) => withinOf(requests as object, convert));
  return outerFields.has(name) ? withinOf(value, convert) : value;
}

const withinOf = (value: object, convert: Convert): unknown =>
  Array.isArray(value) ? value.map((one: object) => converted(one, convert)) : converted(value, convert);

function ofEachTable(tables: object, of: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tables).map(([table, value]) => [table, of(value)]));
}
