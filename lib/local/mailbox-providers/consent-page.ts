/** The consent page of the emulated mailbox providers: account, scopes, allow or deny. Without scripts. */

import { cardStyle, htmlWith } from '../../http/pages/page.ts';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { HttpResponse } from '../http-server.ts';
import { isAddress, type ProviderAccount } from './accounts.ts';
import { pageResponse } from './http.ts';

export interface RequestedScope {
  readonly scope: string;
  /** For the user. */
  readonly label: string;
  /** Whether the user may leave it out. */
  readonly isOptional: boolean;
}

export interface ConsentQuestion {
  readonly provider: string;
  readonly clientName: string;
  readonly accounts: readonly ProviderAccount[];
  readonly scopes: readonly RequestedScope[];
  /** The address that is chosen at first; null: the first account. */
  readonly loginHint: string | null;
  /** Why the page is shown again; null: it is not. */
  readonly error: string | null;
}

export type ConsentAnswer =
  | { readonly decision: 'deny' }
  | { readonly decision: 'allow'; readonly address: string; readonly scopes: readonly string[] }
  /** A sentence for the user. */
  | { readonly decision: 'unclear'; readonly error: string };

const page = htmlWith(
  `${cardStyle}
.field{display:block}
.field input{display:block;width:100%;height:2.75rem;margin:.375rem 0 0;padding:.5rem .75rem;border:1px solid var(--field-line);border-radius:var(--radius);background:var(--raised);color:var(--ink);font:inherit}
.error{padding:.75rem 1rem;border:2px solid currentColor;border-radius:var(--radius);font-weight:600}
code{font-size:.8125rem;color:var(--soft)}
.plain{margin-top:.75rem;background:transparent;color:var(--accent);border:1px solid var(--accent)}
`,
  // The browser follows the redirect to the client's address.
  '*',
);

/** A page of the emulated providers. @param body html below the heading */
export function providerPage(statusCode: number, title: string, body: string): HttpResponse {
  return pageResponse(page(statusCode, { title, body }));
}

/** The page; its form posts to the URL of the page. */
export function consentPage(question: ConsentQuestion): HttpResponse {
  const { provider, clientName, accounts, scopes, error } = question;
  const hint = question.loginHint?.toLowerCase() ?? null;
  const chosen = hint ?? accounts[0]?.address ?? null;
  const isKnown = accounts.some(({ address }) => address === chosen);
  const body =
    `<p class="soft">This page of the local cloud stands for the sign-in and consent pages of ${escapeHtml(provider)}.</p>` +
    (error === null ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`) +
    '<form method="post"><fieldset><legend>Account</legend>' +
    accounts.map((account) => accountOption(account, account.address === chosen)).join('') +
    '<label class="field">Another address<input type="email" name="other" autocomplete="off" ' +
    `aria-describedby="other-hint" value="${isKnown ? '' : escapeHtml(chosen ?? '')}"></label></fieldset>` +
    '<p class="soft" id="other-hint">An address here is used instead of the choice above. It becomes an account if there is none.</p>' +
    `<fieldset><legend>${escapeHtml(clientName)} may</legend>${scopes.map(scopeOption).join('')}</fieldset>` +
    '<button type="submit" name="decision" value="allow">Allow</button>' +
    '<button type="submit" name="decision" value="deny" class="plain" formnovalidate>Deny</button></form>';
  return providerPage(error === null ? 200 : 400, `${clientName} asks for access to a mailbox`, body);
}

function accountOption({ address, name }: ProviderAccount, isChosen: boolean): string {
  return (
    `<label><input type="radio" name="account" value="${escapeHtml(address)}"${isChosen ? ' checked' : ''}>` +
    `<span>${escapeHtml(name)}<small>${escapeHtml(address)}</small></span></label>`
  );
}

function scopeOption({ scope, label, isOptional }: RequestedScope): string {
  return (
    `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked${isOptional ? '' : ' disabled'}>` +
    `<span>${escapeHtml(label)}<small><code>${escapeHtml(scope)}</code></small></span></label>`
  );
}

/** The answer of the posted form. */
export function consentAnswer(form: URLSearchParams, scopes: readonly RequestedScope[]): ConsentAnswer {
  if (form.get('decision') === 'deny') return { decision: 'deny' };
  const address = (form.get('other')?.trim() || form.get('account')?.trim() || '').toLowerCase();
  if (!isAddress(address)) return { decision: 'unclear', error: 'Choose an account or type an address.' };
  const chosen = new Set(form.getAll('scope'));
  return {
    decision: 'allow',
    address,
    scopes: scopes
      .filter(({ scope, isOptional }) => !isOptional || chosen.has(scope))
      .map(({ scope }) => scope),
  };
}
