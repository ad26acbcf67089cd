/** Puts values into the sentences of pages. */
import { escapeHtml } from '../../mail/html/escape-html.ts';

/** By the name in braces. */
type Values = Readonly<Record<string, string>>;

/** As plain text. */
export function fillText(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** As html. @param values html */
export function fillHtml(sentence: string, values: Values): string {
  return fillText(escapeHtml(sentence), values);
}

/** A name or an address as html: its direction is its own, in Hebrew and Arabic, too. */
export function ownText(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** A link that opens the mail program. */
export function mailLink(address: string): string {
  return `<a href="mailto:${escapeHtml(encodeURI(address))}">${ownText(address)}</a>`;
}
