/** The mail providers by name. Each is loaded when it is needed, so that a function has the code of the others on disk only. */
import type { MailboxProviderName } from '../../core/mailboxes/mailbox.ts';
import type { ProviderAuthorization } from '../../core/mailboxes/provider.ts';

const authorizations: Readonly<Record<MailboxProviderName, () => Promise<ProviderAuthorization>>> = {
  google: async () => (await import('./google/authorization.ts')).googleAuthorization,
  microsoft: async () => (await import('./microsoft/authorization.ts')).microsoftAuthorization,
};

/** The OAuth half of a provider. */
export async function providerAuthorization(name: MailboxProviderName): Promise<ProviderAuthorization> {
  return await authorizations[name]();
}
