/** What the routes of the emulated Microsoft share. */
import type { IncomingMail } from '../../ses/incoming-mail.ts';
import type { Accounts } from '../accounts.ts';
import type { Grants } from '../grants.ts';
import type { OauthClients } from '../oauth-clients.ts';
import type { Pushes } from '../pushes.ts';
import type { RandomText } from '../random-text.ts';
import type { GraphMailbox } from './graph-mailbox.ts';

/** What the routes read and change. */
export interface MicrosoftState {
  readonly now: () => number;
  /** `http://127.0.0.1:PORT`: stands for `login.microsoftonline.com` and `graph.microsoft.com`. */
  readonly url: () => string;
  readonly accounts: Accounts;
  readonly clients: OauthClients;
  readonly grants: Grants;
  /** Lifetime of access tokens; Microsoft's is random between 60 and 90 minutes. */
  readonly accessSeconds: number;
  readonly text: RandomText;
  readonly mailboxes: { of(address: string): GraphMailbox };
  /** By id, expired ones included. */
  readonly subscriptions: Map<string, Subscription>;
  readonly pushes: Pushes;
  readonly deliver: (mail: IncomingMail) => void;
}

export interface Subscription {
  readonly id: string;
  readonly address: string;
  readonly clientId: string;
  readonly resource: string;
  readonly notificationUrl: string;
  readonly lifecycleNotificationUrl: string | null;
  readonly clientState: string | null;
  readonly expiresAt: number;
}
