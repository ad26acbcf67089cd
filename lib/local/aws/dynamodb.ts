/** DynamoDB: forwards calls to DynamoDB Local, reads the required permissions from each call. */
import { Pool } from 'undici';
import { createMetering } from './dynamodb-metering.ts';
import { isDataOperation, operationOf } from './dynamodb-operations.ts';
import { permissionsOf } from './dynamodb-permissions.ts';
import { jsonBody, jsonError } from './json-protocol.ts';
import { type AwsCall, type AwsResponse, type AwsService, localAccount } from './service.ts';

export interface DynamoDbService extends AwsService {
  /** Closes the connections to DynamoDB Local. */
  close(): Promise<void>;
}

export interface DynamoDbOptions {
  /** Base URL of DynamoDB Local. */
  readonly url: string;
  /** The access key id whose database all callers use; letters and digits. */
  readonly namespace: string;
  readonly account?: string;
}

/** Connections to DynamoDB Local. */
const connections = 64;

export function createDynamoDbService({
  url,
  namespace,
  account = localAccount,
}: DynamoDbOptions): DynamoDbService {
  if (!/^[A-Za-z0-9]+$/.test(namespace)) throw new Error(`not a namespace for DynamoDB Local: ${namespace}`);
  const pool = new Pool(url, { connections });

  /** DynamoDB Local selects the database by access key id and does not verify signatures. */
  function asNamespace(authorization: string): string {
    return authorization.replace(/Credential=[^/]+/, `Credential=${namespace}`);
  }

  async function forward(call: AwsCall, body: Buffer | string): Promise<AwsResponse & { body: Buffer }> {
    const response = await pool.request({
      method: 'POST',
      path: '/',
      headers: {
        'content-type': call.headers['content-type'] ?? 'application/x-amz-json-1.0',
        'x-amz-target': call.headers['x-amz-target'] ?? '',
        'x-amz-date': call.headers['x-amz-date'] ?? '',
        authorization: asNamespace(call.headers.authorization ?? ''),
      },
      body,
    });
    return {
      status: response.statusCode,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(await response.body.arrayBuffer()),
    };
  }

  const metering = createMetering(forward);

  return {
    name: 'dynamodb',
    action: operationOf,
    permissions: (call) => permissionsOf(operationOf(call), jsonBody(call), call.region, account),
    handle: (call) =>
      call.metered && isDataOperation(operationOf(call)) ? metering.handle(call) : forward(call, call.body),
    errorResponse: (error) => jsonError(error, '1.0'),
    close: () => pool.close(),
  };
}
