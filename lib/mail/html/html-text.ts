/** Plain text from html. `text-of-body.ts` loads it late. */
import { compile } from 'html-to-text';
import { receivedTextBudget, truncateText } from '../text/text-limits.ts';
import { outlineOfHtml } from './html-outline.ts';

/** Longer html is cut: no person writes a message of this size. */
const htmlCharactersMax = 2_000_000;

const textOfOutline = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
    { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
  ],
});

/**
 * Converts html to plain text: keeps paragraphs, lists, quotes, table rows and link targets; drops styles, scripts and
 * images. Reads at most 2,000,000 characters and returns at most 512 KB, the beginning (docs/concepts/limits.md), in linear
 * time; never throws.
 */
export function textOfHtml(html: string): string {
  const outline = outlineOfHtml(html.slice(0, htmlCharactersMax), receivedTextBudget.plain);
  const text = textOfOutline(outline)
    .split('\n')
    .map((line) => line.trimEnd().replace(/^ (?=\S)/, ''))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return truncateText(text, receivedTextBudget.plain).trimEnd();
}
