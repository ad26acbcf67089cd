/** The control routes of the emulated mailbox providers: accounts, OAuth clients, tokens. */
import * as z from 'zod';
import { type ControlRoutes, fail } from '../control-route.ts';
import { isAddress, type ProviderAccount } from './accounts.ts';
import type { MailboxProviders } from './mailbox-providers.ts';
import type { RegisteredClient } from './oauth-clients.ts';

/** The parts of a local cloud that the routes read and change. */
export interface MailboxProviderTarget {
  readonly mailboxProviders: Pick<MailboxProviders, 'google'>;
}

const bodies = {
  account: z.strictObject({
    address: z.string().refine(isAddress, 'is not an address'),
    name: z.string().optional(),
  }),
  client: z.strictObject({
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    name: z.string().min(1).default('App'),
    redirect_uris: z.array(z.string()),
    tenant_id: z.string().nullable().default(null),
  }),
  revocation: z.strictObject({ client_id: z.string().optional() }),
};

const prefix = '/mailbox-providers';

export function mailboxProviderRoutes({ mailboxProviders }: MailboxProviderTarget): ControlRoutes {
  const providerOf = (name = '') =>
    (name === 'google' ? mailboxProviders.google : undefined) ??
    fail(404, `there is no mailbox provider ${name}`);
  const accountOf = ({ provider, address = '' }: Readonly<Record<string, string>>) =>
    providerOf(provider).accounts.find(address) ?? fail(404, `there is no account ${address}`);
  const present = (name: string) => {
    const { url, accounts, clients } = providerOf(name);
    return { url, accounts: accounts.list().map(presentAccount), clients: clients.list().map(presentClient) };
  };
  return {
    [`GET ${prefix}`]: {
      summary: 'Lists the emulated mailbox providers with their accounts and OAuth clients.',
      handle: () => ({ google: present('google') }),
    },
    [`POST ${prefix}/{provider}/accounts`]: {
      summary: 'Creates an account: {address, name?}.',
      handle: ({ parameters, body }) =>
        presentAccount(providerOf(parameters.provider).accounts.add(body(bodies.account))),
    },
    [`POST ${prefix}/{provider}/clients`]: {
      summary: 'Registers an OAuth client: {client_id, client_secret, name?, redirect_uris, tenant_id?}.',
      handle: ({ parameters, body }) => {
        const { client_id, client_secret, name, redirect_uris, tenant_id } = body(bodies.client);
        const client = {
          clientId: client_id,
          clientSecret: client_secret,
          name,
          redirectUris: redirect_uris,
          tenantId: tenant_id,
        };
        providerOf(parameters.provider).clients.register(client);
        return presentClient(client);
      },
    },
    [`POST ${prefix}/{provider}/accounts/{address}/revoke`]: {
      summary: 'Ends what an account allowed, as the user or an administrator does: {client_id?}.',
      handle: ({ parameters, body }) => {
        const { address } = accountOf(parameters);
        const { client_id } = body(bodies.revocation);
        return { tokens: providerOf(parameters.provider).grants.revoke(address, client_id) };
      },
    },
    [`POST ${prefix}/{provider}/accounts/{address}/expire`]: {
      summary: 'Ends the access tokens of an account; refresh tokens stay valid.',
      handle: ({ parameters }) => ({
        tokens: providerOf(parameters.provider).grants.expireAccess(accountOf(parameters).address),
      }),
    },
  };
}

function presentAccount({ address, name, id, tenantId }: ProviderAccount) {
  return { address, name, id, ...(tenantId !== '' && { tenant_id: tenantId }) };
}

function presentClient({ clientId, name, redirectUris, tenantId }: RegisteredClient) {
  return { client_id: clientId, name, redirect_uris: redirectUris, tenant_id: tenantId };
}
