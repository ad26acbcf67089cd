/** Starts what the clouds of the tests share: the database process, which costs more than all its tables. */
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../lib/local/aws/dynamodb-local.ts';

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await startDynamoDbLocal();
  provide('dynamoDbUrl', url);
  return close;
}
