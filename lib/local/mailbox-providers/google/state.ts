/** What the routes of the emulated Google share. */
import type { ProviderState } from '../provider-state.ts';
import type { GmailMailbox } from './gmail-mailbox.ts';
import type { PubSub } from './pubsub.ts';

export interface GoogleState extends ProviderState {
  readonly mailboxes: GmailMailboxes;
  /** By address and client id. */
  readonly watches: Map<string, Map<string, Watch>>;
  readonly pubSub: PubSub;
}

/** Each account has a mailbox. */
export interface GmailMailboxes {
  of(address: string): GmailMailbox;
}

/** A watch of one client on one mailbox. */
export interface Watch {
  readonly topic: string;
  readonly expiresAt: number;
  /** Whether a message with these labels is notified of. */
  readonly concerns: (labelIds: readonly string[]) => boolean;
}
