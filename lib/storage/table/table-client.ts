/** The client of the table, and what it does about errors that pass. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientConfig } from '../../adapters/aws-clients.ts';
import { backOff } from '../../adapters/back-off.ts';
import { RecordContended, TableBusy } from '../../core/work/table-busy.ts';

let shared: DynamoDBDocumentClient | undefined;

/** One client for the life of the function: its connections are reused. */
export function client(): DynamoDBDocumentClient {
  shared ??= DynamoDBDocumentClient.from(
    withoutExtras(reportingThrottles(retryingConflicts(new DynamoDBClient(clientConfig())))),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  return shared;
}

/** A tenth of the processor time of a call (measured): a log that nobody reads, headers that DynamoDB does not. */
function withoutExtras(base: DynamoDBClient): DynamoDBClient {
  for (const name of ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware']) {
    base.middlewareStack.remove(name);
  }
  return base;
}

/**
 * A write of an item that a transaction is changing, and the repetition of a transaction that is still under way ("TransactWriteItems"
 * in the Amazon DynamoDB API Reference). The SDK repeats neither.
 */
const conflicts: ReadonlySet<string> = new Set([
  'TransactionConflictException',
  'TransactionInProgressException',
]);

/** Tries of a write that conflicts: with the delays of `backOff`, about three seconds. */
export const conflictTriesMax = 8;

/** Whether nothing was written: of a transaction that is still under way, that is not known. */
const isCertain = ({ name }: Error): boolean => name === 'TransactionConflictException';

/** Calls that conflict are tried again: nothing of them was carried out. */
function retryingConflicts(base: DynamoDBClient): DynamoDBClient {
  base.middlewareStack.add((next) => (args) => untilNoConflict(() => next(args)), {
    step: 'initialize',
    priority: 'high',
    name: 'retryConflicts',
  });
  return base;
}

async function untilNoConflict<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Error && conflicts.has(error.name))) throw error;
      if (tries === conflictTriesMax) throw isCertain(error) ? new RecordContended(error) : error;
      await backOff(tries);
    }
  }
}

/** "Error handling with DynamoDB" in the Amazon DynamoDB Developer Guide. */
const throttles: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);

/** Calls that are throttled after all attempts throw TableBusy. */
function reportingThrottles(base: DynamoDBClient): DynamoDBClient {
  base.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw error instanceof Error && throttles.has(error.name) ? new TableBusy(error) : error;
      }
    },
    { step: 'initialize', priority: 'high', name: 'reportThrottles' },
  );
  return base;
}
