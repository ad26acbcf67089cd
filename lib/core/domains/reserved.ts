/** Names that a workspace cannot claim, and how names lie under one another. */

/** The label of the return path (MAIL FROM) below every domain; no domain of its own may take it. */
export const returnPathLabel = 'bounces';

/** Whether `name` is `suffix` or lies under it, at any depth. Both lower case; an empty suffix has nothing under it. */
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
