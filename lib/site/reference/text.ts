/** Descriptions of the OpenAPI document as html: paragraphs, lines of lists, and code. */
import { escapeHtml } from '../../mail/html/escape-html.ts';

/** One line of text; words between backticks are code. */
export function inline(text: string): string {
  return escapeHtml(text)
    .split('`')
    .map((part, at) => (at % 2 === 1 ? `<code>${part}</code>` : part))
    .join('');
}

/** Paragraphs are separated by an empty line. */
export function paragraphs(text: string): string {
  if (text.trim() === '') return '';
  return text
    .trim()
    .split(/\n\n+/)
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');
}
