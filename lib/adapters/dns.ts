/** DNS lookups. They never throw: every failure is a status. */
import { Resolver } from 'node:dns/promises';
import type { DnsAnswer, MailExchange, TimedAnswer } from '../core/domains/dns-answer.ts';
import { type AuthorityOptions, createAuthority, resolverOf } from './authoritative-dns.ts';
import { stopwatch } from './clock.ts';

export interface Lookup {
  /** The strings of each record are joined without separator (RFC 7208, 3.3; RFC 6376, 3.6.2.2). */
  txt(name: string): Promise<TimedAnswer<string>>;
  /** Lowest preference value first. */
  mx(name: string): Promise<TimedAnswer<MailExchange>>;
  cname(name: string): Promise<TimedAnswer<string>>;
  a(name: string): Promise<TimedAnswer<string>>;
  aaaa(name: string): Promise<TimedAnswer<string>>;
}

const attempts = 2;

/**
 * A resolver that tries each server twice until one has an answer. Where it finds no record, the authoritative servers of
 * the name are asked: a resolver may keep a negative answer from before the record was published.
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
  const { timeoutMs: timeout, servers } = options;
  const resolver = new Resolver({ timeout, tries: attempts });
  if (servers.length > 0) resolver.setServers(servers);
  const resolvers = resolver.getServers().map((server) => resolverOf(server, { timeout, tries: attempts }));
  const authorityOf = options.authority && createAuthority(resolver, options.authority);

  async function ask<T>(name: string, query: Ask<T>): Promise<TimedAnswer<T>> {
    const elapsedMs = stopwatch();
    const answer = { ...(await firstAnswer(resolvers, name, query)), ms: elapsedMs() };
    if (answer.status === 'found' || answer.status === 'failed' || !authorityOf) return answer;
    const newest = await askAuthority(await authorityOf(name), name, query);
    return newest.status === 'failed' ? answer : { ...newest, ms: answer.ms };
  }

  async function askAuthority<T>(
    authorities: readonly Resolver[],
    name: string,
    query: Ask<T>,
  ): Promise<DnsAnswer<T>> {
    const answer = await firstAnswer(authorities, name, query);
    if (answer.status !== 'none') return answer;
    // An authoritative server knows where an alias leads in zones of its own only (RFC 1034, 4.3.2).
    const [target] = (await firstAnswer(authorities, name, (from, at) => from.resolveCname(at))).values;
    return target === undefined ? answer : await firstAnswer(resolvers, target, query);
  }

  return {
    txt: (name) =>
      ask(name, async (from, at) => {
        const records = await from.resolveTxt(at);
        return records.map((strings) => strings.join(''));
      }),
    mx: (name) =>
      ask(name, async (from, at) => {
        const records = await from.resolveMx(at);
        return records
          .map(({ exchange, priority }) => ({ exchange, priority }))
          .toSorted((a, b) => a.priority - b.priority);
      }),
    cname: (name) => ask(name, (from, at) => from.resolveCname(at)),
    a: (name) => ask(name, (from, at) => from.resolve4(at)),
    aaaa: (name) => ask(name, (from, at) => from.resolve6(at)),
  };
}

type Ask<T> = (from: Resolver, name: string) => Promise<T[]>;

/** The answer of the first server that has one: a server may be lame, broken or down. */
async function firstAnswer<T>(
  resolvers: readonly Resolver[],
  name: string,
  query: Ask<T>,
): Promise<DnsAnswer<T>> {
  for (const resolver of resolvers) {
    const answer = await answerOf(query(resolver, name));
    if (answer.status !== 'failed') return answer;
  }
  return { status: 'failed', values: [] };
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
