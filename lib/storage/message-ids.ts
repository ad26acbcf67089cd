/** The Message-IDs that mail may cite, each leading to its thread inside one workspace and one space. */
import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../core/ids.ts';
import { ownEmailId, sesIdOf } from '../core/mail/message-ids.ts';
import * as keys from './keys.ts';
import { get, getMany, type Write } from './table.ts';

/** SES's ids are compared by their local part: the host after it differs by region. */
const comparable = (messageId: string): string => sesIdOf(messageId) ?? messageId;

/**
 * The write by which a Message-ID leads to its thread. The first message to use an id keeps it, so that a later
 * message that borrows the id draws no answers to itself. That a thread waits for the id never stands in the way.
 */
export function indexMessageId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageId: string,
  of: { readonly emailId: EmailId; readonly threadId: ThreadId },
) {
  return {
    as: 'message id',
    update: keys.messageIdKey(workspaceId, spaceId, comparable(messageId)),
    UpdateExpression:
      'SET emailId = if_not_exists(emailId, :emailId), threadId = if_not_exists(threadId, :threadId)',
    ExpressionAttributeValues: { ':emailId': of.emailId, ':threadId': of.threadId },
  } satisfies Write;
}

/**
 * The same for a message that arrives. The write is named `message id`: its condition fails where a thread began to
 * wait for the message after `waitingThread` was looked up.
 */
export function indexArrivingId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageId: string,
  of: { readonly emailId: EmailId; readonly threadId: ThreadId; readonly waitingThread: ThreadId | null },
): Write {
  const { ExpressionAttributeValues, ...write } = indexMessageId(workspaceId, spaceId, messageId, of);
  return {
    ...write,
    ConditionExpression: 'attribute_not_exists(waitingThread) OR waitingThread = :waitingThread',
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':waitingThread': of.waitingThread ?? '' },
  };
}

/**
 * The writes by which a thread waits for messages that its own cite and nobody has seen. Each is named `awaited id`:
 * its condition fails where the message came or another thread waited first. Ids of our own form are not waited for.
 *
 * @param own the id of the citing message, which waits for no one
 */
export function waitForMissingParents(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageIds: readonly string[],
  { own, threadId }: { readonly own: string; readonly threadId: ThreadId },
): Write[] {
  const awaited = new Set(messageIds.filter((messageId) => !ownEmailId(messageId)).map(comparable));
  awaited.delete(comparable(own));
  return [...awaited].map((messageId) => ({
    as: 'awaited id',
    update: keys.messageIdKey(workspaceId, spaceId, messageId),
    UpdateExpression: 'SET waitingThread = :threadId',
    ConditionExpression: 'attribute_not_exists(pk)',
    ExpressionAttributeValues: { ':threadId': threadId },
  }));
}

/** Where a Message-ID leads. */
export interface IndexedId {
  readonly threadId: ThreadId;
  /** True where no message of this id has been seen, and the thread waits for it. */
  readonly isMissing: boolean;
}

/**
 * The threads that Message-IDs lead to, in one round trip. Our own ids (`<eml_…@…>`) need no index: they name
 * their email, which counts only where it lies in this workspace and space.
 */
export async function findThreadsByMessageId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageIds: readonly string[],
): Promise<Map<string, IndexedId>> {
  const wanted = messageIds.map((messageId) => {
    const own = ownEmailId(messageId);
    return own
      ? keys.emailKey(workspaceId, own)
      : keys.messageIdKey(workspaceId, spaceId, comparable(messageId));
  });
  const items = await getMany(wanted);
  const found = new Map<string, IndexedId>();
  for (const [at, messageId] of messageIds.entries()) {
    const item = items[at];
    if (!item) continue;
    if (ownEmailId(messageId) && ((item.spaceId as SpaceId | undefined) ?? null) !== spaceId) continue;
    const threadId = (item.threadId ?? item.waitingThread) as ThreadId;
    found.set(messageId, { threadId, isMissing: item.threadId === undefined });
  }
  return found;
}

/** The email that a Message-ID belongs to in this workspace and space, by its own form or by the index; null where none does. */
export async function findEmailByMessageId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageId: string,
): Promise<EmailId | null> {
  const own = ownEmailId(messageId);
  if (own) {
    const item = await get(keys.emailKey(workspaceId, own));
    return item && ((item.spaceId as SpaceId | undefined) ?? null) === spaceId ? own : null;
  }
  const item = await get(keys.messageIdKey(workspaceId, spaceId, comparable(messageId)));
  return (item?.emailId as EmailId | undefined) ?? null;
}
