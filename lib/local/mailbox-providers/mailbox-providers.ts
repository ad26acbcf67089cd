/** The emulated mailbox providers of one local cloud, with what is there from the start. */
import type { BackgroundTask } from '../background-task.ts';
import type { IncomingMail } from '../ses/receiving.ts';
import { type Google, type GoogleOptions, startGoogle } from './google/google.ts';

export interface MailboxProvidersOptions extends Omit<GoogleOptions, 'deliver' | 'port'> {
  readonly ports: { readonly google: number; readonly microsoft: number };
  readonly onProgress: () => void;
  /** Delivers to recipients without a mailbox here. */
  readonly deliverOutside: (mail: IncomingMail) => Promise<unknown>;
}

export interface MailboxProviders extends BackgroundTask {
  readonly google: Google;
  /** Delivers to the mailboxes of recipients, and returns those that have none. */
  receive(mail: IncomingMail): readonly string[];
  /** Registers a client for the API at a URL (`http://127.0.0.1:PORT`), and a few accounts. */
  registerDemo(apiUrl: string): void;
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
  const { onProgress, deliverOutside } = options;
  const outgoing = new Set<Promise<unknown>>();

  const receive = (mail: IncomingMail): readonly string[] =>
    mail.recipients.filter((recipient) => {
      const account = google.accounts.find(withoutLabel(recipient));
      if (account) google.mailboxes.of(account.address).receive(mail.raw);
      return !account;
    });
  const deliver = (mail: IncomingMail) => {
    const recipients = receive(mail);
    if (recipients.length === 0) return;
    const done = deliverOutside({ ...mail, recipients, isAuthenticated: true }).finally(() => {
      outgoing.delete(done);
      onProgress();
    });
    outgoing.add(done);
  };

  const google = await startGoogle({ ...options, deliver, port: options.ports.google });
  const { pushes } = google.pubSub;
  return {
    google,
    receive,
    registerDemo: (apiUrl) => {
      const redirectUris = redirectUrisOf(apiUrl, 'google');
      google.clients.register({ ...demoClient, name: 'Local app', redirectUris, tenantId: null });
      for (const account of demoAccounts.google) google.accounts.add(account);
    },
    pendingWork: () =>
      pushes.pendingWork() ?? (outgoing.size > 0 ? `${outgoing.size} mails of mailbox providers` : null),
    close: async () => {
      await google.close();
      await Promise.allSettled(outgoing);
    },
  };
}

/** Mail to `anna+news@…` goes to `anna@…`. */
function withoutLabel(address: string): string {
  return address.replace(/\+[^@]*(?=@)/, '');
}

/** A browser may use either name of this machine. */
function redirectUrisOf(apiUrl: string, provider: string): readonly string[] {
  const hosts = [apiUrl, apiUrl.replace('127.0.0.1', 'localhost')];
  return hosts.flatMap((host) =>
    ['', '/api/v2'].map((prefix) => `${host}${prefix}/connect/callback/${provider}`),
  );
}
