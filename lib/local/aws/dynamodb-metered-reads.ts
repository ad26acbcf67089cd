/** Reads with their capacity units, and the limits of throughput on them. */
import type { KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import { consumedByRead, type Image } from './dynamodb-capacity.ts';
import { type ItemOf, partitionOf } from './dynamodb-inspection.ts';
import { type MeteringParts, withUnits } from './dynamodb-metered-response.ts';
import { type DynamoDbOperation, operationOf } from './dynamodb-operations.ts';
import { queriedKeys } from './dynamodb-permissions.ts';
import { throttledCall } from './dynamodb-throttle.ts';
import { jsonBody } from './json-protocol.ts';
import type { AwsCall, AwsResponse } from './service.ts';

interface Read extends ItemOf {
  readonly times: 0.5 | 1 | 2;
}

interface QueryOutput {
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number };
  readonly ScannedCount?: number;
}

/** Runs a GetItem, BatchGetItem or TransactGetItems. */
export async function meteredReads(
  { forward, inspection, throttle }: MeteringParts,
  call: AwsCall,
): Promise<AwsResponse> {
  const operation = operationOf(call);
  const input = jsonBody(call);
  const reads = await Promise.all(
    readsOf(operation, input).map(async (read) => {
      const { keys } = await inspection.shapeOf(call, read.table);
      const place = { index: null, partition: partitionOf(read.key, keys) };
      return { ...read, keys, refusal: throttle?.refusalOf('Read', [place]) ?? null };
    }),
  );
  const throttled = reads.flatMap(({ refusal }) => refusal ?? []);
  const [first] = throttled;
  const passed = reads.filter(({ refusal }) => refusal === null);
  // Of a batch, single keys are throttled; it fails when all of them are ("BatchGetItem" in the Amazon DynamoDB API Reference).
  const isPartial = operation === 'BatchGetItem' && passed.length > 0;
  if (first && !isPartial) return { ...throttledCall(first), throttled };
  const batch = first ? splitBatch(input, passed) : null;
  const answered = await forward(call, batch ? JSON.stringify(batch.input) : call.body);
  if (answered.status !== 200) return answered;
  const response = batch
    ? {
        ...answered,
        body: JSON.stringify({ ...JSON.parse(answered.body.toString()), UnprocessedKeys: batch.rest }),
        throttled,
      }
    : answered;
  const images = await inspection.imagesOf(call, passed);
  const consumed = passed.map(({ key, times, keys }, at) =>
    consumedByRead(key, images[at] ?? null, times, { keys }),
  );
  throttle?.take('Read', consumed);
  return { ...withUnits(response, consumed), items: passed.length };
}

/** Runs a Query or Scan. Requests `ReturnConsumedCapacity`, and removes it where the client did not. */
export async function meteredQuery(
  { forward, throttle }: Omit<MeteringParts, 'inspection'>,
  call: AwsCall,
): Promise<AwsResponse> {
  const input = jsonBody(call);
  const [partition = ''] = queriedKeys(input);
  const index = typeof input.IndexName === 'string' ? input.IndexName : null;
  const refusal = throttle?.refusalOf('Read', [{ index, partition }]);
  if (refusal) return { ...throttledCall(refusal), throttled: [refusal] };
  const requested = input.ReturnConsumedCapacity;
  const isRequested = requested === 'TOTAL' || requested === 'INDEXES';
  const asking = JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' });
  const response = await forward(call, isRequested ? call.body : asking);
  if (response.status !== 200) return response;
  const { ConsumedCapacity: consumed, ...rest }: QueryOutput = JSON.parse(response.body.toString());
  const taken = [{ index, partition, sort: '', units: unitsOf(consumed, timesOf(input)) }];
  throttle?.take('Read', taken);
  return {
    ...withUnits(isRequested ? response : { ...response, body: JSON.stringify(rest) }, taken),
    ...(rest.ScannedCount !== undefined && { items: rest.ScannedCount }),
  };
}

/** Read units for each 4 KB. */
const timesOf = ({ ConsistentRead }: { readonly ConsistentRead?: unknown }): 0.5 | 1 =>
  ConsistentRead === true ? 1 : 0.5;

/**
 * Units of a Query or Scan. DynamoDB Local reports none where nothing is found; DynamoDB charges for a read of what does not exist
 * ("DynamoDB read and write operations", "Other aspects of working with the Query operation in DynamoDB").
 */
const unitsOf = (consumed: QueryOutput['ConsumedCapacity'], least: number): number =>
  Math.max(consumed?.CapacityUnits ?? 0, least);

function readsOf(operation: DynamoDbOperation, input: Readonly<Record<string, unknown>>): Read[] {
  switch (operation) {
    case 'GetItem':
      return [{ table: String(input.TableName), key: input.Key as Image, times: timesOf(input) }];
    case 'BatchGetItem':
      return Object.entries(input.RequestItems as Record<string, KeysAndAttributes>).flatMap(
        ([table, { Keys = [], ...rest }]) => Keys.map((key) => ({ table, key, times: timesOf(rest) })),
      );
    default:
      return (input.TransactItems as { Get: { TableName: string; Key: Image } }[]).map(
        ({ Get: { TableName: table, Key: key } }) => ({ table, key, times: 2 }),
      );
  }
}

/** The keys of a batch that pass, and the others. */
function splitBatch(input: Readonly<Record<string, unknown>>, passed: readonly ItemOf[]) {
  const passing = new Set(passed.map(({ table, key }) => JSON.stringify([table, key])));
  const wanted = Object.entries(input.RequestItems as Record<string, KeysAndAttributes>);
  const pick = (passes: boolean) =>
    Object.fromEntries(
      wanted
        .map(([table, { Keys = [], ...rest }]) => {
          const chosen = Keys.filter((key) => passing.has(JSON.stringify([table, key])) === passes);
          return [table, { ...rest, Keys: chosen }] as const;
        })
        .filter(([, { Keys }]) => Keys.length > 0),
    );
  return { input: { ...input, RequestItems: pick(true) }, rest: pick(false) };
}
