/** Transaction conflicts (DynamoDB developer guide, "Managing complex workflows with DynamoDB transactions", Transaction conflict handling). */
import { failure } from './dynamodb-errors.ts';
import type { ItemKey } from './dynamodb-keys.ts';
import type { DynamoDbOperation } from './dynamodb-operations.ts';
import type { AwsResponse } from './service.ts';

export interface TransactionConflicts {
  /**
   * Runs a write unless another one is in progress on one of its items; then, and for a random fraction of transactions, returns DynamoDB's
   * conflict error.
   *
   * @param token client request token of a transaction: a repetition while the first attempt runs is no conflict ("TransactWriteItems",
   *   TransactionInProgressException)
   */
  guard<T extends AwsResponse>(
    operation: DynamoDbOperation,
    keys: readonly ItemKey[],
    write: () => Promise<T>,
    token?: string,
  ): Promise<T | AwsResponse>;
}

const message = 'Transaction is ongoing for the item';

/** @param rate fraction of transactions that conflict without an overlapping one, 0 to 1 */
export function createTransactionConflicts(rate: number, random: () => number): TransactionConflicts {
  /** Items of transactions in progress. */
  const ongoing = new Map<string, number>();
  /** Client request tokens of transactions in progress. */
  const tokens = new Set<string>();

  return {
    async guard(operation, keys, write, token) {
      const isTransaction = operation === 'TransactWriteItems';
      if (token !== undefined && tokens.has(token)) return inProgress();
      const overlapping = keys.map(({ id }) => ongoing.has(id));
      if (isTransaction && !overlapping.includes(true) && random() < rate) overlapping[0] = true;
      if (overlapping.includes(true)) return isTransaction ? canceled(overlapping) : conflict();
      if (!isTransaction) return await write();
      for (const { id } of keys) ongoing.set(id, (ongoing.get(id) ?? 0) + 1);
      if (token !== undefined) tokens.add(token);
      try {
        return await write();
      } finally {
        if (token !== undefined) tokens.delete(token);
        for (const { id } of keys) {
          const left = (ongoing.get(id) ?? 1) - 1;
          if (left > 0) ongoing.set(id, left);
          else ongoing.delete(id);
        }
      }
    },
  };
}

function canceled(overlapping: readonly boolean[]): AwsResponse {
  const reasons = overlapping.map((isOverlapping) =>
    isOverlapping ? { Code: 'TransactionConflict', Message: message } : { Code: 'None' },
  );
  return failure('TransactionCanceledException', {
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    CancellationReasons: reasons,
  });
}

function conflict(): AwsResponse {
  return failure('TransactionConflictException', { message });
}

function inProgress(): AwsResponse {
  return failure('TransactionInProgressException', {
    Message: 'The transaction with the given request token is already in progress.',
  });
}
