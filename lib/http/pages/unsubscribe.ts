/** The pages of an unsubscribe link: choice and confirmation; see docs/concepts/suppressions.md. */

import type { SuppressionScope } from '../../core/emails/email.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { PublicResponse } from '../serve-public.ts';
import { ownText } from './fill.ts';
import type { PageLanguage } from './languages.ts';
import { htmlPage } from './page.ts';
import { unsubscribeSentences } from './sentences/unsubscribe.ts';

/** What the recipient unsubscribes from. */
export interface Subscription {
  readonly sender: Address;
  /** The recipient's address. */
  readonly address: string;
  /** Whether the email has a suppression key of its own. */
  readonly hasList: boolean;
}

/** The choice of what to stop. The form posts to the URL of the page. */
export function choicePage(subscription: Subscription, language: PageLanguage): PublicResponse {
  const { hasList } = subscription;
  const words = unsubscribeSentences[language];
  return htmlPage(200, {
    language,
    title: words.title,
    body:
      partiesHtml(subscription, language) +
      `<form method="post"><fieldset><legend>${escapeHtml(words.question)}</legend>` +
      (hasList ? option('all', words.list, words.listHint) : option('all', words.all, words.allHint)) +
      option('optional', hasList ? words.optionalOfList : words.optional, words.optionalHint) +
      `</fieldset><button type="submit">${escapeHtml(words.button)}</button></form>`,
  });
}

function option(value: SuppressionScope, label: string, hint: string): string {
  return (
    `<label><input type="radio" name="scope" value="${value}"${value === 'all' ? ' checked' : ''}>` +
    `<span>${escapeHtml(label)}<small>${escapeHtml(hint)}</small></span></label>`
  );
}

/** The confirmation. */
export function donePage(
  subscription: Subscription,
  scope: SuppressionScope,
  language: PageLanguage,
): PublicResponse {
  const { hasList } = subscription;
  const words = unsubscribeSentences[language];
  const stopped =
    scope === 'optional'
      ? words[hasList ? 'optionalOfListDone' : 'optionalDone']
      : words[hasList ? 'listDone' : 'allDone'];
  return htmlPage(200, {
    language,
    title: words.doneTitle,
    body:
      `<p>${escapeHtml(stopped)}</p>` +
      partiesHtml(subscription, language) +
      `<p class="soft">${escapeHtml(words.late)}</p>`,
  });
}

function partiesHtml({ sender, address }: Subscription, language: PageLanguage): string {
  const { from, to } = unsubscribeSentences[language];
  const name = sender.name === null ? '' : `<strong>${ownText(sender.name)}</strong><br>`;
  return (
    `<dl><dt>${escapeHtml(from)}</dt><dd>${name}${ownText(sender.address)}</dd>` +
    `<dt>${escapeHtml(to)}</dt><dd>${ownText(address)}</dd></dl>`
  );
}
