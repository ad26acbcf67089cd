/** The way out of optional mail, in its headers and in its body (RFC 2369, RFC 8058; contract, section 5). */
import type { Header } from '../email.ts';
import { insertAtEnd } from './tracking.ts';

/** `{{unsubscribe_url}}`, also as editors write it into an `href`. */
const placeholder = /(?:\{\{|%7B%7B)(?:\s|%20){0,8}unsubscribe_url(?:\s|%20){0,8}(?:\}\}|%7D%7D)/gi;

const optOutSubject = /^\s*unsubscribe\s+([A-Za-z0-9_-]{40,200})\s*$/i;

/** The subject of the mail that opts out; it comes back through `tokenOfSubject`. */
function subjectOf(token: string): string {
  return `unsubscribe ${token}`;
}

/** The token in the subject of a mail that opts out; null in any other. */
export function tokenOfSubject(subject: string): string | null {
  return optOutSubject.exec(subject)?.[1] ?? null;
}

/**
 * The headers by which mail programs show an unsubscribe button. The mail goes to the sender's own address, which
 * somebody reads wherever the domain's mail is received.
 */
export function unsubscribeHeaders(way: { url: string; token: string; from: string }): Header[] {
  const at = way.from.lastIndexOf('@');
  const mailbox = `${encodeURIComponent(way.from.slice(0, at))}@${way.from.slice(at + 1)}`;
  const mailto = `mailto:${mailbox}?subject=${encodeURIComponent(subjectOf(way.token))}`;
  return [
    { name: 'List-Unsubscribe', value: `<${way.url}>, <${mailto}>` },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}

/** Whether a header is one of those above, which a message may have once. */
export function isUnsubscribeHeader({ name }: Header): boolean {
  return /^list-unsubscribe(?:-post)?$/i.test(name);
}

/** The html with the address wherever it wants it, else in a line at its end. */
export function unsubscribeInHtml(html: string, url: string): string {
  const placed = html.replaceAll(placeholder, url);
  if (placed !== html) return placed;
  const footer =
    '<p style="margin:24px 0 0;font-family:sans-serif;font-size:12px;line-height:18px;color:#666">' +
    `No longer want these emails? <a href="${url}" style="color:#666">Unsubscribe</a></p>`;
  return insertAtEnd(html, footer);
}

/** The text with the address wherever it wants it, else in a line at its end. */
export function unsubscribeInText(text: string, url: string): string {
  const placed = text.replaceAll(placeholder, url);
  if (placed !== text) return placed;
  return `${text.trimEnd()}\n\nNo longer want these emails? Unsubscribe: ${url}\n`;
}
