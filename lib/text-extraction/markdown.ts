/** Markdown (CommonMark, tables as on GitHub): rows as a table, and html as headings, paragraphs, lists and tables. */
import { parseDocument } from 'htmlparser2';
import { outlineOfHtml } from '../core/mail/html-outline.ts';

type Node = ReturnType<typeof parseDocument>['children'][number];

/** Elements that stand in a line of text; all others are blocks. */
const inlineNames = new Set(['a', 'br']);
/** Links that a reader may follow without harm. */
const safeTarget = /^(?:https?:\/\/|mailto:|tel:|ftp:\/\/)[^\s<>]+$/i;

/**
 * Html as Markdown. Styles, scripts and pictures are left out, and tables that only lay out a page are read cell by
 * cell.
 */
export function markdownOfHtml(html: string): string {
  const { children } = parseDocument(outlineOfHtml(html));
  return blocksOf(children).join('\n\n');
}

/** A table of plain texts whose first row is its header; empty where there are no cells. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  return tableOfCells(rows.map((row) => row.map(escapeTags)));
}

/**
 * Rows after the header are as long as they are: renderers fill them up, and padding would let one wide row blow up all
 * the others.
 *
 * @param rows cells as Markdown already
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

/** Plain text that a renderer shows as it is, where Markdown would take it for a heading, a list, a quote or a tag. */
export function escapeText(text: string): string {
  return escapeStarts(escapeTags(text));
}

/** What means something at the start of a line, and nothing elsewhere. */
function escapeStarts(text: string): string {
  return text
    .replace(/^(\s*)([#>+*-]|={3,}|`{3,}|~{3,})(?=\s|$|[#>`~=])/gm, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/gm, '$1\\$2');
}

/** What a renderer that lets html through must not take for a tag. */
export function escapeTags(text: string): string {
  return text.replace(/<(?=[a-z/!?])/gi, '\\<');
}

/** The blocks of nodes in order, each without line breaks around it. The outline keeps the depth small. */
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

/** One block for the whole list; the blocks of an item are indented below its first. */
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

/** A table whose cells hold no blocks beyond paragraphs holds data; any other lays a page out. */
function tableOf(table: Node): string[] {
  const rows = rowsOf(table);
  if (!rows.some((row) => row.some((cell) => cell.some(holdsBlocks)))) {
    const texts = withoutEmptyColumns(rows.map((row) => row.map(inlineText)));
    if (texts.some((row) => row.length > 1)) return [tableOfCells(texts)];
  }
  return rows.flatMap((row) => row.flatMap(blocksOf));
}

/** Rows and columns that only make room are left out. */
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

/** The cells of each row, as the nodes in them. */
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

/** Text of nodes in one line of text, or several where they break it. */
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

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
