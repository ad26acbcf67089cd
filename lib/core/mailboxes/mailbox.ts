/** Connected mailboxes of Google and Microsoft. Times are Unix milliseconds. */
import type { MailboxId, OauthAppId, SpaceId } from '../ids.ts';

/** Each has a folder under `lib/adapters/mailbox-providers`. */
export const mailboxProviders = ['google', 'microsoft'] as const;
export type MailboxProviderName = (typeof mailboxProviders)[number];

/**
 * `needs_reauth`: the provider refuses to refresh the authorization, and the customer must connect again.
 * `disconnected`: deleted, or revoked by us; the credentials are destroyed and the mail stays.
 */
export const mailboxStates = ['active', 'needs_reauth', 'disconnected'] as const;
export type MailboxState = (typeof mailboxStates)[number];

export interface Mailbox {
  readonly id: MailboxId;
  readonly provider: MailboxProviderName;
  /** The provider's id of the account. */
  readonly accountId: string;
  /** Fixed by the first connection. */
  readonly spaceId: SpaceId | null;
  /** In lower case. */
  readonly address: string;
  readonly name: string | null;
  readonly state: MailboxState;
  /** A sentence for people; null while it is active and synchronized. */
  readonly stateReason: string | null;
  readonly region: string;
  /** null: a shared app of the deployment. */
  readonly appId: OauthAppId | null;
  /** The `ref` of the last connection. */
  readonly ref: string | null;
  /** Number of connections so far. */
  readonly connections: number;
  /** Time of the last one. */
  readonly connectedAt: number;
  readonly lastSyncAt: number | null;
  /** Raised by each change of state and each connection; writers compare it. */
  readonly revision: number;
}
