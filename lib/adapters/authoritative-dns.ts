/**
 * The authoritative servers of a name. A resolver keeps the answer that a record does not exist for up to the negative
 * TTL of the zone, often an hour (RFC 2308, section 5); the authoritative servers know a record once it is published.
 */
import { Resolver } from 'node:dns/promises';
import { isPublicAddress } from '../core/webhooks/public-address.ts';
import { within } from './clock.ts';

export interface AuthorityOptions {
  /** Port of the name servers. */
  readonly port: number;
  /** Whether a name server may be asked at this address. Anyone may publish a name server with any address. */
  readonly isAllowed: (address: string) => boolean;
  /** For finding the servers and for asking them, each. */
  readonly timeoutMs: number;
}

/**
 * How to ask the authoritative servers of the public DNS; null where `servers` are configured, whose zone these do not
 * know.
 *
 * @param servers of the resolver; none: the system's
 */
export function publicAuthority(servers: readonly string[]): AuthorityOptions | null {
  return servers.length > 0 ? null : { port: 53, isAllowed: isPublicAddress, timeoutMs: 1500 };
}

/** A resolver that asks one server: one that asks several takes an error of the first, such as REFUSED, for the answer. */
export function resolverOf(server: string, options: { timeout: number; tries: number }): Resolver {
  const resolver = new Resolver(options);
  resolver.setServers([server]);
  return resolver;
}

/** Parents of a name that are asked for their name servers, from the top-level domain down. */
const zonesMax = 8;
const serversMax = 4;

/**
 * Finds authoritative servers and gives a resolver for each; none where none is found in time. The servers of a zone are
 * looked up once.
 *
 * @param resolver finds the servers; used for nothing else
 */
export function createAuthority(
  resolver: Resolver,
  options: AuthorityOptions,
): (name: string) => Promise<Resolver[]> {
  const nameServers = new Map<string, Promise<string[]>>();
  const addresses = new Map<string, Promise<string[]>>();

  async function serversOf(name: string): Promise<string[]> {
    // The zone is the longest parent with name servers; all are asked at once.
    const zones = zonesAbove(name);
    const found = await Promise.all(
      zones.map((zone) => once(nameServers, zone, () => resolver.resolveNs(zone))),
    );
    const hosts = found.findLast((servers) => servers.length > 0)?.slice(0, serversMax) ?? [];
    // A function without a VPC has no IPv6 ("Giving Lambda functions access to resources in an Amazon VPC").
    const found4 = await Promise.all(
      hosts.map((host) => once(addresses, host, () => resolver.resolve4(host))),
    );
    return found4.flatMap((list) => list.filter(options.isAllowed).slice(0, 1));
  }

  return async (name) => {
    const servers = await within(options.timeoutMs, () => resolver.cancel(), serversOf(name));
    if (!servers) return [];
    const timeout = Math.floor(options.timeoutMs / servers.length);
    return servers.map((address) => resolverOf(`${address}:${options.port}`, { timeout, tries: 1 }));
  };
}

/** A name with its parents of two labels and more, shortest first. The servers of a top-level domain know delegations only. */
function zonesAbove(name: string): string[] {
  const labels = name.split('.');
  return labels
    .map((_, start) => labels.slice(start).join('.'))
    .toReversed()
    .slice(1, 1 + zonesMax);
}

/** A look-up that is made once for each key; empty where it fails. */
function once(
  known: Map<string, Promise<string[]>>,
  key: string,
  find: () => Promise<string[]>,
): Promise<string[]> {
  const found = known.get(key) ?? find().catch(() => []);
  known.set(key, found);
  return found;
}
