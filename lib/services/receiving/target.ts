/** Where a message arrived. */
import type { DomainId, EmailId, MailboxId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Write } from '../../storage/table/transactions.ts';
import { withoutReplyToken } from '../threads/resolve-thread.ts';

/** A space that a message arrived in, with its recipients there. */
export interface Target {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId | null;
  readonly domainId: DomainId | null;
  /** The envelope recipients in the space, or the address of the mailbox. */
  readonly recipients: readonly string[];
  /** null: it arrived by SES. */
  readonly mailbox: MailboxArrival | null;
}

/** How a message arrived in a mailbox, and its place at the provider. */
export interface MailboxArrival {
  readonly mailboxId: MailboxId;
  /** The provider's id of the message. */
  readonly messageId: string;
  readonly raw: Buffer;
  /** When the provider received it; Unix milliseconds. */
  readonly receivedAt: number;
  /** It is older than the connection of the mailbox: no event of its own, no inbound rules, not unread. */
  readonly isHistory: boolean;
  /** The thread of the provider's conversation, or null. */
  findThread(): Promise<ThreadId | null>;
  /** The email that the provider's message has become, or null. */
  findEmail(): Promise<EmailId | null>;
  /** The writes that link the provider's message; the first one is named `provider message` and fails where it is linked. */
  link(owner: { readonly emailId: EmailId; readonly threadId: ThreadId }): Write[];
  /** Links a message that the space has received before, from elsewhere. */
  linkCopy(emailId: EmailId): Promise<void>;
}

/** The addresses on our side that a message went through. */
export function mailboxesOf({ recipients }: Target): string[] {
  return recipients.map(withoutReplyToken);
}
