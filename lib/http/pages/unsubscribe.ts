/** The pages behind an unsubscribe link: the choice, what it came to, and a link that is none. */
import type { Address } from '../../core/mail/addresses.ts';
import type { SuppressionScope } from '../../core/suppression.ts';
import type { PublicResponse } from '../serve-public.ts';
import { escapeHtml, htmlPage } from './page.ts';

/** What the pages tell of. */
export interface Subscription {
  readonly sender: Address;
  /** The recipient's. */
  readonly address: string;
  /** Whether the mail is of a list of its own, beside which the sender may have others. */
  readonly hasList: boolean;
}

/** Asks what is to stop. The form goes back to the very address of the page. */
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
          ? 'Other emails from this sender still reach you.'
          : 'Nothing from this sender reaches you any more.',
        true,
      ) +
      option(
        'optional',
        optionalMail(hasList),
        'What concerns you directly, such as an answer or a receipt, still reaches you.',
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

/** Says what has stopped. */
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
      '<p class="soft">What is on its way already may still arrive. You can close this page.</p>',
  });
}

/** For a link that we did not make, or whose email is gone. */
export function invalidLinkPage(): PublicResponse {
  return htmlPage(404, {
    title: 'This link does not work',
    body:
      '<p>It may have been cut off on its way to you, or the email it belongs to has been deleted.</p>' +
      '<p class="soft">Open the link from the email itself, or answer the email and ask its sender to stop.</p>',
  });
}

/** Whose mail it is, and to whom. */
function partiesHtml({ sender, address }: Subscription): string {
  const name = sender.name === null ? '' : `<strong>${escapeHtml(sender.name)}</strong><br>`;
  return `<dl><dt>From</dt><dd>${name}${escapeHtml(sender.address)}</dd><dt>To</dt><dd>${escapeHtml(address)}</dd></dl>`;
}
