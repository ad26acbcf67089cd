/** The return-path name of domains, and relations between domain names. */

/** The label of the return path (MAIL FROM) under every domain; no domain may have this name. */
export const returnPathLabel = 'bounces';

/** Whether `name` is `suffix` or a name under it, at any depth. Both in lower case; no name is under an empty suffix. */
export function isUnder(suffix: string, name: string): boolean {
  return suffix !== '' && (name === suffix || name.endsWith(`.${suffix}`));
}

/** The name one label up, or null for a name of one label. */
export function parentName(name: string): string | null {
  const dot = name.indexOf('.');
  return dot < 0 ? null : name.slice(dot + 1);
}

/** Whether `name` is the return path of the wildcard domain `wildcardName` (`reserved_subdomain`). */
export function isReturnPathOf(wildcardName: string, name: string): boolean {
  return name === returnPathName(wildcardName);
}

/** The return-path name (MAIL FROM) of a domain. */
export function returnPathName(domainName: string): string {
  return `${returnPathLabel}.${domainName}`;
}
