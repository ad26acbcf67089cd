/**
 * Secondary indexes that lag behind their table (DynamoDB developer guide, "Using Global Secondary Indexes in DynamoDB"). Each table has a
 * replica with the same indexes; index reads go to the replica, which receives each write up to the maximum lag later.
 */
import type { BackgroundTask } from '../background-task.ts';
import type { ItemKey } from './dynamodb-keys.ts';
import type { DynamoDbOperation } from './dynamodb-operations.ts';
import type { AwsResponse, LocalClock } from './service.ts';

/** Sends an operation to the table engine. */
export type SendOperation = (
  operation: DynamoDbOperation,
  input: unknown,
) => Promise<AwsResponse & { body: Buffer }>;

export interface IndexLag extends BackgroundTask {
  /** The input of a read, redirected to the replica when it reads an index; null: unchanged. */
  redirect(
    operation: DynamoDbOperation,
    input: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> | null;
  /** Call after a successful write. */
  noteWrites(keys: readonly ItemKey[], send: SendOperation): void;
}

/** Name of the replica of a table. */
export function replicaOf(table: string): string {
  return `${table}.indexes`;
}

export function createIndexLag(options: {
  clock: Pick<LocalClock, 'at' | 'now'>;
  lagMsMax: number;
  random: () => number;
  onProgress: () => void;
}): IndexLag {
  const { clock, lagMsMax, random } = options;
  let pending = 0;
  let isClosed = false;

  /** Copies the current item: a later write that is copied early only shortens its lag. */
  async function replicate({ table, key }: ItemKey, send: SendOperation): Promise<void> {
    const read = await send('GetItem', { TableName: table, Key: key, ConsistentRead: true });
    const { Item } = JSON.parse(read.body.toString()) as { Item?: unknown };
    const TableName = replicaOf(table);
    const write = Item
      ? await send('PutItem', { TableName, Item })
      : await send('DeleteItem', { TableName, Key: key });
    if (write.status !== 200) throw new Error(`the replica ${TableName} rejected a write: ${write.body}`);
  }

  return {
    redirect(operation, input) {
      if ((operation !== 'Query' && operation !== 'Scan') || input.IndexName === undefined) return null;
      return { ...input, TableName: replicaOf(String(input.TableName)) };
    },
    noteWrites(keys, send) {
      for (const key of keys) {
        pending += 1;
        clock.at(clock.now() + random() * lagMsMax, () => {
          replicate(key, send)
            .catch((error: unknown) => {
              if (!isClosed) console.error('index lag:', error);
            })
            .finally(() => {
              pending -= 1;
              options.onProgress();
            });
        });
      }
    },
    pendingWork: () => (pending > 0 ? `${pending} index updates` : null),
    async close() {
      isClosed = true;
    },
  };
}
