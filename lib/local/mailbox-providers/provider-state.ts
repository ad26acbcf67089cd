/** What the routes of every emulated provider read and change. */
import type { IncomingMail } from '../ses/incoming-mail.ts';
import type { Accounts } from './accounts.ts';
import type { Grants } from './grants.ts';
import type { OauthClients } from './oauth-clients.ts';
import type { RandomText } from './random-text.ts';

export interface ProviderState {
  readonly now: () => number;
  /** `http://127.0.0.1:PORT`: stands for each host of the provider, and for the issuer of its ID tokens. */
  readonly url: () => string;
  readonly accounts: Accounts;
  readonly clients: OauthClients;
  readonly grants: Grants;
  /** Lifetime of access tokens. */
  readonly accessSeconds: number;
  readonly text: RandomText;
  readonly deliver: (mail: IncomingMail) => void;
}
