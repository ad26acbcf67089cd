/** Whether the sender of a report may speak for the mailboxes that it reports about. */
import type { Lookup } from '../../adapters/dns.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { hostsOf, type ReportSource } from '../../mail/reports/report-source.ts';

/** Domains of recipients that are looked up for one report. */
const lookedUpMax = 10;

/**
 * The addresses whose mail server may have sent the report: a host in the registered domain of the address or of one of
 * its mail exchanges, proved by DKIM, by SPF, or by the name resolving to the server's address. A name that cannot be
 * looked up proves nothing.
 */
export async function reportableBy(
  source: ReportSource,
  addresses: readonly string[],
  lookup: Pick<Lookup, 'mx' | 'a' | 'aaaa'>,
): Promise<ReadonlySet<string>> {
  if (source.isSes) return new Set(addresses);
  const domains = [...new Set(addresses.map(hostOf))].slice(0, lookedUpMax);
  const trusted = await Promise.all(
    domains.map(async (domain) => {
      const { values } = await lookup.mx(domain);
      const owners = [domain, ...values.map(({ exchange }) => exchange)];
      if (hostsOf(owners, source.proven).length > 0) return true;
      return await isAddressOf(source.address, hostsOf(owners, source.claimed), lookup);
    }),
  );
  const trustedDomains = new Set(domains.filter((_, at) => trusted[at]));
  return new Set(addresses.filter((address) => trustedDomains.has(hostOf(address))));
}

async function isAddressOf(
  address: string | null,
  names: readonly string[],
  lookup: Pick<Lookup, 'a' | 'aaaa'>,
): Promise<boolean> {
  if (address === null) return false;
  const ofNames = names.map((name) => (address.includes(':') ? lookup.aaaa(name) : lookup.a(name)));
  return (await Promise.all(ofNames)).some(({ values }) => values.includes(address));
}
