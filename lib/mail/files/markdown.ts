/** Markdown output (CommonMark, tables of GitHub Flavored Markdown): from rows and from html. */
import { parseDocument } from 'htmlparser2';
import { outlineOfHtml } from '../html/html-outline.ts';
import { extractionLimits } from './limits.ts';

type Node = ReturnType<typeof parseDocument>['children'][number];

/** Warning for html that is cut. */
export const cutWarning = 'The end of the text is not shown: the file is too large.';
/** Inline elements; all others are blocks. */
const inlineNames = new Set(['a', 'br']);
/** Link targets with a safe scheme. */
const safeTarget = /^(?:https?:\/\/|mailto:|tel:|ftp:\/\/)[^\s<>]+$/i;

/**
 * Converts html to Markdown. Styles, scripts and images are left out. Layout tables become the blocks in their cells.
 *
 * @param onCut called if the html is too large: white space and targets of links count
 */
export function markdownOfHtml(html: string, onCut?: () => void): string {
  const { children } = parseDocument(outlineOfHtml(html, extractionLimits.textBytes, onCut));
  return blocksOf(children).join('\n\n');
}

/** A table of plain texts with the first row as header; empty if there are no cells. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  return tableOfCells(rows.map((row) => row.map(escapeTags)));
}

/**
 * Rows after the header are not padded: renderers fill them up, and one wide row would multiply the size of the table.
 *
 * @param rows cells in Markdown
 */
function tableOfCells(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const [header = [], ...rest] = rows;
  if (width === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(' | ')} |`;
  const first = [...header, ...Array<string>(width - header.length).fill('')];
  return [line(first), line(Array<string>(width).fill('---')), ...rest.map(line)].join('\n');
}

function cellOf(text: string): string {
  return oneLine(text.replaceAll('|', '\\|'));
}

/** Escapes plain text that Markdown would take for a heading, a list, a quote or a tag. */
export function escapeText(text: string): string {
  return escapeStarts(escapeTags(text));
}

/** Escapes markers that have a meaning at the start of a line only. */
function escapeStarts(text: string): string {
  return text
    .replace(/^(\s*)([#>+*-]|={3,}|`{3,}|~{3,})(?=\s|$|[#>`~=])/gm, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/gm, '$1\\$2');
}

/** Escapes text that a renderer would take for an html tag. */
export function escapeTags(text: string): string {
  return text.replace(/<(?=[a-z/!?])/gi, '\\<');
}

/** The blocks of nodes in order, without line breaks around them. The html outline bounds the depth. */
function blocksOf(nodes: readonly Node[]): string[] {
  const blocks: string[] = [];
  let run: Node[] = [];
  const endRun = () => {
    const text = escapeStarts(inlineText(run));
    if (text) blocks.push(text);
    run = [];
  };
  for (const node of nodes) {
    if (isInline(node)) run.push(node);
    else {
      endRun();
      blocks.push(...blocksOfElement(node));
    }
  }
  endRun();
  return blocks;
}

function isInline(node: Node): boolean {
  if (!('children' in node)) return true;
  return 'name' in node && inlineNames.has(node.name) && node.children.every(isInline);
}

function blocksOfElement(node: Node): string[] {
  if (!('children' in node) || !('name' in node)) return [];
  const { name, children } = node;
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level) {
    const text = oneLine(inlineText(children));
    return text ? [`${'#'.repeat(Number(level))} ${text}`] : [];
  }
  switch (name) {
    case 'ul':
    case 'ol':
      return listOf(children, name === 'ol');
    case 'table':
      return tableOf(node);
    case 'pre':
      return codeOf(textOf(node));
    case 'blockquote':
      return quoteOf(blocksOf(children));
    case 'hr':
      return ['---'];
    default:
      return blocksOf(children);
  }
}

function quoteOf(blocks: readonly string[]): string[] {
  const quoted = blocks
    .join('\n\n')
    .replace(/^(?=.)/gm, '> ')
    .replace(/^$/gm, '>');
  return blocks.length > 0 ? [quoted] : [];
}

/** The list as one block; further blocks of an item are indented. */
function listOf(nodes: readonly Node[], isOrdered: boolean): string[] {
  const items = nodes.map((node) => blocksOf(isElement(node, 'li') ? node.children : [node]));
  const lines = items
    .filter((blocks) => blocks.length > 0)
    .map((blocks, at) => {
      const marker = isOrdered ? `${at + 1}. ` : '- ';
      const text = blocks.join('\n').replace(/\n(?=.)/g, `\n${' '.repeat(marker.length)}`);
      return `${marker}${text}`;
    });
  return lines.length > 0 ? [lines.join('\n')] : [];
}

/** A table whose cells hold only paragraphs is a data table; any other is a layout table. */
function tableOf(table: Node): string[] {
  const rows = rowsOf(table);
  if (!rows.some((row) => row.some((cell) => cell.some(holdsBlocks)))) {
    const texts = withoutEmptyColumns(rows.map((row) => row.map(inlineText)));
    if (texts.some((row) => row.length > 1)) return [tableOfCells(texts)];
  }
  return rows.flatMap((row) => row.flatMap(blocksOf));
}

/** Removes empty rows and columns. */
function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  const used = new Set(rows.flatMap((row) => row.flatMap((text, at) => (text === '' ? [] : [at]))));
  return rows
    .map((row) => row.filter((_, at) => used.has(at)))
    .filter((row) => row.some((text) => text !== ''));
}

const blockNames = new Set(['table', 'ul', 'ol', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

function holdsBlocks(node: Node): boolean {
  if (!('children' in node)) return false;
  return ('name' in node && blockNames.has(node.name)) || node.children.some(holdsBlocks);
}

/** The cells of each row, as nodes. */
function rowsOf(table: Node): (readonly Node[])[][] {
  if (!('children' in table)) return [];
  const rows: (readonly Node[])[][] = [];
  let strays: Node[] = [];
  const endStrays = () => {
    if (strays.some((node) => textOf(node).trim() !== '')) rows.push([strays]);
    strays = [];
  };
  for (const node of table.children) {
    if (isElement(node, 'tr')) {
      endStrays();
      const cells = node.children.filter((cell) => isElement(cell, 'td') || isElement(cell, 'th'));
      rows.push(cells.map((cell) => ('children' in cell ? cell.children : [])));
    } else strays.push(node);
  }
  endStrays();
  return rows;
}

function isElement(node: Node, name: string): node is Node & { name: string; children: Node[] } {
  return 'name' in node && 'children' in node && node.name === name;
}

function codeOf(text: string): string[] {
  const code = text.replace(/^\n+|\s+$/g, '');
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return code ? [`${fence}\n${code}\n${fence}`] : [];
}

/** Inline nodes as text, with their line breaks. */
function inlineText(nodes: readonly Node[]): string {
  return nodes
    .map(inlineOf)
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .trim();
}

function inlineOf(node: Node): string {
  if ('data' in node) return node.type === 'text' ? escapeTags(node.data.replace(/\s+/g, ' ')) : '';
  if (!('name' in node)) return '';
  if (node.name === 'br') return '\n';
  const text = node.children.map(inlineOf).join('');
  if (node.name !== 'a') return `\n${text}\n`;
  const target = (node.attribs.href ?? '').trim();
  const label = oneLine(text);
  if (!safeTarget.test(target) || label === '') return text;
  return label === target ? `<${target}>` : `[${label.replace(/[[\]]/g, '\\$&')}](<${target}>)`;
}

function textOf(node: Node): string {
  if ('data' in node) return node.type === 'text' ? node.data : '';
  if ('name' in node && node.name === 'br') return '\n';
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** A text with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
