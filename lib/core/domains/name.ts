/** Reading the name of a domain that somebody wants to send from. */
import { parse } from 'tldts';
import { asciiDomain } from '../mail/addresses.ts';
import { isSpecialUse } from './special-use.ts';

export interface DomainName {
  /** ASCII, lower case, without the wildcard and without a final dot. */
  readonly name: string;
  /** True for `*.name`, which is one identity with `name`. */
  readonly wildcard: boolean;
}

const wildcardPrefix = '*.';
const topLevelLabel = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

/**
 * The name in the form it is stored in, or null (`invalid_domain`) when nobody could have registered it: a public
 * suffix (`co.uk`), a single label, an IP address, a reserved name, or no host name at all.
 *
 * Suffixes in the private section of the list (`github.io`) count as names: somebody does own them, and whoever
 * claims one has to prove it by DNS. So do names under top-level domains newer than the list.
 */
export function parseDomainName(text: string): DomainName | null {
  const trimmed = text.trim();
  const wildcard = trimmed.startsWith(wildcardPrefix);
  const name = asciiDomain((wildcard ? trimmed.slice(wildcardPrefix.length) : trimmed).replace(/\.$/, ''));
  if (name === null || isSpecialUse(name)) return null;
  if (!topLevelLabel.test(name.slice(name.lastIndexOf('.') + 1))) return null;
  const { domain } = parse(name, { allowPrivateDomains: false, extractHostname: false });
  return domain === null ? null : { name, wildcard };
}
