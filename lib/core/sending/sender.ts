/** What an email is sent from: a domain of the workspace, or a connected mailbox. */
import type { SenderDomain } from '../domains/sender-domain.ts';
import type { MailboxId, SpaceId } from '../ids.ts';
import type { MailboxProviderName } from '../mailboxes/mailbox.ts';

/** A connected mailbox, as a sender. */
export interface SenderMailbox {
  readonly mailboxId: MailboxId;
  readonly provider: MailboxProviderName;
  readonly domainId: null;
  readonly spaceId: SpaceId | null;
  readonly region: string;
  /** The host of its address, for Message-IDs. */
  readonly name: string;
  /** Mailboxes have no settings of their own: off, unless the send asks for it. */
  readonly tracking: SenderDomain['tracking'];
}

export type Sender = (SenderDomain & { readonly mailboxId?: null }) | SenderMailbox;
