/** Writes with their capacity units, and the limits of throughput on them. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { consumedByWrite, type Image, keyText, type Throttled } from './dynamodb-capacity.ts';
import { type Inspection, type ItemOf, partitionOf } from './dynamodb-inspection.ts';
import { type ItemKey, type Write, writesOf } from './dynamodb-keys.ts';
import { type MeteringParts, withUnits } from './dynamodb-metered-response.ts';
import { operationOf } from './dynamodb-operations.ts';
import { type Throttle, throttledCall, throttledTransaction } from './dynamodb-throttle.ts';
import { jsonBody } from './json-protocol.ts';
import type { AwsCall, AwsResponse } from './service.ts';

/** Errors of writes that cost units (DynamoDB developer guide, "DynamoDB read and write operations", conditional writes). */
const refusals = /ConditionalCheckFailedException|TransactionCanceledException/;

/** Runs a write, or of a batch what is not throttled. @param keys of its items */
export async function meteredWrite(
  parts: MeteringParts,
  call: AwsCall,
  keys: readonly ItemKey[],
): Promise<AwsResponse> {
  const { inspection, throttle } = parts;
  const items = keys.map(({ table, key }) => ({ table, key: key as Image }));
  const before = await inspection.imagesOf(call, items);
  const limits = throttle ? await limitsOf(inspection, throttle, call, { items, before }) : [];
  const throttled = limits.filter((one) => one !== null);
  const [first] = throttled;
  if (!first) return await runWrite(parts, call, items, before);
  const operation = operationOf(call);
  // Of a batch, single items are throttled; it fails when all of them are ("BatchWriteItem" in the Amazon DynamoDB API Reference).
  if (operation === 'BatchWriteItem' && throttled.length < items.length) {
    const passes = (_: unknown, at: number) => limits[at] === null;
    const batch = splitBatch(jsonBody(call), passes);
    const body = Buffer.from(JSON.stringify(batch.input));
    const done = await runWrite(parts, { ...call, body }, items.filter(passes), before.filter(passes));
    const output = { ...JSON.parse(done.body.toString()), UnprocessedItems: batch.rest };
    return { ...done, body: JSON.stringify(output), throttled };
  }
  const isTransaction = operation === 'TransactWriteItems';
  return { ...(isTransaction ? throttledTransaction(limits) : throttledCall(first)), throttled };
}

/** @param before the items as they are */
async function runWrite(
  { forward, inspection, throttle }: MeteringParts,
  call: AwsCall,
  items: readonly ItemOf[],
  before: readonly (Image | null)[],
): Promise<AwsResponse & { readonly body: Buffer | string }> {
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
          transacted: isDone && operationOf(call) === 'TransactWriteItems',
        },
        await inspection.shapeOf(call, table),
      ),
    ),
  );
  throttle?.take('Write', consumed.flat());
  return { ...withUnits(response, consumed.flat()), body: response.body };
}

type Requests = Readonly<Record<string, readonly unknown[]>>;

/** A batch with the requests that pass, and the others. @param passes by their order */
function splitBatch(
  input: Readonly<Record<string, unknown>>,
  passes: (request: unknown, at: number) => boolean,
) {
  const requests = Object.entries(input.RequestItems as Requests).flatMap(([table, list]) =>
    list.map((request) => ({ table, request })),
  );
  const pick = (isPassing: boolean): Requests =>
    Object.fromEntries(
      [
        ...Map.groupBy(
          requests.filter((one, at) => passes(one, at) === isPassing),
          ({ table }) => table,
        ),
      ].map(([table, list]) => [table, list.map(({ request }) => request)]),
    );
  return { input: { ...input, RequestItems: pick(true) }, rest: pick(false) };
}

/** Of each item, what has no units left: it, or an index entry that is or becomes its own. */
async function limitsOf(
  inspection: Inspection,
  limits: Throttle,
  call: AwsCall,
  { items, before }: { readonly items: readonly ItemOf[]; readonly before: readonly (Image | null)[] },
): Promise<(Throttled | null)[]> {
  const writes = writesOf(operationOf(call), jsonBody(call));
  return await Promise.all(
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
