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
  const { isOngoing, isRepetition, during } = createOngoing();
  return {
    async guard(operation, keys, write, token) {
      const isTransaction = operation === 'TransactWriteItems';
      if (isRepetition(token)) return inProgress();
      const overlapping = keys.map(isOngoing);
      if (isTransaction && !overlapping.includes(true) && random() < rate) overlapping[0] = true;
      if (overlapping.includes(true)) return isTransaction ? canceled(overlapping) : conflict();
      return await (isTransaction ? during(keys, token, write) : write());
    },
  };
}

/** The transactions in progress. */
function createOngoing() {
  /** Their number by item. */
  const items = new Map<string, number>();
  /** Their client request tokens. */
  const tokens = new Set<string>();
  return {
    isOngoing: ({ id }: ItemKey) => items.has(id),
    isRepetition: (token: string | undefined) => token !== undefined && tokens.has(token),
    async during<T>(
      keys: readonly ItemKey[],
      token: string | undefined,
      write: () => Promise<T>,
    ): Promise<T> {
      for (const { id } of keys) items.set(id, (items.get(id) ?? 0) + 1);
      if (token !== undefined) tokens.add(token);
      try {
        return await write();
      } finally {
        if (token !== undefined) tokens.delete(token);
        for (const { id } of keys) {
          const left = (items.get(id) ?? 1) - 1;
          if (left > 0) items.set(id, left);
          else items.delete(id);
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
