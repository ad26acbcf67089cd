/**
 * Messages and conversations of the mail providers, by mailbox: each message becomes one email, and a conversation is one
 * thread, in both directions.
 */
import type { EmailHead } from '../../core/emails/email.ts';
import type { EmailId, MailboxId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { codec, id, sortKey, text } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { get, getMany } from '../table/reads.ts';
import { type Item, queryAll, removeAll } from '../table/table.ts';
import { absent, type Write } from '../table/transactions.ts';

/** A message at its provider. */
export interface ProviderRef {
  readonly mailboxId: MailboxId;
  /** The provider's ids. */
  readonly messageId: string;
  readonly conversationId: string;
}

const messageCodec = codec<{ readonly emailId: EmailId }>('provider message', { emailId: id('eml') });
const threadCodec = codec<{ readonly threadId: ThreadId }>('provider thread', { threadId: id('thr') });
const conversationCodec = codec<{ readonly conversationId: string }>('conversation', {
  conversationId: text,
});
const conversationOfThreadCodec = codec<Omit<ProviderRef, 'messageId'>>('conversation', {
  mailboxId: sortKey(id('mbx')),
  conversationId: text,
});
const refCodec = codec<ProviderRef>('provider reference', {
  mailboxId: id('mbx'),
  messageId: text,
  conversationId: text,
});

/** The email of a provider's message, or null. */
export async function findProviderMessage(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  messageId: string,
): Promise<EmailId | null> {
  const item = await get(keys.providerMessageKey(workspaceId, mailboxId, messageId));
  return item && messageCodec.decode(item).emailId;
}

/** Those of a provider's messages that have become emails. */
export async function knownProviderMessages(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  messageIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const items = await getMany(messageIds.map((one) => keys.providerMessageKey(workspaceId, mailboxId, one)));
  return new Set(messageIds.filter((_, at) => items[at] !== null));
}

/** The thread of a provider's conversation, or null. */
export async function findProviderThread(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  conversationId: string,
): Promise<ThreadId | null> {
  const item = await get(keys.providerThreadKey(workspaceId, mailboxId, conversationId));
  return item && threadCodec.decode(item).threadId;
}

/** The provider's conversation of a thread in a mailbox; null where it has none there. */
export async function findConversation(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  threadId: ThreadId,
): Promise<string | null> {
  const item = await get(keys.conversationKey(workspaceId, mailboxId, threadId));
  return item && conversationCodec.decode(item).conversationId;
}

/**
 * The writes that link an email to a provider's message, the first one named `provider message`: its condition fails
 * where the message has become an email. A conversation keeps its first thread; a thread has its last conversation.
 */
export function linkProviderMessage(
  workspaceId: WorkspaceId,
  { emailId, threadId }: { readonly emailId: EmailId; readonly threadId: ThreadId },
  ref: ProviderRef,
): Write[] {
  const { mailboxId, messageId, conversationId } = ref;
  return [
    {
      as: 'provider message',
      put: {
        ...keys.providerMessageKey(workspaceId, mailboxId, messageId),
        ...messageCodec.encode({ emailId }),
      },
      ...absent,
    },
    {
      as: 'provider thread',
      update: keys.providerThreadKey(workspaceId, mailboxId, conversationId),
      ...expressionsOf({ setOnce: { threadId } }),
    },
    {
      as: 'conversation',
      put: {
        ...keys.conversationKey(workspaceId, mailboxId, threadId),
        ...conversationCodec.encode({ conversationId }),
      },
    },
    {
      as: 'provider reference',
      put: { ...keys.providerRefKey(workspaceId, emailId, messageId), ...refCodec.encode(ref) },
    },
  ];
}

/** The write that makes a further message of a provider known as an email, such as the copy in a second mailbox. */
export function addProviderMessage(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  { mailboxId, messageId }: Omit<ProviderRef, 'conversationId'>,
): Write {
  const key = keys.providerMessageKey(workspaceId, mailboxId, messageId);
  return { as: 'provider message', put: { ...key, ...messageCodec.encode({ emailId }) }, ...absent };
}

/** The key by which the message of an email's reference is known. For teardown only. */
export function keyOfProviderMessage(workspaceId: WorkspaceId, item: Item): keys.Key {
  const { mailboxId, messageId } = refCodec.decode(item);
  return keys.providerMessageKey(workspaceId, mailboxId, messageId);
}

/**
 * Removes which conversations of providers a thread is. For teardown only: a conversation that leads to a thread that is gone
 * would never find another one.
 */
export async function removeConversations(workspaceId: WorkspaceId, threadId: ThreadId): Promise<void> {
  const items = await queryAll(keys.conversationsOf(workspaceId, threadId));
  await removeLeadingTo(workspaceId, threadId, items.map(conversationOfThreadCodec.decode));
  await removeAll(items);
}

/** Removes the conversations of an email's references that its thread has replaced by others. For teardown only. */
export async function removeReplacedConversations(
  workspaceId: WorkspaceId,
  { threadId }: EmailHead,
  items: readonly Item[],
): Promise<void> {
  const refs = items.map(refCodec.decode);
  const current = await getMany(
    refs.map(({ mailboxId }) => keys.conversationKey(workspaceId, mailboxId, threadId)),
  );
  const replaced = refs.filter(({ conversationId }, at) => {
    const item = current[at];
    return !item || conversationCodec.decode(item).conversationId !== conversationId;
  });
  await removeLeadingTo(workspaceId, threadId, replaced);
}

/** Removes conversations that lead to a thread. */
async function removeLeadingTo(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  conversations: readonly Omit<ProviderRef, 'messageId'>[],
): Promise<void> {
  const found = await getMany(
    conversations.map(({ mailboxId, conversationId }) =>
      keys.providerThreadKey(workspaceId, mailboxId, conversationId),
    ),
  );
  await removeAll(
    found
      .filter((item) => item !== null && threadCodec.decode(item).threadId === threadId)
      .flatMap((item) => item ?? []),
  );
}

/** The keys of what an email's reference leads to. For teardown only. */
export function keysOfProviderRef(workspaceId: WorkspaceId, { threadId }: EmailHead, item: Item): keys.Key[] {
  const { mailboxId, messageId, conversationId } = refCodec.decode(item);
  return [
    keys.providerMessageKey(workspaceId, mailboxId, messageId),
    keys.providerThreadKey(workspaceId, mailboxId, conversationId),
    keys.conversationKey(workspaceId, mailboxId, threadId),
  ];
}
