/**
 * Transactions. Every write has a name, so that a failed condition is reported by name; the queue messages of a change
 * are committed with it (docs/decisions/0053-outbox-without-items.md).
 */
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { backOff } from '../../adapters/back-off.ts';
import { secureBytes } from '../../adapters/random.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { allDone } from '../../core/work/all-done.ts';
import { RecordContended, TableBusy } from '../../core/work/table-busy.ts';
import { env } from '../../env.ts';
import { type Expressions, setting } from './expressions.ts';
import type { Key } from './keys.ts';
import { withMessages } from './outbox-item.ts';
import { type Item, putIf, putMany, removeAll } from './table.ts';
import { client, conflictTriesMax } from './table-client.ts';

type Conditions = Omit<Expressions, 'UpdateExpression'>;

/** One write of a transaction, made by a store. Services pass writes on and never look inside. */
export type Write =
  | PutWrite
  | UpdateWrite
  | NamedWrite<{ readonly delete: Key } & Conditions>
  | NamedWrite<{ readonly check: Key } & Conditions>;

type NamedWrite<W> = { readonly as: string } & W;
type PutWrite = NamedWrite<
  {
    readonly put: Item;
    readonly carriesMessages?: true;
    readonly emailId?: EmailId;
    /** Nothing refers to the item before the change: it is put ahead, at half the cost. */
    readonly isAhead?: true;
  } & Conditions
>;
type UpdateWrite = NamedWrite<{ readonly update: Key } & Expressions>;

/** A condition of a write failed: nothing of the transaction was written. */
export class ConditionFailed extends Error {
  /** The name of the first write whose condition failed. */
  readonly write: string;

  constructor(write: string, cause?: unknown) {
    super(`condition of "${write}" failed`, { cause });
    this.name = 'ConditionFailed';
    this.write = write;
  }
}

/** What `refusalOf` answers where transactions of others were in the way. */
export const contended = Symbol('contended');

/**
 * Why a commit wrote nothing but what it puts ahead: the name of the write whose condition failed, or `contended`.
 *
 * @throws any other error: whether anything was written is not known
 */
export function refusalOf(error: unknown): string | typeof contended {
  if (error instanceof ConditionFailed) return error.write;
  if (error instanceof RecordContended) return contended;
  throw error;
}

/**
 * Writes all or nothing, together with the queue messages that the change produces. One write alone is no transaction.
 * Puts that are marked `ahead` come first, no transaction (docs/decisions/0055-entries-ahead-of-transactions.md).
 *
 * @param writes at most 99 beside messages and puts ahead, one per item ("TransactWriteItems" in the DynamoDB API reference)
 * @throws ConditionFailed with the name of the write whose condition failed
 * @throws RecordContended where transactions of others were in the way again and again
 */
export async function commit(
  workspaceId: WorkspaceId,
  writes: readonly Write[],
  messages: readonly OutboxMessage[] = [],
): Promise<void> {
  const all: readonly Write[] = withMessages(workspaceId, writes, messages);
  await putAhead(all.filter(isPutAhead));
  const committed = all.filter((write) => !isPutAhead(write));
  const [first] = committed;
  // A write of a transaction costs twice as much ("DynamoDB read and write operations").
  if (first && committed.length === 1 && ('put' in first || 'update' in first)) await writeAlone(first);
  else await transact(committed);
}

function isPutAhead(write: Write): write is PutWrite & typeof ahead {
  return 'put' in write && write.isAhead === true;
}

/**
 * Where a condition fails, an attempt before has put the item. Without it, an attempt that arrives after its repetition would
 * undo what has changed since; what nothing changes needs none, and is one batch.
 */
async function putAhead(writes: readonly PutWrite[]): Promise<void> {
  const isConditional = ({ ConditionExpression }: PutWrite) => ConditionExpression !== undefined;
  const batch = writes.filter((write) => !isConditional(write)).map(({ put }) => put);
  const putConditionally = async (write: PutWrite) => {
    const { Item, ...conditions } = putOf(write);
    await putIf(Item, conditions);
  };
  await allDone<unknown>([putMany(batch), ...writes.filter(isConditional).map(putConditionally)]);
}

/** Removes what was put ahead of a commit that has failed; only for items that nobody else puts. */
export async function discardAhead(writes: readonly Write[]): Promise<void> {
  await removeAll(writes.filter(isPutAhead).map((write) => write.put));
}

