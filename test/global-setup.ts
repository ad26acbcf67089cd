/** Starts DynamoDB Local once for all clouds of the run. */
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../lib/local/aws/dynamodb-local.ts';

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await startDynamoDbLocal();
  provide('dynamoDbUrl', url);
  return close;
}
