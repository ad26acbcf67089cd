/** Readable text: of html, and of a message in short. */
import { compile } from 'html-to-text';
import { outlineOfHtml } from './html-outline.ts';

/** Html beyond this is not read: a message of that size is not one that a person wrote. */
const htmlCharactersMax = 2_000_000;
const snippetCharacters = 200;
/** How far into a text a snippet looks; the padding behind a preheader can be long. */
const snippetReach = 20_000;

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
 * Html as plain text: paragraphs, lists, quotes, rows of tables and the targets of links are kept; styles, scripts and
 * pictures are not. Reads at most 2 MB; never throws.
 */
export function textOfHtml(html: string): string {
  const lines = textOfOutline(outlineOfHtml(html.slice(0, htmlCharactersMax))).split('\n');
  return lines
    .map((line) => line.trimEnd().replace(/^ (?=\S)/, ''))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The first 200 characters of a readable text on one line, without the invisible padding that marketing mail has. */
export function snippet(text: string): string {
  const line = text
    .slice(0, snippetReach)
    // A single joiner belongs to an emoji or a Persian word; several characters of no width are padding.
    .replace(
      /(?:[\s\p{Cc}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|\u034f){2,}|[\s\p{Cc}\u00ad\u200b\u2060\ufeff]/gu,
      ' ',
    )
    .trim();
  return line
    .slice(0, snippetCharacters)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
