/** Parsing of domain names that a workspace claims (docs/concepts/domains.md#domain-names). */
import { parse } from 'tldts';
import { asciiDomain } from '../../mail/addresses/addresses.ts';
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
 * The name in its stored form, or null (`invalid_domain`) where it cannot be registered: a public suffix (`co.uk`), a
 * single label, an IP address, a reserved name, or no host name.
 *
 * Suffixes in the private section of the Public Suffix List (`github.io`) are accepted: they have an owner, who proves
 * the claim by DNS. Names under top-level domains newer than the list are accepted, too.
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
