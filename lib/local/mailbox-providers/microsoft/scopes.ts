/** The scopes that the emulated Microsoft knows ("Scopes and permissions in the Microsoft identity platform"; "Microsoft Graph permissions reference"). */
import type { RequestedScope } from '../consent-page.ts';

const graph = 'https://graph.microsoft.com/';

const signInScopes: Readonly<Record<string, string>> = {
  openid: 'Sign you in',
  profile: 'View your basic profile',
  email: 'View your email address',
  offline_access: 'Maintain access to data you have given it access to',
};

const graphScopes: Readonly<Record<string, string>> = {
  'User.Read': 'Sign you in and read your profile',
  'Mail.ReadBasic': 'Read your mail without body, preview and attachments',
  'Mail.Read': 'Read your mail',
  'Mail.ReadWrite': 'Read and write access to your mail',
  'Mail.Send': 'Send mail as you',
};

/** Short names of Graph scopes, in the case of the documentation; others as they are. */
function shortName(scope: string): string {
  const name = scope.toLowerCase().startsWith(graph) ? scope.slice(graph.length) : scope;
  return Object.keys(graphScopes).find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
}

/** The scopes of a request; null: one of them is not known. A user allows all of them or none. */
export function requestedScopes(text: string): readonly RequestedScope[] | null {
  const names = new Set(
    text
      .split(' ')
      .filter((name) => name !== '')
      .map(shortName),
  );
  const scopes = [...names].map((scope) => {
    const label = signInScopes[scope] ?? graphScopes[scope];
    return label === undefined ? null : { scope, label, isOptional: false };
  });
  const known = scopes.filter((scope) => scope !== null);
  return known.length > 0 && known.length === scopes.length ? known : null;
}

/** `scope` of a token response: Graph scopes with their resource, and never `offline_access`. */
export function scopeText(scopes: readonly string[]): string {
  return scopes
    .filter((scope) => scope !== 'offline_access')
    .map((scope) => (graphScopes[scope] === undefined ? scope : `${graph}${scope}`))
    .join(' ');
}
