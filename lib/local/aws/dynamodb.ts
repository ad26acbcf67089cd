/** DynamoDB: forwards calls to the table engine, reads the required permissions from each call. */
import { Pool } from 'undici';
import type { TransactionConflicts } from './dynamodb-conflicts.ts';
import type { IndexLag, SendOperation } from './dynamodb-index-lag.ts';
import { createKeyReader, type ItemKey, textOf } from './dynamodb-keys.ts';
import { createMetering } from './dynamodb-metering.ts';
import { isDataOperation, operationOf } from './dynamodb-operations.ts';
import { permissionsOf } from './dynamodb-permissions.ts';
import type { Throttle } from './dynamodb-throttle.ts';
import { jsonBody, jsonError } from './json-protocol.ts';
import { type AwsCall, type AwsResponse, type AwsService, localAccount } from './service.ts';
import { engineCredentials, engineRegion } from './table-engine.ts';

export interface DynamoDbService extends AwsService {
  /** Closes the connections to the engine. */
  close(): Promise<void>;
}

export interface DynamoDbOptions {
  /** Base URL of the table engine. */
  readonly url: string;
  readonly account?: string;
  readonly indexLag?: IndexLag;
  readonly conflicts?: TransactionConflicts;
  /** Limits of throughput; default: none. */
  readonly throttle?: Throttle | null;
}

/** Connections to the engine. */
const connections = 64;

/** All callers have the same database. */
const authorization =
  `AWS4-HMAC-SHA256 Credential=${engineCredentials.accessKeyId}/20260101/${engineRegion}/dynamodb/aws4_request, ` +
  'SignedHeaders=host, Signature=none';

function engineHeaders(headers: AwsCall['headers']) {
  return {
    'content-type': headers['content-type'] ?? 'application/x-amz-json-1.0',
    'x-amz-target': headers['x-amz-target'] ?? '',
    'x-amz-date': headers['x-amz-date'] ?? '',
    authorization,
  };
}

export function createDynamoDbService({
  url,
  account = localAccount,
  indexLag,
  conflicts,
  throttle = null,
}: DynamoDbOptions): DynamoDbService {
  const pool = new Pool(url, { connections });

  async function forward(call: AwsCall, body: Buffer | string): Promise<AwsResponse & { body: Buffer }> {
    const response = await pool.request({
      method: 'POST',
      path: '/',
      headers: engineHeaders(call.headers),
      body,
    });
    return {
      status: response.statusCode,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(await response.body.arrayBuffer()),
    };
  }

  const metering = createMetering(forward, throttle);

  /** Sends an operation of the emulator itself. */
  const sendAs =
    (call: AwsCall): SendOperation =>
    (operation, input) =>
      forward(
        { ...call, headers: { ...call.headers, 'x-amz-target': `DynamoDB_20120810.${operation}` } },
        JSON.stringify(input),
      );
  let reader: ReturnType<typeof createKeyReader> | null = null;

  /** The keys of the items that a write names; none for a read. */
  async function keysOf(call: AwsCall): Promise<readonly ItemKey[]> {
    reader ??= createKeyReader(async (TableName) =>
      JSON.parse((await sendAs(call)('DescribeTable', { TableName })).body.toString()),
    );
    return await reader(operationOf(call), jsonBody(call));
  }

  async function handle(call: AwsCall): Promise<AwsResponse> {
    if (!indexLag && !conflicts) return await execute(call);
    const operation = operationOf(call);
    const input = jsonBody(call);
    const redirected = indexLag?.redirect(operation, input);
    if (redirected) return await execute({ ...call, body: Buffer.from(JSON.stringify(redirected)) });
    const keys = await keysOf(call);
    if (keys.length === 0) return await execute(call);
    const token = typeof input.ClientRequestToken === 'string' ? input.ClientRequestToken : undefined;
    const response = await (conflicts?.guard(operation, keys, () => execute(call), token) ?? execute(call));
    if (response.status === 200) indexLag?.noteWrites(keys, sendAs(call));
    return response;
  }

  async function execute(call: AwsCall): Promise<AwsResponse> {
    if (!(call.metered || throttle) || !isDataOperation(operationOf(call)))
      return await forward(call, call.body);
    const keys = await keysOf(call);
    const response = await metering.handle(call, keys);
    return keys.length > 0 ? { ...response, keys: keys.map(textOf) } : response;
  }

  return {
    name: 'dynamodb',
    action: operationOf,
    permissions: (call) => permissionsOf(operationOf(call), jsonBody(call), call.region, account),
    handle,
    errorResponse: (error) => jsonError(error, '1.0'),
    // Does not wait for calls: who made them has ended, too.
    close: () => pool.destroy(),
  };
}
