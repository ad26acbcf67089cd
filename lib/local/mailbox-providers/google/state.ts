/** What the routes of the emulated Google share. */
import type { IncomingMail } from '../../ses/incoming-mail.ts';
import type { Accounts } from '../accounts.ts';
import type { Grants } from '../grants.ts';
import type { OauthClients } from '../oauth-clients.ts';
import type { RandomText } from '../random-text.ts';
import type { GmailMailbox } from './gmail-mailbox.ts';
import type { PubSub } from './pubsub.ts';

/** What the routes read and change. */
export interface GoogleState {
  readonly now: () => number;
  /** `http://127.0.0.1:PORT`: stands for each of Google's hosts, and for the issuer `https://accounts.google.com`. */
  readonly url: () => string;
  readonly accounts: Accounts;
  readonly clients: OauthClients;
  readonly grants: Grants;
  /** Lifetime of access tokens. */
  readonly accessSeconds: number;
  readonly text: RandomText;
  readonly mailboxes: GmailMailboxes;
  /** By address and client id. */
  readonly watches: Map<string, Map<string, Watch>>;
  readonly pubSub: PubSub;
  readonly deliver: (mail: IncomingMail) => void;
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
