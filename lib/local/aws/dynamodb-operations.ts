/** The DynamoDB and DynamoDB Streams operations that the table engine carries out. */
import { targetOperation } from './json-protocol.ts';
import type { AwsCall } from './service.ts';

/** Operations with `ReturnConsumedCapacity`. */
const dataOperations = [
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
] as const;
const operations = [
  ...dataOperations,
  'CreateTable',
  'UpdateTable',
  'DescribeTable',
  'DeleteTable',
  'ListTables',
  'UpdateTimeToLive',
  'DescribeTimeToLive',
  'ListStreams',
  'DescribeStream',
  'GetShardIterator',
  'GetRecords',
] as const;
export type DynamoDbOperation = (typeof operations)[number];

/** @throws AwsError `UnknownOperationException` */
export function operationOf(call: AwsCall): DynamoDbOperation {
  return targetOperation(call, 'dynamodb', operations);
}

export function isDataOperation(operation: DynamoDbOperation): boolean {
  return dataOperations.some((each) => each === operation);
}
