/** The accounts of one emulated mailbox provider. */
import { domainOf } from '../ses/outcomes.ts';

export interface ProviderAccount {
  /** In lower case. */
  readonly address: string;
  readonly name: string;
  /** Google: `sub`, 21 digits. Microsoft: the object id, a UUID. */
  readonly id: string;
  /** Microsoft: the tenant of the address's domain. Empty elsewhere. */
  readonly tenantId: string;
}

export interface Accounts {
  /** Creates an account, or returns the one of the address. */
  add(account: { readonly address: string; readonly name?: string | undefined }): ProviderAccount;
  find(address: string): ProviderAccount | undefined;
  /** In the order of creation. */
  list(): readonly ProviderAccount[];
}

/** @param tenantOf the tenant of a domain, for accounts that have one */
export function createAccounts(
  newId: () => string,
  tenantOf: (domain: string) => string = () => '',
): Accounts {
  const accounts = new Map<string, ProviderAccount>();
  return {
    add({ address: given, name }) {
      const address = given.trim().toLowerCase();
      const account = accounts.get(address) ?? {
        address,
        name: name || nameOf(address),
        id: newId(),
        tenantId: tenantOf(domainOf(address)),
      };
      accounts.set(address, account);
      return account;
    },
    find: (address) => accounts.get(address.trim().toLowerCase()),
    list: () => [...accounts.values()],
  };
}

/** Whether a text typed into the consent page can be the address of an account. */
export function isAddress(text: string): boolean {
  return /^[^\s@<>"]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text.trim());
}

/** `anna.berg@…` is called `Anna Berg`. */
function nameOf(address: string): string {
  const words = (address.split('@')[0] ?? '').split(/[._+-]+/).filter((word) => word !== '');
  return words.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join(' ') || address;
}
