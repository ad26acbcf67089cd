/** Writes with their capacity units, and the limits of throughput on them. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { consumedByWrite, type Image, keyText } from './dynamodb-capacity.ts';
import { type Inspection, type ItemOf, partitionOf } from './dynamodb-inspection.ts';
import { type ItemKey, type Write, writesOf } from './dynamodb-keys.ts';
import { type MeteringParts, withUnits } from './dynamodb-metered-response.ts';
import { operationOf } from './dynamodb-operations.ts';
import { type Throttle, throttledCall, throttledTransaction } from './dynamodb-throttle.ts';
import { jsonBody } from './json-protocol.ts';
import type { AwsCall, AwsResponse } from './service.ts';

/** Errors of writes that cost units (DynamoDB developer guide, "DynamoDB read and write operations", conditional writes). */
const refusals = /ConditionalCheckFailedException|TransactionCanceledException/;

/** Runs a write. @param keys of its items */
export async function meteredWrite(
  { forward, inspection, throttle }: MeteringParts,
  call: AwsCall,
  keys: readonly ItemKey[],
): Promise<AwsResponse> {
  const items = keys.map(({ table, key }) => ({ table, key: key as Image }));
  const operation = operationOf(call);
  const before = await inspection.imagesOf(call, items);
  const refused = throttle ? await refusedWrite(inspection, throttle, call, items, before) : null;
  if (refused) return refused;
  const response = await forward(call, call.body);
  const isDone = response.status === 200;
  if (!isDone && !refusals.test(response.body.toString())) return response;
  const after = isDone ? await inspection.imagesOf(call, items) : before;
  const consumed = await Promise.all(
    items.map(async ({ table, key }, at) =>
      consumedByWrite(
        {
          key,
          before: before[at] ?? null,
          after: after[at] ?? null,
          // A transaction that is cancelled has not been committed: it costs its first half.
          transacted: isDone && operation === 'TransactWriteItems',
        },
        await inspection.shapeOf(call, table),
      ),
    ),
  );
  throttle?.take('Write', consumed.flat());
  return withUnits(response, consumed.flat());
}

/** The response to a write without units: of an item, or of an index entry that is or becomes its own. */
async function refusedWrite(
  inspection: Inspection,
  limits: Throttle,
  call: AwsCall,
  items: readonly ItemOf[],
  before: readonly (Image | null)[],
): Promise<AwsResponse | null> {
  const writes = writesOf(operationOf(call), jsonBody(call));
  const refusals = await Promise.all(
    items.map(async ({ table, key }, at) => {
      const shape = await inspection.shapeOf(call, table);
      return limits.refusalOf('Write', [
        { index: null, partition: partitionOf(key, shape.keys) },
        ...shape.indexes.flatMap(({ name, keys }) =>
          [before[at]?.[keys[0] ?? ''], assigned(writes[at] ?? {}, keys[0] ?? '')].flatMap((value) =>
            value ? [{ index: name, partition: keyText(value) }] : [],
          ),
        ),
      ]);
    }),
  );
  const throttled = refusals.filter((one) => one !== null);
  const [first] = throttled;
  if (!first) return null;
  const isTransaction = operationOf(call) === 'TransactWriteItems';
  return { ...(isTransaction ? throttledTransaction(refusals) : throttledCall(first)), throttled };
}

/** What a write assigns to an attribute: of its item, or by `SET name = :value`. */
function assigned(
  { Item, UpdateExpression = '', ...names }: Write,
  attribute: string,
): AttributeValue | undefined {
  if (Item) return Item[attribute] as AttributeValue | undefined;
  const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = names;
  const assignments = [...UpdateExpression.matchAll(/(#?[\w.-]+)\s*=\s*(:[\w.-]+)/g)];
  const found = assignments.find(([, name = '']) => (ExpressionAttributeNames[name] ?? name) === attribute);
  return ExpressionAttributeValues[found?.[2] ?? ''];
}
