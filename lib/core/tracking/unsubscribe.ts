/** Unsubscribe headers and links (RFC 2369, RFC 8058, docs/concepts/tracking.md). */

import { splitAddress } from '../../mail/addresses/addresses.ts';
import type { Header } from '../../mail/message/headers.ts';
import { insertAtEnd } from './tracking.ts';

/** `{{unsubscribe_url}}`, also URL-encoded, as html editors write it into an `href`. */
const placeholder = /(?:\{\{|%7B%7B)(?:\s|%20){0,8}unsubscribe_url(?:\s|%20){0,8}(?:\}\}|%7D%7D)/gi;

const optOutSubject = /^\s*unsubscribe\s+([A-Za-z0-9_-]{40,200})\s*$/i;

/** The subject of an unsubscribe mail; `tokenOfSubject` reads it. */
function subjectOf(token: string): string {
  return `unsubscribe ${token}`;
}

/** The token in the subject of an unsubscribe mail; null for any other subject. */
export function tokenOfSubject(subject: string): string | null {
  return optOutSubject.exec(subject)?.[1] ?? null;
}

/**
 * The headers from which mail programs build an unsubscribe button. The `mailto` goes to the sender's own address, so
 * that it also works if another system receives the domain's mail.
 */
export function unsubscribeHeaders(link: { url: string; token: string; from: string }): Header[] {
  const { local, host } = splitAddress(link.from);
  const mailbox = `${encodeURIComponent(local)}@${host}`;
  const mailto = `mailto:${mailbox}?subject=${encodeURIComponent(subjectOf(link.token))}`;
  return [
    { name: 'List-Unsubscribe', value: `<${link.url}>, <${mailto}>` },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}

/** Whether a header is `List-Unsubscribe` or `List-Unsubscribe-Post`. */
export function isUnsubscribeHeader({ name }: Header): boolean {
  return /^list-unsubscribe(?:-post)?$/i.test(name);
}

/** Replaces the placeholder with the URL, or appends a footer. */
export function unsubscribeInHtml(html: string, url: string): string {
  const replaced = html.replaceAll(placeholder, url);
  if (replaced !== html) return replaced;
  const footer =
    '<p style="margin:24px 0 0;font-family:sans-serif;font-size:12px;line-height:18px;color:#666">' +
    `No longer want these emails? <a href="${url}" style="color:#666">Unsubscribe</a></p>`;
  return insertAtEnd(html, footer);
}

/** Replaces the placeholder with the URL, or appends a line. */
export function unsubscribeInText(text: string, url: string): string {
  const replaced = text.replaceAll(placeholder, url);
  if (replaced !== text) return replaced;
  return `${text.trimEnd()}\n\nNo longer want these emails? Unsubscribe: ${url}\n`;
}
