/** The messages of synchronization. */
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import type { ReceiveMailboxMessage, SyncMailbox } from '../../core/queue-messages.ts';

/** The message that synchronizes a mailbox. @param wakeAt the timer that fires; null: it is asked for */
export function syncMailboxMessage(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  wakeAt: number | null,
): SyncMailbox {
  return { kind: 'sync-mailbox', v: 1, workspaceId, mailboxId, wakeAt };
}

/** The message that stores a message of a mailbox. @param messageId of the provider */
export function receiveMailboxMessage(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  messageId: string,
): ReceiveMailboxMessage {
  return { kind: 'receive-mailbox-message', v: 1, workspaceId, mailboxId, messageId, failures: 0 };
}
