/** The pages of an unsubscribe link: choice, confirmation, invalid link; see docs/concepts/suppressions.md. */

import type { SuppressionScope } from '../../core/emails/email.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { PublicResponse } from '../serve-public.ts';
import { htmlPage } from './page.ts';

/** What the recipient unsubscribes from. */
export interface Subscription {
  readonly sender: Address;
  /** The recipient's address. */
  readonly address: string;
  /** Whether the email has a suppression key of its own. */
  readonly hasList: boolean;
}

/** The choice of what to stop. The form posts to the URL of the page. */
export function choicePage(subscription: Subscription): PublicResponse {
  const { hasList } = subscription;
  return htmlPage(200, {
    title: 'Unsubscribe',
    body:
      partiesHtml(subscription) +
      '<form method="post"><fieldset><legend>What should stop?</legend>' +
      option(
        'all',
        hasList ? 'All emails of this list' : 'All emails from this sender',
        hasList
          ? 'You still receive other emails from this sender.'
          : 'You receive no more emails from this sender.',
        true,
      ) +
      option(
        'optional',
        optionalMail(hasList),
        'You still receive personal emails, such as replies and receipts.',
        false,
      ) +
      '</fieldset><button type="submit">Unsubscribe</button></form>',
  });
}

function optionalMail(hasList: boolean): string {
  return `Newsletters and other optional emails${hasList ? ' of this list' : ''}`;
}

function option(value: SuppressionScope, label: string, hint: string, isChosen: boolean): string {
  return (
    `<label><input type="radio" name="scope" value="${value}"${isChosen ? ' checked' : ''}>` +
    `<span>${label}<small>${hint}</small></span></label>`
  );
}

/** The confirmation. */
export function donePage(subscription: Subscription, scope: SuppressionScope): PublicResponse {
  const stopped =
    scope === 'optional'
      ? optionalMail(subscription.hasList)
      : subscription.hasList
        ? 'All emails of this list'
        : 'All emails from this sender';
  return htmlPage(200, {
    title: 'You are unsubscribed',
    body:
      `<p>${stopped} have stopped.</p>` +
      partiesHtml(subscription) +
      '<p class="soft">Emails that were already sent may still arrive. You can close this page.</p>',
  });
}

/** The 404 page for a link with an invalid token, or whose email was deleted. */
export function invalidLinkPage(): PublicResponse {
  return htmlPage(404, {
    title: 'This link does not work',
    body:
      '<p>The link may be incomplete, or its email was deleted.</p>' +
      '<p class="soft">Open the link from the email, or reply to the email and ask the sender to stop.</p>',
  });
}

function partiesHtml({ sender, address }: Subscription): string {
  const name = sender.name === null ? '' : `<strong>${escapeHtml(sender.name)}</strong><br>`;
  return `<dl><dt>From</dt><dd>${name}${escapeHtml(sender.address)}</dd><dt>To</dt><dd>${escapeHtml(address)}</dd></dl>`;
}
