/** The emulated mailbox providers of one local cloud, with what is there from the start. */
import { type Google, type GoogleOptions, startGoogle } from './google/google.ts';

export interface MailboxProvidersOptions extends Omit<GoogleOptions, 'port'> {
  readonly ports: { readonly google: number; readonly microsoft: number };
}

export interface MailboxProviders {
  readonly google: Google;
  /** Registers a client for the API at a URL (`http://127.0.0.1:PORT`), and a few accounts. */
  registerDemo(apiUrl: string): void;
  close(): Promise<void>;
}

/** The credentials of the client that is registered from the start. */
export const demoClient = {
  clientId: 'local-app',
  clientSecret: 'local-app-secret',
} as const;

const demoAccounts = {
  google: [
    { address: 'anna.berg@gmail.com', name: 'Anna Berg' },
    { address: 'support@acme-google.test', name: 'Acme Support' },
  ],
} as const;

export async function startMailboxProviders(options: MailboxProvidersOptions): Promise<MailboxProviders> {
  const google = await startGoogle({ ...options, port: options.ports.google });
  return {
    google,
    registerDemo: (apiUrl) => {
      const redirectUris = redirectUrisOf(apiUrl, 'google');
      google.clients.register({ ...demoClient, name: 'Local app', redirectUris, tenantId: null });
      for (const account of demoAccounts.google) google.accounts.add(account);
    },
    close: google.close,
  };
}

/** A browser may use either name of this machine. */
function redirectUrisOf(apiUrl: string, provider: string): readonly string[] {
  const hosts = [apiUrl, apiUrl.replace('127.0.0.1', 'localhost')];
  return hosts.flatMap((host) =>
    ['', '/api/v2'].map((prefix) => `${host}${prefix}/connect/callback/${provider}`),
  );
}
