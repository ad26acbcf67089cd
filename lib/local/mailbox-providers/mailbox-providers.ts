/** The emulated mailbox providers of one local cloud, with what is there from the start. */
import type { BackgroundTask } from '../background-task.ts';
import type { ServiceLimits } from '../limits.ts';
import type { IncomingMail } from '../ses/incoming-mail.ts';
import { outcomeOf } from '../ses/outcomes.ts';
import { bounceMessage } from './bounces.ts';
import { type Google, startGoogle } from './google/google.ts';
import type { ProviderEmulator, ProviderOptions } from './local-mailbox.ts';
import { type Microsoft, startMicrosoft } from './microsoft/microsoft.ts';
import { createRandomText } from './random-text.ts';

export interface MailboxProvidersOptions extends Omit<ProviderOptions, 'deliver' | 'port'> {
  readonly ports: { readonly google: number; readonly microsoft: number };
  readonly limits: ServiceLimits['mailboxes'];
  readonly onProgress: () => void;
  /** Delivers to recipients without a mailbox here. */
  readonly deliverOutside: (mail: IncomingMail) => Promise<unknown>;
}

export interface MailboxProviders extends BackgroundTask {
  readonly google: Google;
  readonly microsoft: Microsoft;
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
  microsoft: [
    { address: 'ben.okafor@outlook.com', name: 'Ben Okafor' },
    { address: 'support@acme-microsoft.test', name: 'Acme Support' },
  ],
} as const;

export async function startMailboxProviders(options: MailboxProvidersOptions): Promise<MailboxProviders> {
  const { onProgress, deliverOutside } = options;
  const outgoing = new Set<Promise<unknown>>();

  const receive = (mail: IncomingMail): readonly string[] =>
    mail.recipients.filter((recipient) => {
      const address = withoutLabel(recipient);
      const provider = emulators().find(({ accounts }) => accounts.find(address));
      provider?.mailbox(address.toLowerCase()).put(mail.raw, 'inbox');
      return !provider;
    });
  const text = createRandomText(options.seed);
  const deliver = (mail: IncomingMail) => {
    const outside = receive(mail);
    for (const recipient of outside.filter((address) => outcomeOf(address) === 'bounce')) {
      const sender = google.accounts.find(mail.from)
        ? 'mailer-daemon@googlemail.com'
        : 'postmaster@outlook.com';
      const raw = bounceMessage(mail, recipient, { sender, at: options.clock.now(), text });
      receive({ from: '', recipients: [mail.from], raw });
    }
    const recipients = outside.filter((address) => outcomeOf(address) !== 'bounce');
    if (recipients.length === 0) return;
    const done = deliverOutside({ ...mail, recipients, isAuthenticated: true }).finally(() => {
      outgoing.delete(done);
      onProgress();
    });
    outgoing.add(done);
  };

  const { google: googlePort, microsoft: microsoftPort } = options.ports;
  const google = await startGoogle({ ...options, ...options.limits, deliver, port: googlePort });
  const microsoft = await startMicrosoft({
    ...options,
    ...options.limits,
    deliver,
    port: microsoftPort,
  }).catch(async (error: unknown) => {
    await google.close();
    throw error;
  });
  const emulators = (): readonly ProviderEmulator[] => [google, microsoft];
  return {
    google,
    microsoft,
    receive,
    registerDemo: (apiUrl) => {
      for (const name of ['google', 'microsoft'] as const) {
        const { clients, accounts } = name === 'google' ? google : microsoft;
        const redirectUris = redirectUrisOf(apiUrl, name);
        clients.register({ ...demoClient, name: 'Local app', redirectUris, tenantId: null });
        for (const account of demoAccounts[name]) accounts.add(account);
      }
    },
    pendingWork: () =>
      google.pushes.pendingWork() ??
      microsoft.pushes.pendingWork() ??
      (outgoing.size > 0 ? `${outgoing.size} mails of mailbox providers` : null),
    close: async () => {
      await Promise.all([google.close(), microsoft.close()]);
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
  return [apiUrl, apiUrl.replace('127.0.0.1', 'localhost')].map(
    (host) => `${host}/connect/callback/${provider}`,
  );
}
