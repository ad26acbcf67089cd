/** Signed unsubscribe and tracking links in the message of one recipient (docs/concepts/tracking.md). */

import type { Header } from '../../mail/message/headers.ts';
import type { EmailContent, LinkSettings } from '../emails/email.ts';
import type { EmailId, WorkspaceId } from '../ids.ts';
import { type LinkKind, sealLink } from './links.ts';
import { addPixel, trackLinks } from './tracking.ts';
import {
  isUnsubscribeHeader,
  unsubscribeHeaders,
  unsubscribeInHtml,
  unsubscribeInText,
} from './unsubscribe.ts';

/** URL path of each kind of link. */
const paths: Readonly<Record<LinkKind, string>> = { unsubscribe: '/u/', open: '/t/o/', click: '/t/c/' };

type Parts = Pick<EmailContent, 'html' | 'text' | 'headers'>;

/** The signing context of a message's links. */
export interface LinkSigner {
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  /** Bare address of the sender. */
  readonly from: string;
  /** Index in the envelope; null for a message that all recipients share, which has no unsubscribe link. */
  readonly recipient: number | null;
  readonly secret: string;
}

/**
 * Adds the links. Opens and clicks are recorded by message, not by recipient, so that recipients of tracked mail can
 * share one message.
 */
export function addRecipientLinks(parts: Parts, terms: LinkSettings, signing: LinkSigner): Parts {
  const { workspaceId, emailId, secret } = signing;
  const link = (kind: LinkKind, recipient: number | null, target: string | null = null) => {
    const token = sealLink({ kind, workspaceId, emailId, recipient, target }, secret);
    return { token, url: `${terms.baseUrl}${paths[kind]}${token}` };
  };
  let { html, text } = parts;
  let headers: readonly Header[] = parts.headers;
  if (html !== null && terms.clicks) html = trackLinks(html, (target) => link('click', null, target).url);
  if (terms.unsubscribe && signing.recipient !== null) {
    const { token, url } = link('unsubscribe', signing.recipient);
    // After the click tracking, which must not rewrite the unsubscribe link.
    html = html === null ? null : unsubscribeInHtml(html, url);
    text = text === null ? null : unsubscribeInText(text, url);
    headers = [
      ...headers.filter((header) => !isUnsubscribeHeader(header)),
      ...unsubscribeHeaders({ url, token, from: signing.from }),
    ];
  }
  if (html !== null && terms.opens) html = addPixel(html, link('open', null).url);
  return { html, text, headers };
}
