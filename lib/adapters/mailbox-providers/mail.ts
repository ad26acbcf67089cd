/** The mail half of the providers by name. Each is loaded when it is needed. */
import type { MailboxProviderName } from '../../core/mailboxes/mailbox.ts';
import type { ProviderMail } from '../../core/mailboxes/provider.ts';
import { endpoints } from './endpoints.ts';

const mails: Readonly<Record<MailboxProviderName, () => Promise<ProviderMail>>> = {
  google: async () => (await import('./google/mail.ts')).gmailAt(endpoints().google.gmail),
  microsoft: async () => (await import('./microsoft/mail.ts')).graphAt(endpoints().microsoft.graph),
};

/** Mail in and out of mailboxes of a provider. */
export async function providerMail(name: MailboxProviderName): Promise<ProviderMail> {
  return await mails[name]();
}
