/** The scopes that the emulated Google knows ("OAuth 2.0 Scopes for Google APIs", Gmail API). */
import type { RequestedScope } from '../consent-page.ts';

const apis = 'https://www.googleapis.com/auth/';

/** Scopes of sign-in; the user cannot leave them out. */
const signInScopes: Readonly<Record<string, string>> = {
  openid: 'Associate you with your personal info on Google',
  [`${apis}userinfo.email`]: 'See your primary Google Account email address',
  [`${apis}userinfo.profile`]: 'See your personal info',
};

const gmailScopes: Readonly<Record<string, string>> = {
  'https://mail.google.com/': 'Read, compose, send, and permanently delete all your email',
  [`${apis}gmail.modify`]: 'Read, compose, and send emails',
  [`${apis}gmail.readonly`]: 'View your email messages and settings',
  [`${apis}gmail.compose`]: 'Manage drafts and send emails',
  [`${apis}gmail.send`]: 'Send email on your behalf',
};

export const userinfoEmail = `${apis}userinfo.email`;
export const userinfoProfile = `${apis}userinfo.profile`;

/** Google returns these under their long names. */
const shortNames: Readonly<Record<string, string>> = { email: userinfoEmail, profile: userinfoProfile };

/** The scopes of a request; null: one of them is not known. */
export function requestedScopes(text: string): readonly RequestedScope[] | null {
  const names = new Set(
    text
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => shortNames[name] ?? name),
  );
  const scopes = [...names].map((scope) => {
    const label = signInScopes[scope] ?? gmailScopes[scope];
    return label === undefined ? null : { scope, label, isOptional: signInScopes[scope] === undefined };
  });
  const known = scopes.filter((scope) => scope !== null);
  return known.length > 0 && known.length === scopes.length ? known : null;
}

/** Whether any of the Gmail scopes is granted, by the last part of its name: `readonly`, `mail.google.com`. */
export function hasGmailScope(granted: readonly string[], anyOf: readonly GmailScope[]): boolean {
  return anyOf.some((name) =>
    granted.includes(name === 'mail.google.com' ? 'https://mail.google.com/' : `${apis}gmail.${name}`),
  );
}

export type GmailScope = 'mail.google.com' | 'modify' | 'readonly' | 'compose' | 'send';
