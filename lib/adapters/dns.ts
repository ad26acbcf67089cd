/** DNS lookups that return what was found and never throw. */
import { Resolver } from 'node:dns/promises';
import type { MailExchange } from '../core/domains/dns-check.ts';

/** The result of a lookup. */
export interface DnsAnswer<T> {
  /**
   * `none`: the name exists without such a record; `nxdomain`: the name does not exist; `failed`: no server gave a usable
   * answer, so that nothing is known about the record.
   */
  readonly status: 'found' | 'none' | 'nxdomain' | 'failed';
  readonly values: readonly T[];
}

export interface Lookup {
  /** The strings of each record joined without separator (RFC 7208, section 3.3; RFC 6376, section 3.6.2.2). */
  txt(name: string): Promise<DnsAnswer<string>>;
  /** Lowest preference value first. */
  mx(name: string): Promise<DnsAnswer<MailExchange>>;
  cname(name: string): Promise<DnsAnswer<string>>;
  a(name: string): Promise<DnsAnswer<string>>;
  aaaa(name: string): Promise<DnsAnswer<string>>;
}

const attempts = 2;

/**
 * @param options.servers `address` or `address:port`; empty: those of the system
 * @param options.timeoutMs timeout of the first attempt, 250 ms at least; the second attempt waits a little longer
 */
export function createLookup(options: { servers: readonly string[]; timeoutMs: number }): Lookup {
  const resolver = new Resolver({ timeout: options.timeoutMs, tries: attempts });
  if (options.servers.length > 0) resolver.setServers(options.servers);
  return {
    txt: (name) =>
      ask(async () => {
        const records = await resolver.resolveTxt(name);
        return records.map((strings) => strings.join(''));
      }),
    mx: (name) =>
      ask(async () => {
        const records = await resolver.resolveMx(name);
        return records
          .map(({ exchange, priority }) => ({ exchange, priority }))
          .toSorted((a, b) => a.priority - b.priority);
      }),
    cname: (name) => ask(() => resolver.resolveCname(name)),
    a: (name) => ask(() => resolver.resolve4(name)),
    aaaa: (name) => ask(() => resolver.resolve6(name)),
  };
}

async function ask<T>(query: () => Promise<T[]>): Promise<DnsAnswer<T>> {
  try {
    const values = await query();
    return { status: values.length > 0 ? 'found' : 'none', values };
  } catch (error) {
    return { status: statusOf(error), values: [] };
  }
}

function statusOf(error: unknown): 'none' | 'nxdomain' | 'failed' {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENODATA') return 'none';
  return code === 'ENOTFOUND' ? 'nxdomain' : 'failed';
}
