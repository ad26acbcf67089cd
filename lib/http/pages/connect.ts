/** The pages of a connection: the hosted page of an OAuth app, and its outcome (docs/concepts/mailboxes.md#the-hosted-page). */

import type { MailboxProviderName } from '../../core/mailboxes/mailbox.ts';
import type { OauthApp } from '../../core/mailboxes/oauth-app.ts';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { PublicResponse } from '../serve-public.ts';
import { fillHtml, fillText, mailLink, ownText } from './fill.ts';
import type { PageLanguage } from './languages.ts';
import { cardStyle, htmlPage, htmlWith } from './page.ts';
import { connectSentences } from './sentences/connect.ts';
import { problemSentences } from './sentences/problems.ts';

const providerNames: Readonly<Record<MailboxProviderName, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
};

/** The color of the button comes from the app; its text is black or white, whichever differs more. */
const styleOf = (accent: string | null): string => `${cardStyle}
.logo{display:block;max-width:12rem;max-height:4rem;margin:0 0 1.5rem}
${accent === null ? '' : `.go{background:${accent};color:${textOn(accent)};}`}
.go:focus-visible{outline-color:var(--ink)}
.soft{margin:1.5rem 0 0}
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
export function connectPage(app: OauthApp, startUrl: string, language: PageLanguage): PublicResponse {
  const { accent, logoUrl, name, supportEmail, tagline } = app;
  const provider = providerNames[app.provider];
  const words = connectSentences[language];
  const values = { name: ownText(name), provider: escapeHtml(provider) };
  const page = htmlWith(styleOf(accent), "'self'", logoUrl && new URL(logoUrl).origin);
  return page(200, {
    language,
    title: fillText(words.title, { name }),
    above: logoUrl === null ? '' : `<img class="logo" src="${escapeHtml(logoUrl)}" alt="">`,
    body:
      (tagline === null ? '' : `<p>${ownText(tagline)}</p>`) +
      `<p>${fillHtml(words.may, values)}</p>` +
      `<ul><li>${escapeHtml(words.read)}</li><li>${escapeHtml(words.send)}</li></ul>` +
      `<a class="go" href="${escapeHtml(startUrl)}">${fillHtml(words.go, values)}</a>` +
      `<p class="soft">${fillHtml(words.asks, values)}</p>` +
      (supportEmail === null
        ? ''
        : `<p class="soft">${fillHtml(problemSentences[language].questions, { address: mailLink(supportEmail) })}</p>`),
  });
}

/** The mailbox is connected, and there is no return URL. */
export function connectedPage(address: string, language: PageLanguage): PublicResponse {
  return htmlPage(200, {
    language,
    title: connectSentences[language].doneTitle,
    body: `<p>${ownText(address)}</p><p class="soft">${escapeHtml(problemSentences[language].close)}</p>`,
  });
}
