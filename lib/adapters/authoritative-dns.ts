/**
 * The authoritative servers of a name. A resolver keeps the answer that a record does not exist for up to the negative
 * TTL of the zone, often an hour (RFC 2308, section 5); the authoritative servers know a record once it is published.
 */
import { Resolver } from 'node:dns/promises';
import { isPublicAddress } from '../core/webhooks/public-address.ts';

export interface AuthorityOptions {
  /** Port of the name servers. */
  readonly port: number;
  /** Whether a name server may be asked at this address. Anyone may publish a name server with any address. */
  readonly isAllowed: (address: string) => boolean;
  /** For finding the servers and for asking them, each. */
  readonly timeoutMs: number;
}

/** The servers of the public DNS. */
export const publicAuthority: AuthorityOptions = { port: 53, isAllowed: isPublicAddress, timeoutMs: 1500 };

/** Parents of a name that are asked for their name servers, from the top-level domain down. */
const zonesMax = 8;
const serversMax = 4;

/**
 * Finds authoritative servers and gives a resolver that asks them; null where none is found in time. The servers of a
 * zone are looked up once.
 *
 * @param resolver finds the servers; used for nothing else
 */
export function createAuthority(
  resolver: Resolver,
  options: AuthorityOptions,
): (name: string) => Promise<Resolver | null> {
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
    if (!servers || servers.length === 0) return null;
    const authoritative = new Resolver({ timeout: Math.floor(options.timeoutMs / servers.length), tries: 1 });
    authoritative.setServers(servers.map((address) => `${address}:${options.port}`));
    return authoritative;
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

/** The result, or null after `timeoutMs`. */
async function within<T>(timeoutMs: number, cancel: () => void, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      cancel();
      resolve(null);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
