/** The Message-ID index: each id leads to its thread, inside one workspace and one space (docs/concepts/threads.md#joining). */

import { comparableId, ownEmailId } from '../../core/emails/message-ids.ts';
import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { codec, id, nullable, text } from '../table/codec.ts';
import { expressionsOf, withCondition } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { get, getMany } from '../table/reads.ts';
import type { Item } from '../table/table.ts';
import type { Write } from '../table/transactions.ts';
import { headCodec } from './email-heads.ts';

interface StoredMessageId {
  /** Both null while the message has not arrived. */
  readonly emailId: EmailId | null;
  readonly threadId: ThreadId | null;
  /** The thread that waits for the message. */
  readonly waitingThread: ThreadId | null;
  /** Of the email, where it was received and this is its claim (`received.ts`). */
  readonly fingerprint: string | null;
}

/** For stores only. */
export const messageIdCodec = codec<StoredMessageId>('message id', {
  emailId: nullable(id('eml')),
  threadId: nullable(id('thr')),
  waitingThread: nullable(id('thr')),
  fingerprint: nullable(text),
});

type Owner = { readonly emailId: EmailId; readonly threadId: ThreadId };

/** The first message with an id keeps it: a later message that reuses the id attracts no replies. */
const ownerChange = ({ emailId, threadId }: Owner) => ({ setOnce: { emailId, threadId } });

/** The write that indexes a Message-ID, named `message id`. It holds whether or not a thread waits for the id. */
export function indexMessageId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageId: string,
  owner: Owner,
): Write {
  return {
    as: 'message id',
    update: keys.messageIdKey(workspaceId, spaceId, comparableId(messageId)),
    ...expressionsOf(ownerChange(owner)),
  };
}

/** A Message-ID of a chunk beside the one that the chunk names. */
export const furtherIdCodec = codec<{ readonly messageId: string }>('further message id', {
  messageId: text,
});

/** The writes that index a Message-ID of a chunk that was submitted twice. Teardown finds it among the email's parts. */
export function indexFurtherId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageId: string,
  owner: Owner,
): Write[] {
  const key = keys.furtherIdKey(workspaceId, owner.emailId, messageId);
  return [
    indexMessageId(workspaceId, spaceId, messageId, owner),
    { as: 'further id', put: { ...key, ...furtherIdCodec.encode({ messageId }) } },
  ];
}

/**
 * The same for an arriving message. The write is named `message id`: its condition fails where a thread has begun to
 * wait for the message since `waitingThread` was read.
 *
 * @param arriving.fingerprint of the message, where no other has its id: it is claimed, too, and the condition also fails where
 *   another message has taken the id; else null
 */
export function indexArrivingId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageId: string,
  { waitingThread, fingerprint, ...owner }: Owner & Pick<StoredMessageId, 'waitingThread' | 'fingerprint'>,
): Write {
  const isAwaited = '(attribute_not_exists(waitingThread) OR waitingThread = :waitingThread)';
  return {
    as: 'message id',
    update: keys.messageIdKey(workspaceId, spaceId, comparableId(messageId)),
    ...withCondition(expressionsOf(fingerprint ? { set: { ...owner, fingerprint } } : ownerChange(owner)), {
      ConditionExpression: fingerprint ? `${isAwaited} AND attribute_not_exists(emailId)` : isAwaited,
      ExpressionAttributeValues: { ':waitingThread': waitingThread ?? '' },
    }),
  };
}

/**
 * The writes by which a thread waits for its missing parents: messages that it cites and that have not arrived. Each is
 * named `missing parent`; its condition fails where the message arrived or another thread waits for it. Ids of our own
 * form are left out: they name an email that exists or never will.
 *
 * @param own the id of the citing message
 */
export function waitForMissingParents(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageIds: readonly string[],
  { own, threadId }: { readonly own: string; readonly threadId: ThreadId },
): Write[] {
  const missing = new Set(messageIds.filter((messageId) => !ownEmailId(messageId)).map(comparableId));
  missing.delete(comparableId(own));
  return [...missing].map((messageId) => ({
    as: 'missing parent',
    update: keys.messageIdKey(workspaceId, spaceId, messageId),
    ...expressionsOf({ set: { waitingThread: threadId } }, { exists: false }),
  }));
}

/** What a Message-ID leads to. */
export interface IndexedId {
  readonly threadId: ThreadId;
  /** null while no message with this id has arrived. */
  readonly emailId: EmailId | null;
  /** No message with this id has arrived; the thread waits for it. */
  readonly isMissing: boolean;
  /** Of the received message that the id claims, or null. */
  readonly fingerprint: string | null;
}

/**
 * The threads of Message-IDs, in one round trip. Our own ids (`<eml_…@…>`) need no index: they name their email, which
 * counts only inside this workspace and space.
 */
export async function findThreadsByMessageId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageIds: readonly string[],
): Promise<Map<string, IndexedId>> {
  const items = await getMany(messageIds.map((messageId) => indexKey(workspaceId, spaceId, messageId)));
  return indexedIds(spaceId, messageIds, items);
}

/** The item that says what a Message-ID leads to. For stores only. */
export function indexKey(workspaceId: WorkspaceId, spaceId: SpaceId | null, messageId: string): keys.Key {
  const own = ownEmailId(messageId);
  return own
    ? keys.emailKey(workspaceId, own)
    : keys.messageIdKey(workspaceId, spaceId, comparableId(messageId));
}

/** The known ones of Message-IDs. For stores only. @param items under `indexKey`, one for each of `messageIds` */
export function indexedIds(
  spaceId: SpaceId | null,
  messageIds: readonly string[],
  items: readonly (Item | null)[],
): Map<string, IndexedId> {
  return new Map(
    messageIds.flatMap((messageId, at) => {
      const indexed = indexedId(spaceId, messageId, items[at] ?? null);
      return indexed ? [[messageId, indexed] as const] : [];
    }),
  );
}

function indexedId(spaceId: SpaceId | null, messageId: string, item: Item | null): IndexedId | null {
  if (!item) return null;
  if (ownEmailId(messageId)) {
    const { id: emailId, threadId, ...head } = headCodec.decode(item);
    return head.spaceId === spaceId ? { threadId, emailId, isMissing: false, fingerprint: null } : null;
  }
  const { threadId, emailId, waitingThread, fingerprint } = messageIdCodec.decode(item);
  const known = threadId ?? waitingThread;
  return known && { threadId: known, emailId, isMissing: threadId === null, fingerprint };
}

/** The email of a Message-ID in this workspace and space, by its own form or by the index; null where there is none. */
export async function findEmailByMessageId(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageId: string,
): Promise<EmailId | null> {
  const item = await get(indexKey(workspaceId, spaceId, messageId));
  return indexedId(spaceId, messageId, item)?.emailId ?? null;
}
