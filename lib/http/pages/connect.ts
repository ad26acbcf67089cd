/** The pages of a connection: the hosted page of an OAuth app, its outcome, and problems (docs/concepts/mailboxes.md#the-hosted-page). */

import type { MailboxProviderName } from '../../core/mailboxes/mailbox.ts';
import type { OauthApp } from '../../core/mailboxes/oauth-app.ts';
import type { Problem } from '../../core/problems.ts';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import { problemDescriptions } from '../problem-descriptions.ts';
import type { PublicResponse } from '../serve-public.ts';
import { cardStyle, htmlPage, htmlWith } from './page.ts';

const providerNames: Readonly<Record<MailboxProviderName, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
};

const defaultAccent = '#1f5fbf';

/** The color of the button comes from the app; its text is black or white, whichever differs more. */
const styleOf = (accent: string): string => `${cardStyle}
.logo{display:block;max-width:12rem;max-height:4rem;margin:0 0 1.5rem}
ul{margin:0 0 1.5rem;padding-left:1.25rem}
li+li{margin-top:.25rem}
.go{display:block;padding:.75rem 1.25rem;border-radius:var(--radius);background:${accent};color:${textOn(accent)};font-weight:600;text-align:center;text-decoration:none}
.go:focus-visible{outline-color:var(--ink)}
.soft{margin:1.5rem 0 0}
.soft a{color:inherit}
`;

/** WCAG 2.2, "contrast ratio" and "relative luminance". @param color `#` and six hex digits */
function textOn(color: string): '#000' | '#fff' {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? '#000' : '#fff';
}

/** @param startUrl where the button leads */
export function connectPage(app: OauthApp, startUrl: string): PublicResponse {
  const { name, tagline, logoUrl, accent, supportEmail } = app;
  const provider = providerNames[app.provider];
  const page = htmlWith(styleOf(accent ?? defaultAccent), "'self'", logoUrl && new URL(logoUrl).origin);
  return page(200, {
    title: `Connect your mailbox to ${name}`,
    above: logoUrl === null ? '' : `<img class="logo" src="${escapeHtml(logoUrl)}" alt="">`,
    body:
      (tagline === null ? '' : `<p>${escapeHtml(tagline)}</p>`) +
      `<p>${escapeHtml(name)} will be able to:</p>` +
      '<ul><li>read the mail of the mailbox</li><li>send mail from its address</li></ul>' +
      `<a class="go" href="${escapeHtml(startUrl)}">Continue with ${provider}</a>` +
      `<p class="soft">${provider} asks you before anything is connected. You can end the access at any time in your ${provider} account.</p>` +
      (supportEmail === null
        ? ''
        : `<p class="soft">Questions? <a href="mailto:${escapeHtml(encodeURI(supportEmail))}">${escapeHtml(supportEmail)}</a></p>`),
  });
}

/** The outcome, where there is no return URL. @param address null: it is not connected */
export function outcomePage(
  outcome: { readonly address: string } | { readonly problem: string | null },
): PublicResponse {
  if ('address' in outcome) {
    return htmlPage(200, {
      title: 'Your mailbox is connected',
      body: `<p>${escapeHtml(outcome.address)}</p><p class="soft">You can close this page.</p>`,
    });
  }
  const why = outcome.problem === null ? 'The access was not allowed.' : escapeHtml(outcome.problem);
  return htmlPage(200, {
    title: 'Your mailbox is not connected',
    body: `<p>${why}</p><p class="soft">Nothing was changed. You can close this page, or start again.</p>`,
  });
}

/** A problem, for people. */
export function connectProblemPage({ code, message, status }: Problem): PublicResponse {
  const { action } = problemDescriptions[code];
  return htmlPage(status, {
    title: 'The mailbox cannot be connected',
    body:
      `<p>${escapeHtml(message)}</p>` +
      `<dl><dt>Code</dt><dd>${code}</dd><dt>What to do</dt><dd>${escapeHtml(action)}</dd></dl>`,
  });
}
