/** The names whose domains may cover a host (docs/concepts/domains.md#wildcards). */
import { isUnder } from './reserved.ts';

/** The longest domain name (RFC 1035, 2.3.4), in characters without the final dot. */
const nameCharactersMax = 253;

/**
 * A host with the names above it, longest first: `a.b.c` gives `a.b.c`, `b.c`. Of a host under the suffix of provided
 * domains, only names under it: a wildcard above covers nothing there (docs/concepts/domains.md#provided-domain).
 *
 * @param host in lower case
 * @param suffix of provided domains; empty: there are none
 */
export function coveringNames(host: string, suffix: string): string[] {
  if (host.length > nameCharactersMax) return [];
  const labels = host.split('.');
  const names = labels.slice(0, -1).map((_, start) => labels.slice(start).join('.'));
  return isUnder(suffix, host) ? names.filter((name) => name !== suffix && isUnder(suffix, name)) : names;
}
