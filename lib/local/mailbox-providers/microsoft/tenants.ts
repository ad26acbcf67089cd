/** Tenants of the emulated Microsoft: each domain is one, and those of personal accounts share one. */
import { createHash } from 'node:crypto';
import type { ProviderAccount } from '../accounts.ts';

/** The tenant of personal accounts ("ID token claims reference", `tid`). */
export const consumerTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';
const consumerDomains: readonly string[] = ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'];

/** A UUID, the same for each domain. */
export function tenantOf(domain: string): string {
  if (consumerDomains.includes(domain)) return consumerTenant;
  const hex = createHash('sha256').update(domain).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Who may sign in at `/{tenant}/` ("Endpoints" of the authorization code flow: `common`, `organizations`, `consumers`, a tenant). */
export type Authority = 'common' | 'organizations' | 'consumers' | { readonly tenantId: string };

export function authorityOf(segment: string): Authority {
  const text = segment.toLowerCase();
  if (text === 'common' || text === 'organizations' || text === 'consumers') return text;
  if (text === consumerTenant) return 'consumers';
  return { tenantId: text.includes('.') ? tenantOf(text) : text };
}

export function admits(authority: Authority, { tenantId }: ProviderAccount): boolean {
  switch (authority) {
    case 'common':
      return true;
    case 'organizations':
      return tenantId !== consumerTenant;
    case 'consumers':
      return tenantId === consumerTenant;
    default:
      return tenantId === authority.tenantId;
  }
}