/** As `commit`; false instead of ConditionFailed. */
export async function commitIfUnchanged(
  workspaceId: WorkspaceId,
  writes: readonly Write[],
  messages: readonly OutboxMessage[] = [],
): Promise<boolean> {
  try {
    await commit(workspaceId, writes, messages);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Reasons that pass: the transaction is tried again ("Error handling with DynamoDB", TransactionCanceledException). */
const passingReasons = new Set([
  'None',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function isThrottle({ Code = '' }: CancellationReason): boolean {
  return Code === 'ThrottlingError' || Code === 'ProvisionedThroughputExceeded';
}

/** Identifies the last write that was made alone: the response of an attempt may be lost, and the next one finds its item. */
const writeToken = 'writeToken';

/** One write without a transaction. @throws ConditionFailed */
async function writeAlone(write: PutWrite | UpdateWrite): Promise<void> {
  const token = secureBytes(8).toString('base64url');
  const request = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD', TableName: env().TABLE_NAME } as const;
  try {
    if ('put' in write) {
      const { Item, ...conditions } = putOf(write);
      const marked = { ...Item, [writeToken]: token };
      await client().send(new PutCommand({ ...request, Item: marked, ...conditions }));
    } else {
      const { Key, ...expressions } = updateOf(write);
      await client().send(new UpdateCommand({ ...request, Key, ...setting(expressions, writeToken, token) }));
    }
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (error.Item?.[writeToken]?.S !== token) throw new ConditionFailed(write.as, error);
  }
}

/**
 * A transaction that belongs to no workspace, hence without messages.
 *
 * @throws ConditionFailed
 * @throws TableBusy where it is throttled again and again
 * @throws RecordContended where it conflicts again and again
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  const items = writes.map(transactItem);
  // One token for all tries: where the response of an attempt was lost, the next one finds the transaction done.
  const token = secureBytes(16).toString('hex');
  for (let tries = 1; ; tries++) {
    try {
      await client().send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken: token }));
      return;
    } catch (error) {
      const reasons = reasonsOf(error, writes);
      if (tries === conflictTriesMax) {
        throw reasons.some(isThrottle) ? new TableBusy(error) : new RecordContended(error);
      }
      await backOff(tries);
    }
  }
}

/** Why a transaction was canceled, where all reasons pass. @throws ConditionFailed, or the error itself */
function reasonsOf(error: unknown, writes: readonly Write[]): readonly CancellationReason[] {
  if (!(error instanceof TransactionCanceledException)) throw error;
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  if (failed >= 0) throw new ConditionFailed(writes[failed]?.as ?? '?', error);
  if (!reasons.every(({ Code = 'None' }) => passingReasons.has(Code))) throw error;
  return reasons;
}

/** A put in DynamoDB's terms, without what is said of it here. */
function putOf({
  as: _,
  carriesMessages: __,
  emailId: ___,
  isAhead: ____,
  put: item,
  ...conditions
}: PutWrite) {
  return { Item: item, ...conditions };
}

/** The same for an update. */
function updateOf({ as: _, update: Key, ...expressions }: UpdateWrite) {
  return { Key, ...expressions };
}

function transactItem(write: Write) {
  const TableName = env().TABLE_NAME;
  if ('put' in write) return { Put: { TableName, ...putOf(write) } };
  if ('delete' in write) {
    const { as: _, delete: Key, ...conditions } = write;
    return { Delete: { TableName, Key, ...conditions } };
  }
  if ('check' in write) {
    const { as: _, check: Key, ...conditions } = write;
    return {
      ConditionCheck: { TableName, Key, ConditionExpression: present.ConditionExpression, ...conditions },
    };
  }
  const { UpdateExpression = '', ...update } = updateOf(write);
  return { Update: { TableName, UpdateExpression, ...update } };
}

/** Condition for creating: the item does not exist. */
export const absent = { ConditionExpression: 'attribute_not_exists(pk)' } as const;
/** The same for an item that nothing replaces: it may carry the messages of its change. */
export const createdOnce = { ...absent, carriesMessages: true } as const;
/** The same for an item of an email, which may carry the messages of its events. */
export const createdOnceOf = (emailId: EmailId) => ({ ...createdOnce, emailId });
/** Marks a put of an item that nothing refers to, and that nothing else writes, before the change is committed. */
export const ahead = { isAhead: true } as const;
/** Condition for changing: the item exists. */
export const present = { ConditionExpression: 'attribute_exists(pk)' } as const;
