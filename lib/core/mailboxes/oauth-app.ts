/** OAuth apps: a customer's own clients at a mail provider (docs/mailbox-apps.md). Times are Unix milliseconds. */
import type { OauthAppId } from '../ids.ts';
import type { MailboxProviderName } from './mailbox.ts';

/** What a customer may change. The client secret is stored apart. */
export interface OauthAppSettings {
  readonly name: string;
  readonly clientId: string;
  /** Microsoft: the only tenant whose accounts may connect, as an id or a domain; null: any. */
  readonly tenant: string | null;
  /** Google: the full name of the Pub/Sub topic; null: no push. */
  readonly pubsubTopic: string | null;
  /** Color of the page's button: `#` and six hex digits. */
  readonly accent: string | null;
  readonly tagline: string | null;
  readonly supportEmail: string | null;
  readonly logoUrl: string | null;
  /** Where the browser may return to, as given. */
  readonly returnUrls: readonly string[];
}

export interface OauthApp extends OauthAppSettings {
  readonly id: OauthAppId;
  readonly provider: MailboxProviderName;
  /** Unique across the service: it is in the URL of the page. */
  readonly slug: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Raised by each change; writers compare it. */
  readonly revision: number;
}

/** The OAuth client of an app as it is stored: the secret is sealed. */
export interface SealedClient {
  readonly clientId: string;
  readonly sealedSecret: string;
  readonly tenant: string | null;
  readonly pubsubTopic: string | null;
}
