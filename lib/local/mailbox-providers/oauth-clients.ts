/** The OAuth clients that are registered at one emulated mailbox provider. */
import type { ProviderCall } from './http.ts';

export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The consent page shows it. */
  readonly name: string;
  /** Compared character by character. */
  readonly redirectUris: readonly string[];
  /** Microsoft: the tenant of a single-tenant app; null: accounts of any tenant. */
  readonly tenantId: string | null;
}

export interface OauthClients {
  /** Registers a client, or replaces the one of that id. */
  register(client: RegisteredClient): void;
  find(clientId: string): RegisteredClient | undefined;
  list(): readonly RegisteredClient[];
}

export function createOauthClients(): OauthClients {
  const clients = new Map<string, RegisteredClient>();
  return {
    register: (client) => clients.set(client.clientId, client),
    find: (clientId) => clients.get(clientId),
    list: () => [...clients.values()],
  };
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string | null;
}

/** The credentials of a token request: HTTP Basic, or fields of the form (RFC 6749 section 2.3.1). */
export function credentialsOf({ headers }: ProviderCall, form: URLSearchParams): ClientCredentials {
  const [, encoded] = /^basic +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) {
    return { clientId: form.get('client_id') ?? '', clientSecret: form.get('client_secret') };
  }
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
  return { clientId: decode(id), clientSecret: decode(secret) };
}
