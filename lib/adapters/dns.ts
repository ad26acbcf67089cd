/** DNS lookups. They never throw: every failure is a status. */
import { Resolver } from 'node:dns/promises';
import type { MailExchange } from '../core/domains/dns-check.ts';
import { type AuthorityOptions, createAuthority } from './authoritative-dns.ts';

/** Result of a lookup. */
export interface DnsAnswer<T> {
  /**
   * `none`: the name exists without such a record; `nxdomain`: the name does not exist; `failed`: no server gave a usable
   * answer, and the record may exist.
   */
  readonly status: 'found' | 'none' | 'nxdomain' | 'failed';
  readonly values: readonly T[];
}

export interface Lookup {
  /** The strings of each record are joined without separator (RFC 7208, 3.3; RFC 6376, 3.6.2.2). */
  txt(name: string): Promise<DnsAnswer<string>>;
  /** Lowest preference value first. */
  mx(name: string): Promise<DnsAnswer<MailExchange>>;
  cname(name: string): Promise<DnsAnswer<string>>;
  a(name: string): Promise<DnsAnswer<string>>;
  aaaa(name: string): Promise<DnsAnswer<string>>;
}

const attempts = 2;

/**
 * A resolver that tries twice. Where it finds no record, the authoritative servers of the name are asked: a resolver may
 * keep a negative answer from before the record was published.
 *
 * @param options.servers `address` or `address:port`; none: the system's
 * @param options.timeoutMs timeout of the first try, at least 250 ms; that of the second is a little longer
 * @param options.authority how authoritative servers are asked; null: never
 */
export function createLookup(options: {
  servers: readonly string[];
  timeoutMs: number;
  authority: AuthorityOptions | null;
}): Lookup {
  const newResolver = () => {
    const resolver = new Resolver({ timeout: options.timeoutMs, tries: attempts });
    if (options.servers.length > 0) resolver.setServers(options.servers);
    return resolver;
  };
  const resolver = newResolver();
  const authorityOf = options.authority && createAuthority(newResolver(), options.authority);

  async function ask<T>(name: string, query: (resolver: Resolver) => Promise<T[]>): Promise<DnsAnswer<T>> {
    const answer = await answerOf(query(resolver));
    if (answer.status === 'found' || answer.status === 'failed' || !authorityOf) return answer;
    const authoritative = await authorityOf(name);
    const newest = authoritative && (await answerOf(query(authoritative)));
    return newest && newest.status !== 'failed' ? newest : answer;
  }

  return {
    txt: (name) =>
      ask(name, async (from) => {
        const records = await from.resolveTxt(name);
        return records.map((strings) => strings.join(''));
      }),
    mx: (name) =>
      ask(name, async (from) => {
        const records = await from.resolveMx(name);
        return records
          .map(({ exchange, priority }) => ({ exchange, priority }))
          .toSorted((a, b) => a.priority - b.priority);
      }),
    cname: (name) => ask(name, (from) => from.resolveCname(name)),
    a: (name) => ask(name, (from) => from.resolve4(name)),
    aaaa: (name) => ask(name, (from) => from.resolve6(name)),
  };
}

async function answerOf<T>(query: Promise<T[]>): Promise<DnsAnswer<T>> {
  try {
    const values = await query;
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
